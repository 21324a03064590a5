// Storage formats: every bit pattern of f16 and bf16 against Eigen's types, and rounding against Eigen and
// the machine.
#include "layer_norm/storage.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "layer_norm/scalar.hpp"

namespace layer_norm {
namespace {

// Equal as numbers, with the sign of zero, and NaN equal to NaN.
bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

template <class EigenType>
void expect_all_patterns_agree(const Format& format) {
  for (std::uint32_t pattern = 0; pattern <= 0xFFFF; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    const double value = decode16(bits, format);
    const auto expected = static_cast<float>(std::bit_cast<EigenType>(bits));
    ASSERT_TRUE(same(value, static_cast<double>(expected)))
        << pattern << ": " << value << ", not " << expected;
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(decode16(encode16(value, format), format)));
    } else {
      ASSERT_EQ(encode16(value, format), bits) << value;
      ASSERT_TRUE(same(round_to(value, format), value)) << value;
    }
  }
}

TEST(Storage, EveryF16PatternAgreesWithEigen) { expect_all_patterns_agree<Eigen::half>(f16_format()); }
TEST(Storage, EveryBf16PatternAgreesWithEigen) { expect_all_patterns_agree<Eigen::bfloat16>(bf16_format()); }

TEST(Storage, NanIsTheQuietNanAndKeepsItsSign) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(encode16(nan, f16_format()), 0x7E00);
  EXPECT_EQ(encode16(-nan, f16_format()), 0xFE00);
  EXPECT_EQ(encode16(nan, bf16_format()), 0x7FC0);
  EXPECT_TRUE(std::signbit(decode16(0xFE00, f16_format())));
}

// Eigen rounds from float, so the arguments are floats: around every neighbouring pair of values the midpoint
// and the floats beside it.
template <class EigenType>
void expect_rounding_agrees(const Format& format) {
  for (std::uint32_t pattern = 0; pattern < 0x7FFF; ++pattern) {
    const double low = decode16(static_cast<std::uint16_t>(pattern), format);
    const double high = decode16(static_cast<std::uint16_t>(pattern + 1), format);
    if (!std::isfinite(high)) break;
    const auto middle = static_cast<float>(low + (high - low) / 2);
    for (const float x : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e38f), -middle}) {
      const auto expected = static_cast<double>(static_cast<float>(EigenType(x)));
      ASSERT_TRUE(same(round_to(static_cast<double>(x), format), expected)) << x;
    }
  }
}

TEST(Storage, RoundingToF16AgreesWithEigen) { expect_rounding_agrees<Eigen::half>(f16_format()); }
TEST(Storage, RoundingToBf16AgreesWithEigen) { expect_rounding_agrees<Eigen::bfloat16>(bf16_format()); }

// Doubles of every exponent that a float's rounding can see, and the exact ties between two floats.
TEST(Storage, RoundingToF32AgreesWithTheMachine) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300000; ++i) {
    const auto bits = static_cast<std::uint64_t>(random());
    const int exponent = static_cast<int>(bits % 300) - 160;
    double x = std::ldexp(1.0 + static_cast<double>(bits >> 11) * 0x1p-53, exponent);
    if (i % 3 == 0) x = std::ldexp(std::floor(std::ldexp(x, 24 - exponent)), exponent - 24);
    // The cast of a value beyond the largest float is undefined; beyond F + ulp/2 is tested below.
    if (x > static_cast<double>(std::numeric_limits<float>::max())) continue;
    ASSERT_TRUE(same(round_to(x, f32_format()), static_cast<double>(static_cast<float>(x)))) << x;
    ASSERT_TRUE(same(round_to(-x, f32_format()), static_cast<double>(static_cast<float>(-x)))) << -x;
  }
}

TEST(Storage, OverflowBeginsAtTheTieAboveTheLargest) {
  for (const Format& format : {f16_format(), bf16_format(), f32_format()}) {
    int exponent = 0;
    std::frexp(format.largest, &exponent);
    const double tie = std::ldexp(1.0 - std::ldexp(1.0, -format.digits - 1), exponent);
    EXPECT_EQ(round_to(std::nextafter(tie, 0.0), format), format.largest);
    EXPECT_EQ(round_to(tie, format), std::numeric_limits<double>::infinity());
    EXPECT_EQ(round_to(-tie, format), -std::numeric_limits<double>::infinity());
  }
}

TEST(Storage, TheSmallestSubnormalIsReachedFromAboveHalf) {
  for (const Format& format : {f16_format(), bf16_format(), f32_format()}) {
    const double half = format.min_subnormal / 2;
    EXPECT_TRUE(same(round_to(half, format), 0.0));
    EXPECT_TRUE(same(round_to(-half, format), -0.0));
    EXPECT_EQ(round_to(std::nextafter(half, 1.0), format), format.min_subnormal);
  }
}

TEST(Storage, WiderFormatsChangeNothing) {
  for (const double x :
       {0.1, -1e308, 5e-324, 0x1.fffffffffffffp-1023, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(round_to(x, f64_format()), x);
    EXPECT_EQ(round_to(x, mp50_format()), x);
    EXPECT_EQ(round_to(x, Format{}), x);
  }
  EXPECT_TRUE(std::isnan(round_to(std::numeric_limits<double>::quiet_NaN(), f16_format())));
}

}  // namespace
}  // namespace layer_norm
