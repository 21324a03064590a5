// The trait correctly_rounded: a kernel that rounds correctly has it, and one wrong bit in ten thousand
// results loses it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <layer_norm/correct_rounding.hpp>
#include <limits>
#include <stdexcept>

#include "engine/runner.hpp"

namespace lnverify {
namespace {

using layer_norm::Row;

// A row of floats widened to doubles, or the same number everywhere where the array is absent.
Row<double> widened(const float* values, std::size_t d, double otherwise) {
  return values == nullptr ? Row<double>(d, otherwise) : Row<double>(values, values + d);
}

// Every result is correctly rounded, then handed to `store` as a float.
int correctly_rounded(
    std::size_t rows, std::size_t d, const float* z, const float* gain, const float* bias, float eps,
    float* y, float (*store)(float)) {
  for (std::size_t t = 0; t < rows; ++t) {
    const layer_norm::RowOracle oracle(widened(z + t * d, d, 0), static_cast<double>(eps));
    const bool singular = oracle.variance(layer_norm::f64_format()) == 0 && eps == 0;
    const Row<double> exact =
        singular ? Row<double>(d, std::numeric_limits<double>::quiet_NaN())
                 : oracle.output(widened(gain, d, 1), widened(bias, d, 0), layer_norm::f32_format());
    for (std::size_t i = 0; i < d; ++i) y[t * d + i] = store(static_cast<float>(exact[i]));
  }
  return 0;
}

int honest(
    std::size_t rows, std::size_t d, const float* z, const float* gain, const float* bias, float eps,
    float* y) {
  return correctly_rounded(rows, d, z, gain, bias, eps, y, [](float x) { return x; });
}

// Every ten thousandth result becomes its neighbour.
float rarely_wrong(float x) {
  static std::size_t results = 0;
  return ++results % 10000 == 0 ? std::nextafter(x, std::numeric_limits<float>::infinity()) : x;
}
int off_by_one_ulp(
    std::size_t rows, std::size_t d, const float* z, const float* gain, const float* bias, float eps,
    float* y) {
  return correctly_rounded(rows, d, z, gain, bias, eps, y, rarely_wrong);
}

PropertyResult trait_of(decltype(&honest) forward, std::uint64_t seed) {
  const Property* property = find_property("correctly_rounded");
  if (property == nullptr) throw std::logic_error("there is no trait correctly_rounded");
  const Subject subject = Subject::functions({.forward_f32 = forward}, "under test");
  RunOptions options;
  options.seed = seed;
  options.shrink = false;
  return run_property(*property, subject, Scalar::f32, options);
}

TEST(CorrectlyRounded, IsHeldByAKernelThatRoundsOnce) {
  const PropertyResult result = trait_of(honest, default_seed);
  EXPECT_EQ(result.conclusion, Conclusion::holds)
      << result.reason << (result.minimal ? result.minimal->verdict.what : "");
  EXPECT_GT(result.decided, 1000u);
}

TEST(CorrectlyRounded, SeesOneUlpInTenThousandResults) {
  for (const std::uint64_t seed : {default_seed, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}}) {
    const PropertyResult result = trait_of(off_by_one_ulp, seed);
    EXPECT_EQ(result.conclusion, Conclusion::falsified) << "seed " << seed;
    EXPECT_LT(result.failures, 20u) << "the fault is not as rare as it is meant to be";
  }
}

}  // namespace
}  // namespace lnverify
