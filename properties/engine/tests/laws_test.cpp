// The registered laws: each has a file of its name, each can be broken by a
// wrong kernel within its default cases, and none accuses the reference or an
// honest kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include "engine/family.hpp"
#include "engine/generate.hpp"
#include "engine/runner.hpp"
#include "faulty_kernels.hpp"

namespace lnverify {
namespace {

using faulty::Fault;

const std::filesystem::path properties_folder =
    std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();

TEST(Laws, EveryFileIsAPropertyOfItsNameAndEveryPropertyHasItsFile) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(properties_folder))
    if (entry.path().extension() == ".cpp") files.insert(entry.path().stem().string());
  std::set<std::string> ids;
  for (const Property& property : properties()) ids.insert(property.info.id);
  EXPECT_FALSE(files.empty()) << properties_folder;
  EXPECT_EQ(files, ids);
}

TEST(Laws, AreFoundByTheirId) {
  for (const Property& property : properties()) EXPECT_EQ(find_property(property.info.id), &property);
  EXPECT_EQ(find_property("no_such_law"), nullptr);
}

TEST(Laws, AnIdCanBeTakenOnlyOnce) {
  Property second = *find_property("accuracy");
  EXPECT_THROW(detail::add_property(second), std::logic_error);
}

TEST(Laws, AreWellFormed) {
  for (const Property& property : properties()) {
    const LawInfo& law = property.info;
    for (const char c : law.id)
      EXPECT_TRUE(
          std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) ||
          c == '_')
          << law.id;
    EXPECT_FALSE(law.claims.empty()) << law.id;
    EXPECT_FALSE(law.says.empty()) << law.id;
    EXPECT_FALSE(law.inputs.empty()) << law.id;
    EXPECT_EQ(std::set<Scalar>(law.scalars.begin(), law.scalars.end()).size(), law.scalars.size()) << law.id;
    EXPECT_FALSE(law.scalars.empty()) << law.id;
    std::set<std::string> names;
    for (const Input& input : law.inputs)
      EXPECT_TRUE(names.insert(input.name).second) << law.id << " " << input.name;
  }
}

TEST(Laws, NameFamiliesThatExistAndRequireOnlyWhatTheyDraw) {
  for (const Property& property : properties()) {
    std::set<std::string_view> drawn;
    ASSERT_NO_THROW({
      for (const Family* family : families_of(property.info)) drawn.insert(family->name);
    }) << property.info.id;
    for (const std::string& family : property.info.required)
      EXPECT_EQ(drawn.count(family), 1U) << property.info.id << " requires " << family;
  }
}

// --- Every law can be broken ---

struct Conviction {
  const char* property;
  Fault fault;
  KernelFunctions functions;
};
template <Fault fault>
Conviction convicts(const char* property) {
  return {property, fault, faulty::functions<fault>()};
}

