// A library that turns subnormal numbers off in the process that loads it: the process that judges is another
// one, and its cases, expectations and verdicts stay what they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "process.hpp"

namespace program_tests {
namespace {

using Json = nlohmann::json;

Json run(const std::string& library, std::vector<std::string> options) {
  const TemporaryFolder folder;
  const std::vector<std::string> all = {
      "run",
      "--kernel",
      faulty_library(library),
      "--jobs",
      "1",
      "--regressions",
      folder / "saved",
      "--json",
      folder / "results.json"};
  options.insert(options.begin(), all.begin(), all.end());
  const Outcome outcome = run_program(options);
  EXPECT_LE(outcome.status, 1) << outcome.err;
  return json_file(folder / "results.json");
}

// u(z), scaled so that nothing in it is subnormal.
std::vector<double> core(std::vector<double> z, double eps) {
  double largest = 0, mean = 0, squares = 0;
  for (const double x : z) largest = std::max(largest, std::fabs(x));
  const int exponent = std::ilogb(largest);
  for (double& x : z) mean += (x = std::ldexp(x, -exponent)) / static_cast<double>(z.size());
  for (double& x : z) squares += (x - mean) * (x - mean) / static_cast<double>(z.size());
  for (double& x : z) x = (x - mean) / std::sqrt(squares + std::ldexp(eps, -2 * exponent));
  return z;
}

void expect_lost_subnormals(const Json& result, double least_normal) {
  ASSERT_EQ(result["outcome"], "falsified");
  EXPECT_FALSE(result["counts"].get<bool>());
  const Json& minimal = result["minimal"];
  const std::vector<double> z = minimal["arrays"]["z"];
  bool any = false;
  for (const double x : z) any = any || (x != 0 && std::fabs(x) < 2 * std::sqrt(least_normal));
  EXPECT_TRUE(any) << "neither a number nor its square is subnormal in " << minimal["arrays"]["z"];
  const std::vector<double> expected = minimal["expected"];
  const std::vector<double> right = core(z, minimal["arrays"]["eps"][0]);
  ASSERT_EQ(expected.size(), right.size());
  for (std::size_t i = 0; i < right.size(); ++i)
    EXPECT_NEAR(expected[i], right[i], 1e-12 * (1 + std::fabs(right[i]))) << minimal;
}

TEST(FastMath, LacksSubnormalsAgainstRightExpectations) {
  const Json report = run("honest_fast_math", {"--property", "subnormal_inputs", "--scalar", "f32,f64"});
  ASSERT_EQ(report["results"].size(), 2U);
  for (const Json& result : report["results"])
    expect_lost_subnormals(result, result["scalar"] == "f32" ? 0x1p-126 : 0x1p-1022);
}

// What is generated and what is discarded does not depend on the kernel under test, as far as both are run to
// the end.
TEST(FastMath, ChangesNoCase) {
  const std::vector<std::string> options = {
      "--property", "subnormal_inputs,whole_range,accuracy", "--scalar", "f32"};
  const Json flushing = run("honest_fast_math", options);
  const Json keeping = run("honest_double", options);
  for (const char* property : {"subnormal_inputs", "whole_range", "accuracy"}) {
    const Json one = result_of(keeping, property);
    EXPECT_EQ(one["outcome"], "holds") << property;
    EXPECT_GT(one["families"]["subnormal"], 0);
    const Json other = result_of(flushing, property);
    if (other["outcome"] != "holds") continue;
    for (const char* count : {"cases", "discarded", "families"})
      EXPECT_EQ(one[count], other[count]) << property;
  }
}

// Rows of ordinary numbers are judged by the same limits: what falls short is the subnormal numbers alone.
TEST(FastMath, HoldsTheLawsOfOrdinaryNumbers) {
  const Json report = run(
      "honest_fast_math", {"--property", "memory,repeatability,constant_rows,no_blow_up", "--scalar", "f32"});
  for (const Json& result : report["results"]) EXPECT_EQ(result["outcome"], "holds") << result["property"];
}

}  // namespace
}  // namespace program_tests
