// Families: every row lies on the grid of its scalar and is of the kind that
// its family promises.
#include "engine/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>

namespace lnverify {
namespace {

using Values = std::vector<double>;

// Calls check(row, grid) for many rows of a family, of every scalar and many
// lengths.
void for_rows(std::string_view family, const std::function<void(const Values&, const Grid&)>& check) {
  const Family* found = find_family(family);
  ASSERT_NE(found, nullptr) << family;
  for (const Scalar scalar : all_scalars()) {
    const Grid grid = grid_of(scalar);
    for (const std::size_t d : {1U, 2U, 3U, 4U, 8U, 17U, 64U, 256U})
      for (std::uint64_t index = 0; index < 20; ++index) {
        if (found->power_of_two_d && d == 17) continue;
        if (found->power_of_two_d && d == 3) continue;
        Draw draw({11, index}, family, name(scalar));
        const Values z = found->row(draw, grid, d);
        ASSERT_EQ(z.size(), d) << family;
        check(z, grid);
        ASSERT_FALSE(testing::Test::HasFailure()) << family << "/" << name(scalar) << " d = " << d
                                                  << ", draw " << index << ": " << testing::PrintToString(z);
      }
  }
}

std::size_t distinct(const Values& z) { return std::set<double>(z.begin(), z.end()).size(); }
double largest(const Values& z) {
  double result = 0;
  for (const double value : z) result = std::max(result, std::fabs(value));
  return result;
}

class EveryFamily : public testing::TestWithParam<std::size_t> {
 protected:
  const Family& family() const { return families()[GetParam()]; }
};
INSTANTIATE_TEST_SUITE_P(
    Family, EveryFamily, testing::Range(std::size_t{0}, families().size()),
    [](const auto& index) { return std::string(families()[index.param].name); });

TEST_P(EveryFamily, StaysOnTheGridAndIsFinite) {
  for_rows(family().name, [](const Values& z, const Grid& grid) {
    for (const double value : z) {
      EXPECT_TRUE(std::isfinite(value)) << value;
      EXPECT_EQ(grid.round(value), value);
    }
  });
}

TEST_P(EveryFamily, GivesTheSameRowForTheSameDraw) {
  const Grid grid = grid_of(Scalar::f32);
  Draw first({5, 5}, "p", "f32");
  Draw second({5, 5}, "p", "f32");
  EXPECT_EQ(family().row(first, grid, 9), family().row(second, grid, 9));
}

TEST_P(EveryFamily, GivesManyDifferentRows) {
  const Grid grid = grid_of(Scalar::f32);
  std::set<Values> rows;
  for (std::uint64_t index = 0; index < 50; ++index) {
    Draw draw({5, index}, "p", "f32");
    rows.insert(family().row(draw, grid, 8));
  }
  EXPECT_GE(rows.size(), 20U);
}

TEST(Family, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const Family& family : families()) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    EXPECT_EQ(find_family(family.name), &family);
    EXPECT_FALSE(family.says.empty());
  }
  EXPECT_EQ(find_family("no such family"), nullptr);
}

TEST(Family, IntegersAreSmallIntegers) {
  for_rows("integers", [](const Values& z, const Grid&) {
    EXPECT_LE(largest(z), 10);
    for (const double value : z) EXPECT_EQ(value, std::floor(value));
  });
}

TEST(Family, ConstantRowsAreConstant) {
  for_rows("constant", [](const Values& z, const Grid&) { EXPECT_EQ(distinct(z), 1U); });
}

TEST(Family, RowsOneUlpApartHoldTwoNeighboursAtMost) {
  for_rows("one_ulp_apart", [](const Values& z, const Grid& grid) {
    EXPECT_LE(distinct(z), 2U);
    const auto [low, high] = std::minmax_element(z.begin(), z.end());
    if (*low == *high) return;
    const double middle = *low + (*high - *low) / 2;
    EXPECT_TRUE(grid.round(middle) == *low || grid.round(middle) == *high) << "there is a number in between";
  });
}

