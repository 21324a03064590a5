// The backward pass: accuracy, its invariants, gradients by finite differences, range, and data that are no
// numbers.
#include <gtest/gtest.h>

#include <layer_norm/backward.hpp>
#include <layer_norm/core.hpp>
#include <limits>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

template <class T>
void expect_promised_backward(
    const Matrix<T>& z, const std::optional<Row<T>>& gain, const T& eps, const Matrix<T>& dy) {
  using W = Wide<T>;
  const auto wide_gain = widened<W>(gain);
  const Matrix<W> wide_z = widened<W>(z);
  const Matrix<W> wide_dy = widened<W>(dy);
  const Gradients<W> exact = backward(wide_z, wide_gain, W(eps), wide_dy);
  const auto bound = backward_bound(
      wide_z, wide_gain, W(eps), wide_dy, precision<T>(), promised_count<T>(z.cols()), Range::whole);
  const Gradients<T> got = backward(z, gain, eps, dy);
  expect_within(got.dz.values(), exact.dz.values(), bound.dz.values());
  expect_within(got.dgain, exact.dgain, bound.dgain);
  expect_within(got.dbias, exact.dbias, bound.dbias);
}

template <class T>
class Backward : public ::testing::Test {};
TYPED_TEST_SUITE(Backward, NumberTypes);

TYPED_TEST(Backward, InClosedForm) {
  using T = TypeParam;
  // q = 4, sigma = 2 (eps 0), u = (-1, 1, -1, 1); g = gain * dy = (4, 0, 0, 0), mean(g) = 1, mean(g u) = -1
  Matrix<T> z(2, 4);
  z.set_row(0, {T(1), T(5), T(1), T(5)});
  z.set_row(1, {T(5), T(1), T(5), T(1)});
  Matrix<T> dy(2, 4);
  dy.set_row(0, {T(2), T(0), T(0), T(0)});
  dy.set_row(1, {T(3), T(1), T(0), T(0)});
  const auto gradients = backward(z, Row<T>{T(2), T(0), T(7), T(7)}, T(0), dy);
  EXPECT_EQ(gradients.dz.row(0), (Row<T>{T(1), T(0), T(-1), T(0)}));
  EXPECT_EQ(gradients.dz.row(1), (Row<T>{T(1.5), T(0), T(-1.5), T(0)}));
  EXPECT_EQ(gradients.dgain, (Row<T>{T(1), T(-1), T(0), T(0)}));
  EXPECT_EQ(gradients.dbias, (Row<T>{T(5), T(1), T(0), T(0)}));
  EXPECT_EQ(backward_row(z.row(0), Row<T>{T(2), T(0), T(7), T(7)}, T(0), dy.row(0)), gradients.dz.row(0));
}

TYPED_TEST(Backward, IsWithinItsPromiseOnRandomRows) {
  using T = TypeParam;
  Draw<T> draw(21);
  for (const std::size_t d : {std::size_t(2), std::size_t(3), std::size_t(17), std::size_t(256)})
    for (int k = 0; k < 5; ++k) {
      Matrix<T> z(3, d, draw.row(3 * d, -6, 2));
      const Matrix<T> dy(3, d, draw.row(3 * d, -5, 5));
      z.set_row(1, z.row(1) + T(300));
      expect_promised_backward<T>(z, std::nullopt, T(1e-5), dy);
      expect_promised_backward<T>(z, draw.row(d, -5, 5), T(0), dy);
    }
}

TYPED_TEST(Backward, SumsToZeroAndKeepsTheRadialPart) {
  using T = TypeParam;
  const Row<T> z{T(1), T(-2), T(4), T(0)};
  const Row<T> dy{T(3), T(1), T(-1), T(2)};
  const Row<T> dz = backward_row(z, std::nullopt, T(0.5), dy);
  const auto s = statistics(z, T(0.5));
  EXPECT_LT(magnitude(sum(dz)), T(1e-6));
  const T radial = T(0.5) / (s.sigma * s.sigma * s.sigma) * dot(s.centered, dy);
  EXPECT_LT(magnitude(T(dot(s.centered, dz) - radial)), T(1e-6));
}

TYPED_TEST(Backward, AConstantGradientIsAnnihilated) {
  using T = TypeParam;
  const Row<T> z{T(1), T(-2), T(4), T(0)};
  for (const T& x : backward_row(z, std::nullopt, T(0.5), Row<T>(4, T(3)))) EXPECT_LT(magnitude(x), T(1e-6));
}

TYPED_TEST(Backward, IsTheGradientOfTheForwardPass) {
  using W = Wide<TypeParam>;
  const Row<W> z{W(1), W(-2), W(4), W(0.5)};
  const Row<W> gain{W(2), W(-1), W(0.5), W(3)};
  const Row<W> dy{W(3), W(1), W(-1), W(2)};
  const Row<W> dz = backward_row(z, gain, W(0.5), dy);
  const W h(0x1p-30);
  for (std::size_t i = 0; i < 4; ++i) {
    Row<W> up = z;
    Row<W> down = z;
    up[i] += h;
    down[i] -= h;
    const W slope = (dot(dy, forward(up, gain, std::nullopt, W(0.5))) -
                     dot(dy, forward(down, gain, std::nullopt, W(0.5)))) /
                    (W(2) * h);
    EXPECT_TRUE(magnitude(W(slope - dz[i])) < W(h * h * W(100)));
  }
}

