// A diagnosis is right for the mutants whose error has a known shape, and silent for all others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/runner.hpp"
#include "mutants/mutant.hpp"

namespace lnverify::mutants {
namespace {

// What is said of the mutant by the law that most faults die of, in each scalar that it offers.
std::vector<std::string> diagnoses(const Mutant& mutant) {
  const Subject subject = Subject::functions(mutant.functions, mutant.entry.id);
  RunOptions options;
  options.cases = 60;
  options.shrink_seconds = 2;
  options.stop_at_first = true;
  std::vector<std::string> said;
  for (const char* id : {"accuracy", "gradient_accuracy", "batching", "shift_invariance"}) {
    const Property* property = find_property(id);
    for (const Scalar scalar : machine_scalars()) {
      if (!subject.offers(property->info, scalar)) continue;
      const PropertyResult result = run_property(*property, subject, scalar, options);
      if (result.conclusion == Conclusion::falsified) said.push_back(result.diagnosis);
    }
  }
  return said;
}

TEST(Diagnosis, NamesTheFaultOfEachMutantWithAKnownShape) {
  for (const Mutant& mutant : all_mutants()) {
    const std::string wanted = mutant.entry.diagnosis;
    if (wanted.empty()) continue;
    const std::vector<std::string> said = diagnoses(mutant);
    EXPECT_THAT(said, testing::Contains(testing::HasSubstr(wanted))) << mutant.entry.id;
    EXPECT_THAT(said, testing::Each(testing::AnyOf(testing::IsEmpty(), testing::HasSubstr(wanted))))
        << mutant.entry.id;
  }
}

TEST(Diagnosis, IsSilentForTheOthers) {
  for (const Mutant& mutant : all_mutants()) {
    if (!std::string(mutant.entry.diagnosis).empty()) continue;
    EXPECT_THAT(diagnoses(mutant), testing::Each(testing::IsEmpty())) << mutant.entry.id;
  }
}

}  // namespace
}  // namespace lnverify::mutants
