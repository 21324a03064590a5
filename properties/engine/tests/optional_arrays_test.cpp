// A kernel without gain and bias is tested without them, in every case and not only where none was drawn.
#include <gtest/gtest.h>

#include "engine/reference_kernel.hpp"
#include "engine/runner.hpp"

namespace lnverify {
namespace {

int core_only(
    std::size_t rows, std::size_t d, const float* z, const float* gain, const float* bias, float eps,
    float* y) {
  if (gain != nullptr || bias != nullptr) return 1;
  return reference_functions().forward_f32(rows, d, z, nullptr, nullptr, eps, y);
}

TEST(OptionalArrays, AreLeftOutForAKernelThatRefusesThem) {
  KernelFunctions functions;
  functions.forward_f32 = core_only;
  RunOptions options;
  options.cases = 320;
  const PropertyResult result = run_property(
      *find_property("memory"), Subject::functions(functions, "core only"), Scalar::f32, options);
  EXPECT_EQ(result.conclusion, Conclusion::holds) << result.reason;
  EXPECT_EQ(result.decided, 320U);
}

}  // namespace
}  // namespace lnverify