const std::vector<Conviction> convictions = {
    convicts<Fault::divisor_d_minus_1>("accuracy"),
    convicts<Fault::epsilon_outside_root>("accuracy"),
    convicts<Fault::differs_in_batches>("batch_invariance"),
    convicts<Fault::statistics_of_first_row>("batching"),
    convicts<Fault::no_centering>("bias_shift"),
    convicts<Fault::folded_multiply_add>("bounded_core"),
    convicts<Fault::depends_on_companions>("companion_independence"),
    convicts<Fault::bias_forgotten>("constant_rows"),
    convicts<Fault::fails_on_no_rows>("empty_batch"),
    convicts<Fault::gradient_of_empty_batch>("empty_gradient_batch"),
    convicts<Fault::folded_multiply_add>("exact_constant_rows"),
    convicts<Fault::gradient_mean_missing>("gradient_accuracy"),
    convicts<Fault::gradient_projection_missing>("gradient_accuracy"),
    convicts<Fault::overruns_dgain>("gradient_memory"),
    convicts<Fault::every_other_call>("gradient_repeatability"),
    convicts<Fault::reads_after_writing>("in_place"),
    convicts<Fault::no_centering>("input_shift"),
    convicts<Fault::gradient_mean_missing>("jacobian_eigenstructure"),
    convicts<Fault::gradient_projection_missing>("jacobian_eigenstructure"),
    convicts<Fault::no_centering>("lattice_shift"),
    convicts<Fault::epsilon_ignored>("lipschitz_bound"),
    convicts<Fault::epsilon_outside_root>("lipschitz_sharpness"),
    convicts<Fault::overruns_y>("memory"),
    convicts<Fault::folded_multiply_add>("no_blow_up"),
    convicts<Fault::hides_specials>("non_finite_gradients"),
    convicts<Fault::hides_specials>("non_finite_inputs"),
    convicts<Fault::rounds_upward>("odd_symmetry"),
    convicts<Fault::parameter_gradient_every_other_call>("parameter_gradient_repeatability"),
    convicts<Fault::epsilon_has_a_floor>("power_of_two_scaling"),
    convicts<Fault::every_other_call>("repeatability"),
    convicts<Fault::statistics_of_batch>("row_independence"),
    convicts<Fault::epsilon_outside_root>("scale_covariance"),
    convicts<Fault::epsilon_ignored>("scale_dependence"),
    convicts<Fault::no_centering>("shift_invariance"),
    convicts<Fault::flushes_subnormals>("subnormal_inputs"),
    convicts<Fault::second_thread>("two_threads"),
    convicts<Fault::no_centering>("weight_recentering"),
    convicts<Fault::float_squares>("whole_range"),
};

std::string test_name(const std::string& property, std::size_t index) {
  return fmt::format("{}_{}", property, index);
}

RunOptions first_failure_only() {
  RunOptions options;
  options.shrink = false;
  options.stop_at_first = true;
  return options;
}

class ConvictionTest : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(
    Laws, ConvictionTest, testing::Range(std::size_t{0}, convictions.size()),
    [](const auto& index) { return test_name(convictions[index.param].property, index.param); });

TEST_P(ConvictionTest, IsReachedWithinTheDefaultCases) {
  const Conviction& conviction = convictions[GetParam()];
  const Property* property = find_property(conviction.property);
  ASSERT_NE(property, nullptr) << conviction.property;
  const Subject subject = Subject::functions(conviction.functions, "faulty");
  for (const std::uint64_t seed : {default_seed, default_seed + 1}) {
    RunOptions options = first_failure_only();
    options.seed = seed;
    const PropertyResult result = run_property(*property, subject, Scalar::f32, options);
    EXPECT_EQ(name(result.conclusion), "falsified") << result.reason << ", seed " << seed;
    if (result.first_failure) {
      EXPECT_LE(*result.first_failure, 1000U) << "found by luck only";
    }
  }
}

// A law without an entry above must convict one of these kernels all the same;
// laws of the library have none to convict.
TEST(Laws, EveryLawForKernelsConvictsOneOfTheFaultyKernels) {
  RunOptions options = first_failure_only();
  options.cases = 100;
  std::set<std::string> convicting;
  for (const Conviction& conviction : convictions) convicting.insert(conviction.property);
  for (const Property& property : properties()) {
    const auto& scalars = property.info.scalars;
    const bool in_float = std::find(scalars.begin(), scalars.end(), Scalar::f32) != scalars.end();
    if (property.info.exercises == Exercises::library || !in_float || convicting.count(property.info.id) == 1)
      continue;
    EXPECT_TRUE(std::any_of(
        convictions.begin(), convictions.end(),
        [&](const Conviction& conviction) {
          const Subject subject = Subject::functions(conviction.functions, "faulty");
          return run_property(property, subject, Scalar::f32, options).conclusion == Conclusion::falsified;
        }))
        << property.info.id << " convicts none of the faulty kernels: add one that it does";
  }
}

// --- No law accuses the honest ---

class EveryLaw : public testing::TestWithParam<std::string> {};
std::vector<std::string> ids() {
  std::vector<std::string> result;
  for (const Property& property : properties()) result.push_back(property.info.id);
  return result;
}
// Properties register themselves before main, in no order known here: listed
// when tests are instantiated.
INSTANTIATE_TEST_SUITE_P(Laws, EveryLaw, testing::ValuesIn(ids()), [](const auto& id) { return id.param; });

