// Adam: its corrected averages, its memory, its blindness to scale, and its checks.
#include <gtest/gtest.h>

#include <layer_norm/adam.hpp>
#include <layer_norm/exact.hpp>
#include <limits>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

template <class T>
class AdamOf : public ::testing::Test {};
TYPED_TEST_SUITE(AdamOf, NumberTypes);

TYPED_TEST(AdamOf, FirstStepIsTheSignWithoutEta) {
  using T = TypeParam;
  Adam<T> adam(3, {.alpha = T(0.5), .beta1 = T(0.75), .beta2 = T(0.5), .eta = T(0)});
  EXPECT_EQ(adam.step(Row<T>{T(3), T(-7), T(0)}), (Row<T>{T(-0.5), T(0.5), T(0)}));
}

TYPED_TEST(AdamOf, AveragesAreCorrectedForTheZeroStart) {
  using T = TypeParam;
  Adam<T> adam(1, {.alpha = T(1), .beta1 = T(0.5), .beta2 = T(0.75), .eta = T(1)});
  adam.step(Row<T>{T(4)});
  EXPECT_EQ(adam.first()[0], T(2));
  EXPECT_EQ(adam.second()[0], T(4));
  EXPECT_EQ(adam.corrected_first()[0], T(4));
  EXPECT_EQ(adam.corrected_second()[0], T(16));
}

// The claim's own example, without rounding: the histories (1, 5) and (-1, 5).
TEST(Adam, HistoriesThatEndAlikeStepApart) {
  const AdamOptions<exact> options{
      .alpha = exact(1),
      .beta1 = exact(mpq_rational(9, 10)),
      .beta2 = exact(mpq_rational(99, 100)),
      .eta = exact(0)};
  Adam<exact> one(1, options);
  Adam<exact> other(1, options);
  one.step({exact(1)});
  other.step({exact(-1)});
  const exact after_one = one.step({exact(5)})[0];
  const exact after_other = other.step({exact(5)})[0];
  EXPECT_EQ(one.corrected_second()[0], other.corrected_second()[0]);
  EXPECT_EQ(one.corrected_first()[0], exact(mpq_rational(59, 19)));
  EXPECT_EQ(other.corrected_first()[0], exact(mpq_rational(41, 19)));
  EXPECT_LT(after_one, after_other);
}

TEST(Adam, ChecksItsArguments) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Adam<double>(1, {.alpha = 0}), std::invalid_argument);
  EXPECT_THROW(Adam<double>(1, {.beta1 = 1}), std::invalid_argument);
  EXPECT_THROW(Adam<double>(1, {.beta2 = -0.5}), std::invalid_argument);
  EXPECT_THROW(Adam<double>(1, {.eta = nan}), std::invalid_argument);
  Adam<double> adam(2);
  EXPECT_THROW(adam.step({1}), std::invalid_argument);
}

}  // namespace
}  // namespace layer_norm::test
