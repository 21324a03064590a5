// The recurrent cell: one step in closed form, and sequences that do not see each other.
#include <gtest/gtest.h>

#include <cmath>
#include <layer_norm/recurrent.hpp>
#include <random>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

template <class T>
class Recurrent : public ::testing::Test {};
TYPED_TEST_SUITE(Recurrent, NumberTypes);

template <class T>
Matrix<T> random_matrix(std::mt19937& generator, std::size_t rows, std::size_t cols) {
  Matrix<T> m(rows, cols);
  for (T& value : m.values()) value = T(static_cast<double>(generator() % 65) / 32 - 1);
  return m;
}

template <class T>
RecurrentCell<T> random_cell(std::mt19937& generator, std::size_t d, std::size_t n) {
  return {
      random_matrix<T>(generator, d, d), random_matrix<T>(generator, d, n),
      random_matrix<T>(generator, 1, d).values(), random_matrix<T>(generator, 1, d).values(), T(0.125)};
}

TYPED_TEST(Recurrent, OneStepInClosedForm) {
  using T = TypeParam;
  using std::tanh;
  const RecurrentCell<T> cell{
      Matrix<T>(2, 2, {T(1), T(0), T(0), T(1)}),
      Matrix<T>(2, 1, {T(0), T(4)}),
      {T(2), T(2)},
      {T(0), T(1)},
      T(0)};
  // a = (2, 6): u = (-1, 1)
  EXPECT_EQ(cell.summed({T(2), T(2)}, {T(1)}), (Row<T>{T(2), T(6)}));
  EXPECT_EQ(cell.step({T(2), T(2)}, {T(1)}), (Row<T>{T(tanh(T(-2))), T(tanh(T(3)))}));
}

TYPED_TEST(Recurrent, PrefixesAndCompanionsChangeNoBit) {
  using T = TypeParam;
  std::mt19937 generator(1);
  const auto cell = random_cell<T>(generator, 5, 3);
  const auto longest = random_matrix<T>(generator, 7, 3);
  const Matrix<T> first(4, 3, Row<T>(longest.values().begin(), longest.values().begin() + 12));
  const auto alone = run<T>(cell, {longest}).front();
  const auto batch = run<T>(cell, {random_matrix<T>(generator, 2, 3), longest, Matrix<T>(0, 3), first});
  EXPECT_EQ(batch[1], alone);
  EXPECT_EQ(batch[2].rows(), 0u);
  ASSERT_EQ(batch[3].rows(), 4u);
  for (std::size_t t = 0; t < 4; ++t) EXPECT_EQ(batch[3].row(t), alone.row(t));
}

TYPED_TEST(Recurrent, SizesMustFit) {
  using T = TypeParam;
  std::mt19937 generator(2);
  const auto cell = random_cell<T>(generator, 4, 3);
  EXPECT_THROW(run<T>(cell, {random_matrix<T>(generator, 2, 2)}), std::invalid_argument);
  EXPECT_THROW(cell.recentered(Row<T>(3), Row<T>(3)), std::invalid_argument);
}

}  // namespace
}  // namespace layer_norm::test
