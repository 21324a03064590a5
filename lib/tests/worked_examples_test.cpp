// The worked examples V1 to V9, in every number type. Expected values are closed forms in a wider type, for
// the eps that the type really holds (1/3 is no binary number). Exact numbers are their own wider type, and
// equal to the closed forms, roots included.
#include <gtest/gtest.h>

#include <layer_norm/core.hpp>
#include <layer_norm/exact.hpp>
#include <layer_norm/jacobian.hpp>
#include <limits>
#include <type_traits>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

using AllTypes = ::testing::Types<float, double, mp50, mp100, exact>;

template <class T>
using Closed = std::conditional_t<std::is_same_v<T, exact>, exact, Wide<T>>;

template <class T>
class WorkedExamples : public ::testing::Test {
 protected:
  using Exact = Closed<T>;

  // Expects the core of z to be direction / sqrt(variance + eps).
  static void expect_core(const Row<T>& z, const T& eps, const Row<Exact>& direction, const Exact& variance) {
    const Row<Exact> expected = direction / Exact(sqrt(Exact(variance + Exact(eps))));
    if constexpr (std::is_same_v<T, exact>) {
      EXPECT_EQ(core(z, eps), expected);
    } else {
      const Row<Exact> bound = forward_bound(
          statistics(widened<Exact>(z), Exact(eps)), std::nullopt, std::nullopt, precision<T>(),
          promised_count<T>(z.size()), Range::stated);
      expect_within(core(z, eps), expected, bound);
    }
  }
  static Exact ratio(int a, int b) { return Exact(a) / Exact(b); }
  static T third() { return T(1) / T(3); }
};
TYPED_TEST_SUITE(WorkedExamples, AllTypes);

TYPED_TEST(WorkedExamples, V1TwoCoordinates) {
  using T = TypeParam;
  const Row<T> z{T(2), T(6)};
  EXPECT_EQ(mean(z), T(4));
  EXPECT_EQ(variance(z), T(4));
  TestFixture::expect_core(z, T(1), {-2, 2}, 4);
  const std::optional<Row<T>> ones = Row<T>(2, T(1));
  EXPECT_EQ(forward(z, ones, Row<T>(2), T(1)), core(z, T(1)));
}

TYPED_TEST(WorkedExamples, V2ThreeInARow) {
  using T = TypeParam;
  const Row<T> z{T(1), T(2), T(3)};
  EXPECT_EQ(mean(z), T(2));
  TestFixture::expect_core(z, this->third(), {-1, 0, 1}, this->ratio(2, 3));
  EXPECT_EQ(core(z, this->third())[1], T(0));
}

TYPED_TEST(WorkedExamples, V3CommonShiftIsRemovedBitForBit) {
  using T = TypeParam;
  const Row<T> unshifted = core(Row<T>{T(1), T(2), T(3)}, this->third());
  EXPECT_EQ(core(Row<T>{T(11), T(12), T(13)}, this->third()), unshifted);
  EXPECT_EQ(core(Row<T>{T(101), T(102), T(103)}, this->third()), unshifted);
}

TYPED_TEST(WorkedExamples, V4ScaleIsNotRemoved) {
  using T = TypeParam;
  const Row<T> z{T(2), T(4), T(6)};
  TestFixture::expect_core(z, this->third(), {-2, 0, 2}, this->ratio(8, 3));
  EXPECT_GT(core(z, this->third())[2], T(1.1));
}

TYPED_TEST(WorkedExamples, V5LargerEps) {
  using T = TypeParam;
  TestFixture::expect_core({T(1), T(2), T(3)}, T(4) / T(3), {-1, 0, 1}, this->ratio(2, 3));
}

TYPED_TEST(WorkedExamples, V6UnequalShiftIsNotRemoved) {
  using T = TypeParam;
  using W = Closed<T>;
  TestFixture::expect_core(
      {T(1), T(2), T(4)}, this->third(), {this->ratio(-4, 3), this->ratio(-1, 3), this->ratio(5, 3)},
      W(14) / W(9));
}

TYPED_TEST(WorkedExamples, V7SaturatesAtRootThreeHalves) {
  using T = TypeParam;
  using W = Closed<T>;
  const W asymptote = sqrt(W(this->ratio(3, 2)));
  for (const double t : {-1e6, -1.0, 0.5, 3.0, 1e6}) {
    const T x = static_cast<T>(t);
    const W exact_t(x);
    TestFixture::expect_core(
        {T(-x), T(0), x}, T(0.5), {W(-exact_t), W(0), exact_t}, W(W(2) * exact_t * exact_t / W(3)));
  }
  const W reached(core(Row<T>{T(-1e6), T(0), T(1e6)}, T(0.5))[2]);
  EXPECT_TRUE(reached > asymptote * W(1 - 1e-6) && reached < asymptote * W(1 + 1e-6));
}

// h'(t) = eps / (2 t^2 / 3 + eps)^(3/2): the slope along (-1, 0, 1).
TYPED_TEST(WorkedExamples, V7FlattensAwayFromZero) {
  using T = TypeParam;
  using W = Closed<T>;
  for (const double t : {0.0, 0.5, -2.0, 7.0}) {
    const T x = static_cast<T>(t);
    const W slope(jacobian_apply(Row<T>{T(-x), T(0), x}, T(0.25), Row<T>{T(-1), T(0), T(1)})[2]);
    const W square = W(2) * W(x) * W(x) / W(3) + W(0.25);
    const W expected = W(0.25) / (square * sqrt(square));
    if constexpr (std::is_same_v<T, exact>)
      EXPECT_EQ(slope, expected);
    else
      EXPECT_TRUE(magnitude(W(slope - expected)) <= W(1e-6) * expected) << slope << " for " << expected;
  }
}

TYPED_TEST(WorkedExamples, V8ConstantRowGivesTheBiasExactly) {
  using T = TypeParam;
  const T tenth = T(1) / T(10);
  for (const std::size_t d : {std::size_t(1), std::size_t(3), std::size_t(7), std::size_t(100)}) {
    const Row<T> z(d, tenth);
    const Row<T> bias = Draw<T>(3).row(d, -4, 4);
    EXPECT_EQ(variance(z), T(0));
    EXPECT_EQ(core(z, T(1e-5)), Row<T>(d));
    EXPECT_EQ(forward(z, Row<T>(d, T(3)), bias, T(1e-5)), bias);
  }
}

TYPED_TEST(WorkedExamples, V9OneCoordinate) {
  using T = TypeParam;
  EXPECT_EQ(core(Row<T>{T(-12345.5)}, T(1)), Row<T>{T(0)});
  EXPECT_EQ(forward(Row<T>{T(7)}, Row<T>{T(2)}, Row<T>{T(5)}, T(1)), Row<T>{T(5)});
}

}  // namespace
}  // namespace layer_norm::test
