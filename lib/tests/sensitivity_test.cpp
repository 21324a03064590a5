// Lipschitz constants, the sharper secant bound, and the convex potential whose gradient is the core.
#include <gtest/gtest.h>

#include <layer_norm/core.hpp>
#include <layer_norm/sensitivity.hpp>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

template <class T>
class Sensitivity : public ::testing::Test {};
TYPED_TEST_SUITE(Sensitivity, NumberTypes);

TYPED_TEST(Sensitivity, ConstantIsTheInverseRootOfEps) {
  using T = TypeParam;
  EXPECT_EQ(lipschitz_constant(T(0.0625)), T(4));
  EXPECT_EQ(lipschitz_constant(T(0.0625), Row<T>{T(1), T(-3)}), T(12));
  EXPECT_THROW(lipschitz_constant(T(-1)), std::invalid_argument);
}

TYPED_TEST(Sensitivity, SecantBoundInClosedForm) {
  using T = TypeParam;
  // variances 4 and 0, eps 0: sigma 2 and 0; |P(z - z')| = |(-2, 2, -2, 2)| = 4
  const Row<T> z{T(1), T(5), T(1), T(5)};
  EXPECT_EQ(secant_lipschitz_bound(z, Row<T>(4, T(9)), T(0)), T(4));
  EXPECT_EQ(secant_lipschitz_bound(z, z + T(8), T(1)), T(0));
  EXPECT_THROW(secant_lipschitz_bound(z, Row<T>(3), T(1)), std::invalid_argument);
}

TYPED_TEST(Sensitivity, BoundsTheMovementOfTheCore) {
  using T = TypeParam;
  using std::sqrt;
  Draw<T> draw(11);
  const T eps(0.25);
  const T room(1 + 0x1p-16);
  for (int k = 0; k < 50; ++k) {
    const Row<T> z = draw.row(6, -3, 3);
    const Row<T> other = draw.row(6, -3, 3);
    const T moved = sqrt(squared_norm(core(z, eps) - core(other, eps)));
    const T secant = secant_lipschitz_bound(z, other, eps);
    EXPECT_TRUE(moved <= secant * room) << moved << " > " << secant;
    EXPECT_TRUE(secant <= lipschitz_constant(eps) * T(sqrt(squared_norm(z - other))) * room);
  }
}

TYPED_TEST(Sensitivity, CoreIsTheGradientOfThePotential) {
  using T = TypeParam;
  using W = Wide<T>;
  EXPECT_EQ(potential(Row<T>{T(-1), T(1), T(-1), T(1)}, T(3)), T(8));
  const Row<W> z{W(1), W(-2), W(4)};
  const Row<W> u = core(z, W(0.5));
  const W h(0x1p-30);
  for (std::size_t i = 0; i < 3; ++i) {
    Row<W> up = z;
    Row<W> down = z;
    up[i] += h;
    down[i] -= h;
    const W slope = (potential(up, W(0.5)) - potential(down, W(0.5))) / (W(2) * h);
    EXPECT_TRUE(magnitude(W(slope - u[i])) < W(h * h * W(10)));
  }
}

}  // namespace
}  // namespace layer_norm::test
