// The contrast to layer normalization: the same formula over the batch axis mixes the cases.
#include <gtest/gtest.h>

#include <layer_norm/core.hpp>
#include <optional>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

template <class T>
class BatchAxis : public ::testing::Test {};
TYPED_TEST_SUITE(BatchAxis, NumberTypes);

template <class T>
Matrix<T> transposed(const Matrix<T>& m) {
  Matrix<T> result(m.cols(), m.rows());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) result(j, i) = m(i, j);
  return result;
}

template <class T>
Row<T> first_case(const Row<T>& companion, bool over_the_batch) {
  Matrix<T> z(2, 2);
  z.set_row(0, {T(2), T(6)});
  z.set_row(1, companion);
  if (over_the_batch) z = transposed(z);
  const Matrix<T> y = forward<T>(z, std::nullopt, std::nullopt, T(1));
  return over_the_batch ? y.column(0) : y.row(0);
}

TYPED_TEST(BatchAxis, BatchAxisMixesTheCases) {
  using T = TypeParam;
  const Row<T> near = {T(-100), T(100)};
  const Row<T> far = {T(1000), T(2000)};
  EXPECT_EQ(first_case(near, false), first_case(far, false));
  // beside (-100, 100) the first coordinate is the larger of its column, beside (1000, 2000) the smaller
  EXPECT_GT(first_case(near, true)[0], T(0.99));
  EXPECT_LT(first_case(far, true)[0], T(-0.99));
}

}  // namespace
}  // namespace layer_norm::test
