// Scaling by powers of two agrees with the C library bit for bit: subnormal results, overflow, NaN and the
// sign of zero included.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <layer_norm/power_of_two.hpp>
#include <limits>
#include <random>

namespace layer_norm {
namespace {

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

TEST(PowerOfTwo, AgreesWithLdexpInEveryExponent) {
  for (int exponent = -2200; exponent <= 2200; ++exponent)
    EXPECT_EQ(bits(power_of_two(exponent)), bits(std::ldexp(1.0, exponent))) << exponent;
}

TEST(PowerOfTwo, ScalesAsLdexpDoes) {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 200000; ++i) {
    const auto x = std::bit_cast<double>(engine());
    const int exponent = static_cast<int>(engine() % 4401) - 2200;
    if (std::isnan(x)) continue;
    ASSERT_EQ(bits(scaled(x, exponent)), bits(std::ldexp(x, exponent))) << x << ' ' << exponent;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, -0.0, infinity, -infinity, 0x1p-1074, -0x1.fffffffffffffp1023})
    for (const int exponent : {-2000, -1023, -1022, -1, 0, 1, 1023, 1024, 2000})
      EXPECT_EQ(bits(scaled(x, exponent)), bits(std::ldexp(x, exponent))) << x << ' ' << exponent;
  EXPECT_TRUE(std::isnan(scaled(std::nan(""), 3)));
}

}  // namespace
}  // namespace layer_norm
