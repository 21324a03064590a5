// The affine map before layer normalization, and the changes to it that the output cannot show.
#include <gtest/gtest.h>

#include <layer_norm/affine_map.hpp>
#include <layer_norm/core.hpp>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

template <class T>
class AffineMaps : public ::testing::Test {
 protected:
  const AffineMap<T> map{Matrix<T>(3, 2, {T(1), T(2), T(3), T(4), T(5), T(7)}), {T(1), T(0), T(-1)}};
  const Row<T> x{T(2), T(-1)};
  const T eps = T(0.5);
};
TYPED_TEST_SUITE(AffineMaps, NumberTypes);

TYPED_TEST(AffineMaps, ComputesWxPlusB) {
  using T = TypeParam;
  EXPECT_EQ(this->map(this->x), (Row<T>{T(1), T(2), T(2)}));
  EXPECT_THROW(this->map(Row<T>(3)), std::invalid_argument);
}

TYPED_TEST(AffineMaps, ShiftedBiasShiftsEveryOutputAlike) {
  using T = TypeParam;
  const auto shifted = this->map.shifted_bias(T(16));
  EXPECT_EQ(shifted(this->x), (Row<T>{T(17), T(18), T(18)}));
  EXPECT_EQ(core(shifted(this->x), this->eps), core(this->map(this->x), this->eps));
}

TYPED_TEST(AffineMaps, RecenteredShiftsByAnAmountThatDependsOnTheInput) {
  using T = TypeParam;
  const auto recentered = this->map.recentered({T(8), T(4)});
  EXPECT_EQ(recentered(this->x), (Row<T>{T(13), T(14), T(14)}));
  EXPECT_EQ(recentered({T(1), T(1)}), this->map({T(1), T(1)}) + T(12));
  EXPECT_EQ(core(recentered(this->x), this->eps), core(this->map(this->x), this->eps));
  EXPECT_THROW(this->map.recentered(Row<T>(3)), std::invalid_argument);
}

TYPED_TEST(AffineMaps, AnUnequalShiftIsSeen) {
  using T = TypeParam;
  // W (1, 1) = (3, 7, 12) is no common shift
  const Row<T> moved = this->map(this->x + T(1));
  EXPECT_NE(core(moved, this->eps), core(this->map(this->x), this->eps));
}

}  // namespace
}  // namespace layer_norm::test
