// The Jacobian against its eigenstructure, its norm and finite differences; a wider type holds what is exact.
#include <gtest/gtest.h>

#include <layer_norm/core.hpp>
#include <layer_norm/jacobian.hpp>
#include <limits>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

template <class T>
T roundoff() {
  return static_cast<T>(precision<T>().compute.unit_roundoff);
}

template <class T>
void expect_near(const T& got, const T& expected, const T& tolerance) {
  EXPECT_TRUE(magnitude(T(got - expected)) <= tolerance) << got << " for " << expected << " +- " << tolerance;
}

template <class T>
void expect_near(const Row<T>& got, const Row<T>& expected, const T& tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) expect_near(got[i], expected[i], tolerance);
}

template <class T>
class Jacobian : public ::testing::Test {
 protected:
  const Row<T> z{T(3), T(-1), T(4), T(1), T(-7)};  // mean 0, so v = z and q = 76/5
  const Row<T> across{T(1), T(-1), T(-1), T(1), T(0)};
  const T eps = T(0.75);
};
TYPED_TEST_SUITE(Jacobian, NumberTypes);

TYPED_TEST(Jacobian, OfTwoCoordinatesInClosedForm) {
  using T = TypeParam;
  using std::sqrt;
  // z = (2, 6), eps = 1: sigma^2 = 5, J = (eps / sigma^3) (1/2, -1/2; -1/2, 1/2)
  const Matrix<T> j = jacobian(Row<T>{T(2), T(6)}, T(1));
  const T expected = T(1) / (T(10) * sqrt(T(5)));
  expect_near(j.row(0), {expected, T(-expected)}, T(roundoff<T>()));
  expect_near(j.row(1), {T(-expected), expected}, T(roundoff<T>()));
}

TYPED_TEST(Jacobian, HasItsThreeEigenspaces) {
  using T = TypeParam;
  const Matrix<T> j = jacobian(this->z, this->eps);
  const auto values = jacobian_eigenvalues(this->z, this->eps);
  const Row<T> v = centered(this->z);
  const T tolerance = T(40) * roundoff<T>();
  const T square = T(319) / T(20);  // sigma^2 = q + eps
  Row<T> w = this->across;
  w = w - v * T(dot(w, v) / squared_norm(v));
  EXPECT_EQ(values.common, T(0));
  expect_near(j * Row<T>(5, T(1)), Row<T>(5), tolerance);
  expect_near(j * v, v * values.radial, tolerance);
  expect_near(j * w, w * values.other, tolerance);
  expect_near(T(values.other * values.other * square), T(1), tolerance);
  expect_near(T(values.radial * square / values.other), this->eps, tolerance);
}

TYPED_TEST(Jacobian, IsSymmetricAndAppliedWithoutBeingFormed) {
  using T = TypeParam;
  const Matrix<T> j = jacobian(this->z, this->eps);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(j(i, k), j(k, i));
  expect_near(jacobian_apply(this->z, this->eps, this->across), j * this->across, T(T(20) * roundoff<T>()));
}

TYPED_TEST(Jacobian, ScaledFormIsRational) {
  using T = TypeParam;
  const Matrix<T> s = scaled_jacobian(Row<T>{T(-2), T(0), T(2), T(0)}, T(2));  // q = 2, sigma^2 = 4
  EXPECT_EQ(s.row(0), (Row<T>{T(2), T(-1), T(0), T(-1)}));
  EXPECT_EQ(s.row(1), (Row<T>{T(-1), T(3), T(-1), T(-1)}));
  EXPECT_EQ(s * Row<T>(4, T(1)), Row<T>(4));
  EXPECT_EQ(s * (Row<T>{T(-2), T(0), T(2), T(0)}), (Row<T>{T(-4), T(0), T(4), T(0)}));  // eps v
  EXPECT_EQ(s * (Row<T>{T(0), T(1), T(0), T(-1)}), (Row<T>{T(0), T(4), T(0), T(-4)}));  // sigma^2 w
  EXPECT_EQ(T(s(0, 0) + s(1, 1) + s(2, 2) + s(3, 3)), T(10));  // (d - 2) sigma^2 + eps
}

TYPED_TEST(Jacobian, NormDependsOnTheDimension) {
  using T = TypeParam;
  EXPECT_EQ(jacobian_norm(Row<T>{T(5)}, T(4)), T(0));
  EXPECT_EQ(jacobian_norm(Row<T>{T(5), T(5)}, T(4)), T(0.5));
  EXPECT_EQ(jacobian_norm(Row<T>{T(-1), T(1)}, T(3)), T(0.375));            // eps / sigma^3 = 3/8
  EXPECT_EQ(jacobian_norm(Row<T>{T(-2), T(0), T(2), T(0)}, T(2)), T(0.5));  // 1 / sigma
  EXPECT_EQ(jacobian_norm(Row<T>(7, T(3)), T(0.25)), T(2));                 // constant row: eps^(-1/2)
}

TYPED_TEST(Jacobian, AgreesWithCentralDifferences) {
  using W = Wide<TypeParam>;
  const Row<W> wide_z = widened<W>(this->z);
  const Row<W> w = widened<W>(this->across);
  const W wide_eps(this->eps);
  const W h(0x1p-20);
  const Row<W> difference =
      (core(Row<W>(wide_z + w * h), wide_eps) - core(Row<W>(wide_z - w * h), wide_eps)) / W(W(2) * h);
  const Row<W> error = difference - widened<W>(jacobian_apply(this->z, this->eps, this->across));
  const W norm = sqrt(squared_norm(w));  // w has mean 0
  const W truncation = h * h * norm * norm * norm / (W(10) * wide_eps * W(sqrt(wide_eps)));
  EXPECT_TRUE(W(sqrt(squared_norm(error))) <= truncation + W(20) * W(roundoff<TypeParam>()));
}

TYPED_TEST(Jacobian, IsNaNWhereTheCoreIs) {
  using T = TypeParam;
  expect_all_nan(jacobian(Row<T>{T(1), T(1)}, T(0)).values());
  expect_all_nan(
      jacobian_apply(Row<T>{T(1), T(std::numeric_limits<double>::infinity())}, T(1), Row<T>{T(1), T(0)}));
  const T norm = jacobian_norm(Row<T>{T(1), T(1)}, T(0));
  EXPECT_FALSE(norm == norm);
}

TYPED_TEST(Jacobian, ChecksItsArguments) {
  using T = TypeParam;
  EXPECT_THROW(jacobian(Row<T>(), T(1)), std::invalid_argument);
  EXPECT_THROW(jacobian_eigenvalues(this->z, T(-1)), std::invalid_argument);
  EXPECT_THROW(scaled_jacobian(this->z, T(-1)), std::invalid_argument);
  EXPECT_THROW(jacobian_apply(this->z, T(1), Row<T>(4)), std::invalid_argument);
}

template <class T>
class JacobianRange : public ::testing::Test {};
TYPED_TEST_SUITE(JacobianRange, FloatingTypes);

TYPED_TEST(JacobianRange, SquaresOfSigmaMayLeaveTheRange) {
  using T = TypeParam;
  const T huge = std::ldexp(T(1), std::numeric_limits<T>::max_exponent - 2);
  const Row<T> z{T(-huge), huge, T(-huge), huge};
  EXPECT_EQ(jacobian_norm(z, T(1)), T(1) / huge);
  EXPECT_EQ(jacobian(z, T(0)).row(0), (Row<T>{T(0.5) / huge, T(0), T(-0.5) / huge, T(0)}));
}

}  // namespace
}  // namespace layer_norm::test
