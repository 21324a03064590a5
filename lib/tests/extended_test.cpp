// The twofold numbers that double rows are evaluated in: each operation against MPFR, at 100 bits and more.
#include <gtest/gtest.h>

#include <cmath>
#include <layer_norm/extended.hpp>
#include <limits>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

using detail::Twofold;

mp100 exact_value(const Twofold& x) { return mp100(x.hi) + mp100(x.lo); }

void expect_relative(const Twofold& got, const mp100& exact, const mp100& scale) {
  EXPECT_TRUE(magnitude(mp100(exact_value(got) - exact)) <= mp100(0x1p-100) * scale)
      << got.hi << " + " << got.lo;
  EXPECT_EQ(got.hi + got.lo, got.hi);
}

TEST(TwofoldNumbers, OperationsKeepAHundredBits) {
  Draw<double> draw(41);
  for (int k = 0; k < 1000; ++k) {
    const Twofold a = detail::two_sum(draw.value(-5, 5), draw.value(-60, -50));
    const Twofold b = detail::two_sum(draw.value(-5, 5), draw.value(-60, -50));
    const mp100 x = exact_value(a);
    const mp100 y = exact_value(b);
    const mp100 sizes = magnitude(x) + magnitude(y);
    expect_relative(a + b, x + y, sizes);
    expect_relative(a - b, x - y, sizes);
    expect_relative(a * b, x * y, magnitude(mp100(x * y)));
    expect_relative(a / b, x / y, magnitude(mp100(x / y)));
    const Twofold positive = a.hi < 0 ? -a : a;
    const mp100 root = sqrt(magnitude(x));
    expect_relative(sqrt(positive), root, root);
  }
}

TEST(TwofoldNumbers, SumsKeepWhatCancels) {
  detail::Sum<Twofold> sum;
  for (const double x : {0x1p60, 1.0, -0x1p60, 0x1p-40}) sum.add(Twofold(x));
  EXPECT_EQ(sum.total(), Twofold(1 + 0x1p-40));
}

TEST(TwofoldNumbers, AnInfiniteSumStaysInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  detail::Sum<Twofold> sum;
  for (const double x : {1.0, infinity, 2.0}) sum.add(Twofold(x));
  EXPECT_EQ(sum.total().value(), infinity);
  EXPECT_EQ(detail::narrow<double>(Twofold(0x1p1000), 100), infinity);
}

}  // namespace
}  // namespace layer_norm::test