// A sum of at most 2^20 lattice units is exact in every format wide enough to
// hold it.
TEST(Family, LatticeRowsHaveASumDivisibleByTheirLength) {
  std::size_t divisible = 0;
  std::size_t all = 0;
  for_rows("lattice", [&](const Values& z, const Grid&) {
    double unit = 1;
    while (std::any_of(z.begin(), z.end(), [&](double x) { return x / unit != std::floor(x / unit); }))
      unit /= 2;
    double sum = 0;
    for (const double value : z) sum += value / unit;
    ++all;
    divisible += std::fmod(sum, static_cast<double>(z.size())) == 0 ? 1 : 0;
  });
  EXPECT_GE(divisible, all * 9 / 10) << "the narrow formats may lack the last value, no others";
}

TEST(Family, OneHotRowsDifferInOneCoordinate) {
  for_rows("one_hot", [](const Values& z, const Grid&) {
    EXPECT_LE(distinct(z), 2U);
    if (z.size() < 3) return;
    const auto rare = std::min(
        std::count(z.begin(), z.end(), z[0]),
        static_cast<std::ptrdiff_t>(z.size()) - std::count(z.begin(), z.end(), z[0]));
    EXPECT_LE(rare, 1);
  });
}

TEST(Family, AlternatingRowsHaveOneMagnitude) {
  for_rows("alternating", [](const Values& z, const Grid&) {
    const double size = largest(z);
    EXPECT_LE(std::count_if(z.begin(), z.end(), [&](double x) { return std::fabs(x) != size; }), 1);
    for (std::size_t i = 1; i < z.size(); ++i) EXPECT_LE(z[i] * z[i - 1], 0);
  });
}

TEST(Family, ProgressionsAreMonotone) {
  for_rows("progression", [](const Values& z, const Grid&) {
    EXPECT_TRUE(std::is_sorted(z.begin(), z.end()) || std::is_sorted(z.rbegin(), z.rend()));
  });
}

TEST(Family, RepeatedRowsHoldThreeValuesAtMost) {
  for_rows("repeated", [](const Values& z, const Grid&) { EXPECT_LE(distinct(z), 3U); });
}

TEST(Family, LargeOffsetsHaveASpreadFarBelowTheOffset) {
  const Grid grid = grid_of(Scalar::f32);
  std::size_t cancelling = 0;
  for (std::uint64_t index = 0; index < 200; ++index) {
    Draw draw({3, index}, "large_offset", "f32");
    const Values z = find_family("large_offset")->row(draw, grid, 16);
    const double spread = *std::max_element(z.begin(), z.end()) - *std::min_element(z.begin(), z.end());
    cancelling += largest(z) > 1000 * spread && spread > 0 ? 1 : 0;
  }
  EXPECT_GE(cancelling, 50U) << "of 200 rows";
}

TEST(Family, NearOverflowIsNearOverflow) {
  for_rows("near_overflow", [](const Values& z, const Grid& grid) {
    EXPECT_GE(largest(z), grid.values.largest / 32);
  });
}

TEST(Family, SubnormalRowsReachSubnormalNumbers) {
  for (const Scalar scalar : {Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::f64}) {
    const Grid grid = grid_of(scalar);
    std::size_t subnormal = 0;
    for (std::uint64_t index = 0; index < 50; ++index) {
      Draw draw({3, index}, "subnormal", name(scalar));
      for (const double value : find_family("subnormal")->row(draw, grid, 8))
        subnormal += value != 0 && std::fabs(value) < grid.values.min_normal ? 1 : 0;
    }
    EXPECT_GE(subnormal, 100U) << "of 400 values of " << name(scalar);
  }
}

// Squares of such values over- and underflow in the format.
TEST(Family, WideExponentsReachBothEndsOfTheRangeOfSquares) {
  const Grid grid = grid_of(Scalar::f32);
  double smallest = 1;
  double biggest = 1;
  for (std::uint64_t index = 0; index < 50; ++index) {
    Draw draw({3, index}, "wide_exponents", "f32");
    for (const double value : find_family("wide_exponents")->row(draw, grid, 16))
      if (value != 0) {
        smallest = std::min(smallest, std::fabs(value));
        biggest = std::max(biggest, std::fabs(value));
      }
  }
  EXPECT_LE(smallest, 0x1p-55);
  EXPECT_GE(biggest, 0x1p55);
}

TEST(ApproximateVariance, IsTheVarianceWithDivisorD) {
  EXPECT_DOUBLE_EQ(approximate_variance({1, 2, 3}), 2.0 / 3);
  EXPECT_EQ(approximate_variance({2, 6}), 4);
  EXPECT_EQ(approximate_variance({5}), 0);
}

}  // namespace
}  // namespace lnverify
