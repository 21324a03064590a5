// The forward pass: accuracy, exact symmetries, the whole finite range, rows that are no numbers,
// preconditions.
#include <gtest/gtest.h>

#include <layer_norm/core.hpp>
#include <limits>
#include <string>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

template <class T>
void expect_promised_forward(
    const Row<T>& z, const std::optional<Row<T>>& gain, const std::optional<Row<T>>& bias, const T& eps) {
  using W = Wide<T>;
  const auto wide_gain = widened<W>(gain);
  const auto wide_bias = widened<W>(bias);
  const Row<W> exact = forward(widened<W>(z), wide_gain, wide_bias, W(eps));
  const Row<W> bound = forward_bound(
      statistics(widened<W>(z), W(eps)), wide_gain, wide_bias, precision<T>(), promised_count<T>(z.size()),
      Range::whole);
  expect_within(forward(z, gain, bias, eps), exact, bound);
}

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

template <class T>
class Core : public ::testing::Test {};
TYPED_TEST_SUITE(Core, NumberTypes);

TYPED_TEST(Core, IsWithinItsPromiseOnRandomRows) {
  using T = TypeParam;
  Draw<T> draw(1);
  for (const std::size_t d : {std::size_t(2), std::size_t(3), std::size_t(17), std::size_t(256)})
    for (int k = 0; k < 10; ++k) {
      const T offset = draw.value(0, 10);
      const Row<T> z = draw.row(d, -8, 2) + offset;
      expect_promised_forward<T>(z, std::nullopt, std::nullopt, T(1e-5));
      expect_promised_forward<T>(z, draw.row(d, -5, 5), draw.row(d, -5, 5), T(0));
    }
}

TYPED_TEST(Core, HasMeanZeroAndVarianceBelowOne) {
  using T = TypeParam;
  const Row<T> z = Draw<T>(2).row(16, -2, 2);
  const T q = variance(z);
  const Row<T> u = core(z, q);  // eps = q: the variance of the core is 1/2
  EXPECT_LT(magnitude(mean(u)), T(1e-6));
  EXPECT_LT(magnitude(T(variance(u) - T(0.5))), T(1e-6));
}

TYPED_TEST(Core, IsOddAndBlindToExactShiftsBitForBit) {
  using T = TypeParam;
  const Row<T> z{T(-3), T(0), T(5), T(17), T(2), T(2), T(9), T(-8)};
  const Row<T> u = core(z, T(0.25));
  EXPECT_EQ(core(-z, T(0.25)), -u);
  EXPECT_EQ(core(z + T(4096), T(0.25)), u);
  EXPECT_EQ(core(z - T(1000), T(0.25)), u);
}

TYPED_TEST(Core, ScalingByPowersOfTwoIsExactWhenEpsFollows) {
  using T = TypeParam;
  const Row<T> z = Draw<T>(4).row(13, -9, 9);
  const Row<T> gain = Draw<T>(5).row(13, -9, 9);
  for (const int k : {-20, -1, 1, 7, 20}) {
    const T a = static_cast<T>(std::ldexp(1.0, k));
    EXPECT_EQ(core(z * a, T(T(0.01) * a * a)), core(z, T(0.01)));
    EXPECT_EQ(forward(z * a, gain, z, T(0)), forward(z, gain, z, T(0)));
  }
}

TYPED_TEST(Core, StatisticsAgreeWithTheSingleFunctions) {
  using T = TypeParam;
  const Row<T> z = Draw<T>(6).row(9, -3, 3);
  const auto s = statistics(z, T(0.5));
  EXPECT_EQ(s.mean, mean(z));
  EXPECT_EQ(s.variance, variance(z));
  EXPECT_EQ(s.centered, centered(z));
  EXPECT_EQ(s.core, core(z, T(0.5)));
  EXPECT_EQ(s.max_abs, max_abs(z));
  EXPECT_LT(magnitude(T(s.sigma * s.sigma - s.variance - T(0.5))), T(1e-5));
}

TYPED_TEST(Core, RowsThatAreNoNumbersDoNotTouchOthers) {
  using T = TypeParam;
  const T nan(std::numeric_limits<double>::quiet_NaN());
  const T infinity(std::numeric_limits<double>::infinity());
  const Row<T> good{T(1), T(2), T(4)};
  Matrix<T> z(5, 3);
  z.set_row(0, good);
  z.set_row(1, {T(1), nan, T(2)});
  z.set_row(2, good);
  z.set_row(3, {T(1), T(-infinity), T(2)});
  z.set_row(4, Row<T>(3, T(7)));
  const Matrix<T> y = forward(z, std::nullopt, std::nullopt, T(0));
  EXPECT_EQ(y.row(0), core(good, T(0)));
  EXPECT_EQ(y.row(2), y.row(0));
  for (const std::size_t t : {std::size_t(1), std::size_t(3), std::size_t(4)}) expect_all_nan(y.row(t));
  expect_all_nan(statistics(z.row(1), T(1)).centered);
  EXPECT_EQ(statistics(z.row(4), T(0)).variance, T(0));
}