TYPED_TEST(Backward, NoRowsGiveZeros) {
  using T = TypeParam;
  const auto gradients = backward(Matrix<T>(0, 3), std::nullopt, T(1), Matrix<T>(0, 3));
  EXPECT_EQ(gradients.dz.rows(), 0U);
  EXPECT_EQ(gradients.dgain, Row<T>(3));
  EXPECT_EQ(gradients.dbias, Row<T>(3));
}

TYPED_TEST(Backward, DataThatAreNoNumbersStayInTheirRow) {
  using T = TypeParam;
  const T nan(std::numeric_limits<double>::quiet_NaN());
  const T infinity(std::numeric_limits<double>::infinity());
  const Row<T> good{T(1), T(2), T(4)};
  const Row<T> dy{T(1), T(0), T(-1)};
  const Row<T> expected = backward_row(good, std::nullopt, T(0), dy);
  const Matrix<T> z(
      5, 3, {T(1), T(2), T(4), T(1), nan, T(2), T(1), T(2), T(4), T(1), T(2), T(4), T(3), T(3), T(3)});
  Matrix<T> gradient(5, 3);
  for (std::size_t t = 0; t < 5; ++t) gradient.set_row(t, dy);
  gradient(2, 0) = infinity;
  gradient(3, 1) = nan;
  const auto got = backward(z, std::nullopt, T(0), gradient);
  EXPECT_EQ(got.dz.row(0), expected);
  for (std::size_t t = 1; t < 5; ++t) expect_all_nan(got.dz.row(t));
  expect_all_nan(got.dgain);
  EXPECT_EQ(got.dbias[0], infinity);
  EXPECT_FALSE(got.dbias[1] == got.dbias[1]);
  EXPECT_EQ(got.dbias[2], T(-5));
}

TYPED_TEST(Backward, ChecksItsArguments) {
  using T = TypeParam;
  const Matrix<T> z(2, 3);
  EXPECT_THROW(backward(z, std::nullopt, T(1), Matrix<T>(1, 3)), std::invalid_argument);
  EXPECT_THROW(backward(z, std::nullopt, T(1), Matrix<T>(2, 2)), std::invalid_argument);
  EXPECT_THROW(backward(z, Row<T>(2), T(1), z), std::invalid_argument);
  EXPECT_THROW(backward(z, std::nullopt, T(-1), z), std::invalid_argument);
  EXPECT_THROW(backward(Matrix<T>(2, 0), std::nullopt, T(1), Matrix<T>(2, 0)), std::invalid_argument);
  EXPECT_THROW(backward_row(Row<T>(3), std::nullopt, T(1), Row<T>(2)), std::invalid_argument);
}

template <class T>
class BackwardRange : public ::testing::Test {};
TYPED_TEST_SUITE(BackwardRange, FloatingTypes);

TYPED_TEST(BackwardRange, ProductsAndSumsBeyondTheRangeMayStillHaveFiniteResults) {
  using T = TypeParam;
  const T huge = std::ldexp(T(1), std::numeric_limits<T>::max_exponent - 1);
  const Row<T> z{T(-huge), huge, T(-huge), huge};
  // g = huge^2 (1, 0, 0, 0), sigma = huge: dz = huge (1/2, 0, -1/2, 0)
  EXPECT_EQ(
      backward_row(z, Row<T>(4, huge), T(0), Row<T>{huge, 0, 0, 0}),
      (Row<T>{T(0.5) * huge, 0, T(-0.5) * huge, 0}));
  Matrix<T> rows(3, 2);
  Matrix<T> dy(3, 2);
  for (std::size_t t = 0; t < 3; ++t) {
    rows.set_row(t, {T(-1), T(1)});
    dy.set_row(t, Row<T>(2, t == 2 ? -huge : huge));
  }
  const auto gradients = backward(rows, std::nullopt, T(0), dy);
  EXPECT_EQ(gradients.dbias, Row<T>(2, huge));
  EXPECT_EQ(gradients.dgain, (Row<T>{-huge, huge}));
}

TYPED_TEST(BackwardRange, ExponentsFarApartStayWithinThePromise) {
  using T = TypeParam;
  Draw<T> draw(23);
  const int top = std::numeric_limits<T>::max_exponent / 3;
  for (int k = 0; k < 50; ++k)
    expect_promised_backward<T>(
        Matrix<T>(2, 5, draw.row(10, -top, top)), draw.row(5, -top / 2, top / 2),
        k % 3 == 0 ? T(0) : magnitude(draw.value(-top, top)),
        Matrix<T>(2, 5, draw.row(10, -top / 2, top / 2)));
}

}  // namespace
}  // namespace layer_norm::test
