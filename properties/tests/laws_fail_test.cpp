// Every law was seen to fail: for each, on the float kernel and in exact arithmetic, there is a wrong
// formula, or a mutant, that it finds. A law that nothing breaks says nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "engine/runner.hpp"
#include "mutants/mutant.hpp"
#include "wrong_kernels.hpp"

namespace lnverify {
namespace {

bool is_in(const Property& property, Scalar scalar) {
  const std::vector<Scalar>& scalars = property.info.scalars;
  return std::find(scalars.begin(), scalars.end(), scalar) != scalars.end();
}

bool fails(const Property& property, const Subject& subject, Scalar scalar, std::size_t cases) {
  RunOptions options;
  options.cases = cases;
  options.shrink = false;
  options.stop_at_first = true;
  return run_property(property, subject, scalar, options).conclusion == Conclusion::falsified;
}

// What no wrong formula breaks, since it is about batches, memory or bits: the mutant that does.
std::string_view mutant_for(std::string_view law) {
  static const std::map<std::string_view, std::string_view> table = {
      {"batch_invariance", "divisor_rows"},
      {"batching", "divisor_rows"},
      {"companion_independence", "statistics_of_batch"},
      {"empty_batch", "scratch_of_256_elements"},
      {"empty_gradient_batch", "dgain_written_past_the_end"},
      {"gradient_independence", "row_number_8_bits"},
      {"gradient_memory", "row_number_8_bits"},
      {"gradient_repeatability", "row_number_8_bits"},
      {"in_place", "statistics_of_batch"},
      {"memory", "statistics_of_batch"},
      {"parameter_gradient_repeatability", "row_number_8_bits"},
      {"repeatability", "statistics_of_batch"},
      {"two_threads", "statistics_of_batch"}};
  const auto found = table.find(law);
  return found == table.end() ? "" : found->second;
}

// The name of what breaks the law in float; empty where nothing does.
std::string breaker_in_float(const Property& property) {
  const std::string mutant(mutant_for(property.info.id));
  if (!mutant.empty()) {
    const mutants::Mutant* found = mutants::find_mutant(mutant);
    if (found == nullptr) return "";
    return fails(property, Subject::functions(found->functions, mutant), Scalar::f32, 400) ? mutant : "";
  }
  for (std::size_t i = 0; i < wrong::count; ++i) {
    const Subject subject = Subject::functions(wrong::float_functions(static_cast<wrong::Fault>(i)), "wrong");
    if (fails(property, subject, Scalar::f32, 400)) return std::string(wrong::names[i]);
  }
  return "";
}

std::string breaker_in_exact(const Property& property) {
  const Subject reference = Subject::reference();
  for (std::size_t i = 0; i < wrong::count; ++i) {
    const wrong::ExactFault fault(static_cast<wrong::Fault>(i));
    if (fails(property, reference, Scalar::exact, 200)) return std::string(wrong::names[i]);
  }
  return "";
}

TEST(Laws, AreAllBrokenByAWrongKernel) {
  for (const Property& property : properties()) {
    if (property.info.exercises == Exercises::library || !is_in(property, Scalar::f32)) continue;
    const std::string breaker = breaker_in_float(property);
    EXPECT_NE(breaker, "") << property.info.id << " in float";
    std::cout << property.info.id << "/f32: " << breaker << "\n";
  }
}

TEST(Laws, AreAllBrokenByAWrongFormulaInExact) {
  for (const Property& property : properties()) {
    if (property.info.exercises == Exercises::library || !is_in(property, Scalar::exact)) continue;
    const std::string breaker = breaker_in_exact(property);
    EXPECT_NE(breaker, "") << property.info.id << " in exact";
    std::cout << property.info.id << "/exact: " << breaker << "\n";
  }
}

}  // namespace
}  // namespace lnverify