TYPED_TEST(Core, InfiniteGainsAndBiasesReachTheirColumnOnly) {
  using T = TypeParam;
  const T infinity(std::numeric_limits<double>::infinity());
  const Row<T> z{T(-1), T(1), T(-1), T(1)};
  EXPECT_EQ(
      forward(z, Row<T>{infinity, T(1), T(1), T(1)}, Row<T>{T(0), T(0), T(0), infinity}, T(0)),
      (Row<T>{T(-infinity), T(1), T(-1), infinity}));
}

TYPED_TEST(Core, NoRowsGiveNoRows) {
  using T = TypeParam;
  EXPECT_EQ(forward(Matrix<T>(0, 3), std::nullopt, std::nullopt, T(1)).rows(), 0U);
}

TYPED_TEST(Core, PreconditionsNameArgumentAndValue) {
  using T = TypeParam;
  const Row<T> z{T(1), T(2)};
  const T nan(std::numeric_limits<double>::quiet_NaN());
  const T infinity(std::numeric_limits<double>::infinity());
  EXPECT_EQ(message_of([&] { core(z, T(-0.5)); }), "eps must be finite and at least 0, not -0.5");
  EXPECT_EQ(message_of([&] { core(z, nan); }), "eps must be finite and at least 0, not nan");
  EXPECT_EQ(
      message_of([&] { forward(Matrix<T>(0, 2), std::nullopt, std::nullopt, infinity); }),
      "eps must be finite and at least 0, not inf");
  EXPECT_EQ(message_of([&] { core(Row<T>(), T(1)); }), "z must have at least one coordinate: d = 0");
  EXPECT_EQ(message_of([&] { mean(Row<T>()); }), "z must have at least one coordinate: d = 0");
  EXPECT_EQ(
      message_of([&] { forward(z, Row<T>(3), std::nullopt, T(1)); }), "gain must have 2 entries, not 3");
  EXPECT_EQ(
      message_of([&] { forward(Matrix<T>(1, 2), std::nullopt, Row<T>(1), T(1)); }),
      "bias must have 2 entries, not 1");
}

template <class T>
class WholeRange : public ::testing::Test {
 protected:
  static constexpr T largest = std::numeric_limits<T>::max();
  static constexpr T smallest = std::numeric_limits<T>::denorm_min();
  static constexpr T normal = std::numeric_limits<T>::min();
};
TYPED_TEST_SUITE(WholeRange, FloatingTypes);

TYPED_TEST(WholeRange, EveryFiniteRowIsNormalized) {
  using T = TypeParam;
  constexpr T F = TestFixture::largest;
  constexpr T s = TestFixture::smallest;
  constexpr T N = TestFixture::normal;
  const std::initializer_list<Row<T>> rows = {
      {F, -F},    {F, -F, F},   {F, F, std::nextafter(F, T(0))},    {s, 0, -s},     {s, 0, 0},
      {N, s, -N}, {F, s, N, 1}, {1, 1, std::nextafter(T(1), T(2))}, {T(0), T(0), F}};
  for (const Row<T>& z : rows)
    for (const T eps : {T(0), s, N, T(1e-5), T(1), F}) {
      expect_promised_forward<T>(z, std::nullopt, std::nullopt, eps);
      for (const T& x : core(z, eps)) EXPECT_TRUE(std::isfinite(x));
    }
  EXPECT_EQ(core(Row<T>{s, -s}, T(0)), (Row<T>{1, -1}));
  EXPECT_EQ(core(Row<T>{F, -F}, T(0)), (Row<T>{1, -1}));
}

TYPED_TEST(WholeRange, ExponentsFarApartStayWithinThePromise) {
  using T = TypeParam;
  Draw<T> draw(8);
  const int top = std::numeric_limits<T>::max_exponent - 1;
  for (int k = 0; k < 100; ++k) {
    const T eps = k % 3 == 0 ? T(0) : magnitude(draw.value(-top + 30, top));
    expect_promised_forward<T>(draw.row(9, -top + 30, top), draw.row(9, -40, 40), draw.row(9, -40, 40), eps);
  }
}

TYPED_TEST(WholeRange, HugeGainsAndBiasesMayCancel) {
  using T = TypeParam;
  constexpr T F = TestFixture::largest;
  const Row<T> y = forward(Row<T>{0, 0, 0, 0, 3}, Row<T>(5, F), Row<T>{F, F, F, F, -F}, T(0));
  EXPECT_EQ(y[0], F / 2);  // the core is (-1/2, ..., 2)
  EXPECT_EQ(y[4], F);
  EXPECT_EQ(
      forward(Row<T>{-1, 1}, Row<T>{F, F}, Row<T>{-F, F}, T(0)),
      (Row<T>{-std::numeric_limits<T>::infinity(), std::numeric_limits<T>::infinity()}));
}

TYPED_TEST(WholeRange, VarianceMayLeaveTheRangeAndTheCoreDoesNotMind) {
  using T = TypeParam;
  constexpr T F = TestFixture::largest;
  EXPECT_TRUE(std::isinf(variance(Row<T>{F, -F})));
  EXPECT_EQ(statistics(Row<T>{F, -F}, T(0)).sigma, F);
}

}  // namespace
}  // namespace layer_norm::test
