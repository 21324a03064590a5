// Case: named arrays whose sizes belong to axes; restricting an axis cuts every
// array that has it, and the order by complexity is the one that shrinking
// descends.
#include "engine/case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hand_made.hpp"

namespace lnverify {
namespace {

using hand_made::infinity;
using Values = std::vector<double>;
using hand_made::along;

Case two_by_three() {
  Case c;
  c.sizes = {{"rows", 2}, {"d", 3}};
  c.arrays = {
      {"z", {"rows", "d"}, {1, 2, 3, 4, 5, 6}},
      {"W", {"d", "rows"}, {10, 20, 30, 40, 50, 60}},
      along("gain", "d", {7, 8, 9}),
      hand_made::number("eps", 0.5)};
  return c;
}

TEST(Case, FindsArraysByName) {
  Case c = two_by_three();
  EXPECT_EQ(c.find("gain")->values, (Values{7, 8, 9}));
  EXPECT_EQ(c.find("bias"), nullptr);
  c.find("gain")->values[0] = 1;
  EXPECT_EQ(c.arrays[2].values[0], 1);
}

TEST(Case, CountsElements) {
  const Case c = two_by_three();
  EXPECT_EQ(element_count(c, *c.find("z")), 6U);
  EXPECT_EQ(element_count(c, *c.find("gain")), 3U);
  EXPECT_EQ(element_count(c, *c.find("eps")), 1U);
  EXPECT_EQ(c.elements(), 6U + 6U + 3U + 1U);
}

TEST(Case, RestrictingAnAxisCutsEveryArrayThatHasIt) {
  const Case c = restricted(two_by_three(), "d", {true, false, true});
  EXPECT_EQ(c.size("d"), 2U);
  EXPECT_EQ(c.size("rows"), 2U);
  EXPECT_EQ(c.find("z")->values, (Values{1, 3, 4, 6}));
  EXPECT_EQ(c.find("W")->values, (Values{10, 20, 50, 60}));
  EXPECT_EQ(c.find("gain")->values, (Values{7, 9}));
  EXPECT_EQ(c.find("eps")->values, (Values{0.5}));
}

TEST(Case, RestrictingTheOuterAxisRemovesWholeRows) {
  const Case c = restricted(two_by_three(), "rows", {false, true});
  EXPECT_EQ(c.find("z")->values, (Values{4, 5, 6}));
  EXPECT_EQ(c.find("W")->values, (Values{20, 40, 60}));
  EXPECT_EQ(c.find("gain")->values, (Values{7, 8, 9}));
}

TEST(Case, EqualityIgnoresWhereACaseCameFrom) {
  const Case a = two_by_three();
  Case b = a;
  b.family = "gentle";
  EXPECT_EQ(a, b);
  b.placement = Placement::odd;
  EXPECT_NE(a, b);
  b = a;
  b.arrays[0].values[5] = 0;
  EXPECT_NE(a, b);
}

TEST(Complexity, OrdersNumbersAsAReaderWould) {
  const Values simplest_first = {
      0, 1, -1, 2, 0.5, 4, 0.25, 3, -3, 5, 1.0 + std::ldexp(1, -23), 0.1, infinity, -infinity, std::nan("")};
  for (std::size_t i = 1; i < simplest_first.size(); ++i)
    EXPECT_LT(complexity(simplest_first[i - 1]), complexity(simplest_first[i]))
        << simplest_first[i - 1] << " before " << simplest_first[i];
  EXPECT_EQ(complexity(-0.0), 0U);
}

TEST(Complexity, OfEveryFiniteNumberIsBelowTheSpecialOnes) {
  for (const double extreme :
       {std::numeric_limits<double>::max(), -std::numeric_limits<double>::max(),
        std::numeric_limits<double>::denorm_min(), -std::nextafter(std::numeric_limits<double>::min(), 0.0)})
    EXPECT_LT(complexity(extreme), complexity(infinity)) << extreme;
}

TEST(Complexity, CountsElementsBeforeArraysBeforeValuesBeforePlacement) {
  const Case small = hand_made::row_case({1, 2});
  Case longer = hand_made::row_case({0, 0, 0});
  EXPECT_LT(complexity(small), complexity(longer));

  Case fewer_arrays = hand_made::row_case({9, 9, 9});
  Case more_arrays = small;
  more_arrays.arrays.push_back(hand_made::number("eps", 0));
  EXPECT_LT(complexity(fewer_arrays), complexity(more_arrays));

  Case moved = small;
  moved.placement = Placement::odd;
  EXPECT_LT(complexity(small), complexity(moved));
  EXPECT_LT(complexity(moved), complexity(hand_made::row_case({1, 3})));
}

}  // namespace
}  // namespace lnverify