void expect_holds(const Subject& subject, const std::string& id, std::uint64_t seed) {
  const Property& property = *find_property(id);
  if (id == "correctly_rounded") return;  // the one trait that the reference lacks in float
  if (!subject.offers(property.info, Scalar::f32)) return;
  RunOptions options = first_failure_only();
  options.seed = seed;
  const PropertyResult result = run_property(property, subject, Scalar::f32, options);
  EXPECT_EQ(name(result.conclusion), "holds") << subject.name() << ": " << result.reason;
  if (result.worst) {
    ADD_FAILURE() << to_string(result.worst->key.value()) << " " << result.worst->verdict.what;
  }
}

TEST_P(EveryLaw, HoldsOnTheReferenceAndOnTheHonestBody) {
  expect_holds(Subject::reference(), GetParam(), default_seed);
  expect_holds(Subject::functions(faulty::functions<Fault::none>(), "honest"), GetParam(), default_seed + 1);
}

// --- The law that only a well-placed epsilon exercises ---

// By how much the largest coordinate of f u - u, ignoring epsilon, exceeds
// every bound that is allowed for: max(|1 - f| |u0| - B(az) - f B(z) - (1 + f)
// B0). Positive: the case convicts a kernel that ignores epsilon.
double detection_margin(const Kernel<double>& kernel, const Case& c) {
  const Inputs<double> in(c);
  const auto z = in["z"];
  const double a = in.scalar("a");
  const double eps = in.eps();
  const auto scaled = z * a;
  if (eps == 0 || !(kernel.round(scaled) == scaled)) return -1;
  const double q = kernel.statistics(z, eps).variance;
  if (q == 0) return -1;
  const double f = a * std::sqrt((q + eps) / (a * a * q + eps));
  const auto without = kernel.statistics(z, 0);
  const auto bound_scaled = kernel.bound(scaled, eps);
  const auto bound = kernel.bound(z, eps);
  const auto bound_without = kernel.bound(z, 0);
  double margin = -1;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double room = bound_scaled[i] + f * bound[i] + (1 + f) * bound_without[i];
    if (std::isfinite(room)) margin = std::max(margin, std::fabs(1 - f) * std::fabs(without.core[i]) - room);
  }
  return margin;
}

TEST(ScaleDependence, EnoughCasesDetectAKernelThatIgnoresEpsilon) {
  const Property& property = *find_property("scale_dependence");
  const Subject reference = Subject::reference();
  const auto* kernel = std::get<const Kernel<double>*>(reference.kernel(Scalar::f32));
  std::size_t detecting = 0;
  std::map<std::string, std::size_t> by_family;
  for (std::uint64_t index = 0; index < default_cases(Scalar::f32); ++index) {
    const Case c = generate(property.info, Scalar::f32, {default_seed, index});
    if (detection_margin(*kernel, c) <= 0) continue;
    ++detecting;
    ++by_family[c.family];
  }
  RecordProperty("detecting", static_cast<int>(detecting));
  EXPECT_GE(detecting, 400U) << "of 2000";
  for (const std::string& family : property.info.required)
    EXPECT_GE(by_family[family], 60U) << "of 125 of the family " << family;
}

// What the criterion promises: a detecting case does convict, whatever else its
// kernel does.
TEST(ScaleDependence, EveryDetectingCaseConvictsAKernelThatIgnoresEpsilon) {
  const Property& property = *find_property("scale_dependence");
  const Subject subject = Subject::functions(faulty::functions<Fault::epsilon_ignored>(), "no epsilon");
  const AnyKernel any = subject.kernel(Scalar::f32);
  std::size_t detecting = 0;
  for (std::uint64_t index = 0; index < 600; ++index) {
    const Case c = generate(property.info, Scalar::f32, {default_seed + 5, index});
    if (detection_margin(*std::get<const Kernel<double>*>(any), c) <= 0) continue;
    ++detecting;
    EXPECT_TRUE(evaluate(property, any, c).falsified()) << index;
  }
  EXPECT_GT(detecting, 50U);
}

}  // namespace
}  // namespace lnverify
