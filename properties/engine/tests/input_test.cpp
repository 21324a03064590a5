// Inputs: each kind of input keeps what its declaration promises, on every grid
// and for every family.
#include "engine/input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "engine/family.hpp"
#include "engine/inputs.hpp"

namespace lnverify {
namespace {

using Values = std::vector<double>;

Case empty_case(std::size_t rows, std::size_t d) {
  Case c;
  c.sizes = {{"rows", rows}, {"d", d}, {"n", 3}};
  return c;
}

// Draws the input for every scalar and family beside a first row of that
// family.
void for_draws(
    const Input& input, const std::function<void(const Values&, const Grid&, const Case&)>& check) {
  for (const Scalar scalar : all_scalars())
    for (const Family& family : families())
      for (std::uint64_t index = 0; index < 12; ++index) {
        const Grid grid = grid_of(scalar);
        Draw draw({21, index}, family.name, name(scalar));
        Case c = empty_case(1 + index % 3, std::size_t{1} << index % 4);
        c.arrays.push_back({"z", {"d"}, family.row(draw, grid, c.size("d"))});
        Values values = input.draw(draw, DrawContext{grid, family, c});
        c.arrays.push_back({input.name, input.axes, values, input.optional});
        ASSERT_EQ(values.size(), element_count(c, c.arrays.back())) << input.name;
        check(values, grid, c);
        ASSERT_FALSE(testing::Test::HasFailure()) << input.name << "/" << name(scalar) << "/" << family.name
                                                  << ": " << testing::PrintToString(values);
      }
}

TEST(Input, EveryKindFitsItsAxesAndStaysOnTheGrid) {
  const std::vector<Input> inputs = {
      row("z2"),       batch("z3"), gain(),         bias(),           gradient("dy"),       gradients("dys"),
      scalar("shift"), scale("a"),  direction("w"), vector("x", "n"), matrix("W", "d", "n")};
  for (const Input& input : inputs)
    for_draws(input, [](const Values& values, const Grid& grid, const Case&) {
      for (const double value : values) {
        EXPECT_TRUE(std::isfinite(value));
        EXPECT_EQ(grid.round(value), value);
      }
    });
}

TEST(Input, NamesAndAxesAreThoseAskedFor) {
  EXPECT_EQ(row("z").axes, (std::vector<std::string>{"d"}));
  EXPECT_EQ(batch("z").axes, (std::vector<std::string>{"rows", "d"}));
  EXPECT_EQ(matrix("W", "d", "n").axes, (std::vector<std::string>{"d", "n"}));
  EXPECT_EQ(epsilon().name, "eps");
  EXPECT_TRUE(epsilon().axes.empty());
  EXPECT_TRUE(gain().optional && bias().optional);
  EXPECT_FALSE(row("z").optional || epsilon().optional || gradients("dy").optional);
}

TEST(Input, EpsilonIsFiniteNotNegativeAndOnItsGrid) {
  for_draws(epsilon(), [](const Values& values, const Grid& grid, const Case&) {
    EXPECT_GE(values[0], 0);
    EXPECT_TRUE(std::isfinite(values[0]));
    EXPECT_EQ(grid.round_epsilon(values[0]), values[0]);
  });
}

// The share of draws in which epsilon / variance lies in [low, high].
double share_of_ratios(std::string_view family_name, double low, double high) {
  const Grid grid = grid_of(Scalar::f64);
  const Family& family = *find_family(family_name);
  int inside = 0;
  int all = 0;
  for (std::uint64_t index = 0; index < 400; ++index) {
    Draw draw({22, index}, family.name, "f64");
    Case c = empty_case(1, 8);
    c.arrays.push_back({"z", {"d"}, family.row(draw, grid, 8)});
    const double eps = epsilon().draw(draw, DrawContext{grid, family, c})[0];
    const double ratio = eps / approximate_variance(c.arrays[0].values);
    ++all;
    inside += ratio >= low && ratio <= high ? 1 : 0;
  }
  return static_cast<double>(inside) / all;
}

TEST(Input, EpsilonFollowsTheRuleOfTheFamily) {
  EXPECT_EQ(share_of_ratios("variance_near_epsilon", 0.25, 4), 1);
  EXPECT_GE(share_of_ratios("variance_near_epsilon", 1, 1), 0.4);
  EXPECT_EQ(share_of_ratios("variance_below_epsilon", 16, 0x1p20), 1);
  EXPECT_GE(share_of_ratios("gentle", 0.25, 4), 0.05) << "now and then in other families too";
  EXPECT_GE(share_of_ratios("gentle", 0, 0), 0.05) << "zero";
}

TEST(Input, ScalesArePowersOfTwoAndNeverOne) {
  std::set<double> seen;
  for_draws(scale("a"), [&](const Values& values, const Grid& grid, const Case&) {
    EXPECT_EQ(std::ldexp(1.0, std::ilogb(values[0])), values[0]);
    EXPECT_NE(values[0], 1);
    EXPECT_LE(std::abs(std::ilogb(values[0])), 12);
    if (grid.scalar == Scalar::f64) seen.insert(values[0]);
  });
  for (const double near : {0.25, 0.5, 2.0, 4.0}) EXPECT_EQ(seen.count(near), 1U) << near;
}

TEST(Input, DirectionsAreSmallIntegersAndNeverAllZero) {
  for_draws(direction("w"), [](const Values& values, const Grid&, const Case&) {
    EXPECT_TRUE(std::any_of(values.begin(), values.end(), [](double x) { return x != 0; }));
    for (const double value : values) {
      EXPECT_LE(std::fabs(value), 3);
      EXPECT_EQ(value, std::floor(value));
    }
  });
}

TEST(Input, ScalarsAreHardlyEverZeroAndReachFarBelowAndAboveTheRow) {
  double smallest = 1;
  double biggest = 1;
  int zeros = 0;
  for_draws(scalar("shift"), [&](const Values& values, const Grid&, const Case& c) {
    if (values[0] == 0) ++zeros;  // beside subnormal rows a smaller number may underflow
    if (values[0] == 0) return;
    double largest = 0;
    for (const double value : c.arrays[0].values) largest = std::max(largest, std::fabs(value));
    if (largest == 0) return;
    smallest = std::min(smallest, std::fabs(values[0]) / largest);
    biggest = std::max(biggest, std::fabs(values[0]) / largest);
  });
  EXPECT_LE(zeros, 12) << "of 1152";
  EXPECT_LT(smallest, 0.25);
  EXPECT_GT(biggest, 100);
}

// A coefficient read from a wrong place must show.
TEST(Input, GainsDifferFromCoordinateToCoordinate) {
  int different = 0;
  int all = 0;
  for_draws(gain(), [&](const Values& values, const Grid&, const Case&) {
    if (values.size() != 8) return;
    ++all;
    different += std::set<double>(values.begin(), values.end()).size() >= 3 ? 1 : 0;
  });
  EXPECT_GE(different, all * 9 / 10);
}

TEST(Input, GradientsAreSometimesConstantAndMostlyNot) {
  int constant = 0;
  int all = 0;
  for_draws(gradients("dy"), [&](const Values& values, const Grid&, const Case&) {
    if (values.size() < 4) return;
    ++all;
    constant += std::set<double>(values.begin(), values.end()).size() == 1 ? 1 : 0;
  });
  EXPECT_GE(constant, 1);
  EXPECT_LE(constant, all / 4);
}

TEST(Input, RowsOfABatchDiffer) {
  const Family& family = *find_family("gentle");
  const Grid grid = grid_of(Scalar::f32);
  for (std::uint64_t index = 0; index < 20; ++index) {
    Draw draw({23, index}, "batch", "f32");
    const Case c = empty_case(3, 8);
    const Values z = batch("z").draw(draw, DrawContext{grid, family, c});
    const std::set<Values> rows = {
        Values(z.begin(), z.begin() + 8), Values(z.begin() + 8, z.begin() + 16),
        Values(z.begin() + 16, z.end())};
    EXPECT_EQ(rows.size(), 3U);
  }
}

TEST(Inputs, ReadsArraysInTheWorkingType) {
  Case c = empty_case(2, 3);
  c.arrays = {
      {"z", {"rows", "d"}, {1, 2, 3, 4, 5, 6}},
      {"w", {"d"}, {7, 8, 9}},
      {"eps", {}, {0.5}},
      {"place", {}, {2.75}},
      {"negative", {}, {-3}},
      {"gain", {"d"}, {1, 1, 2}, true}};
  const Inputs<double> in(c);
  EXPECT_EQ(in.matrix("z")(1, 0), 4);
  EXPECT_EQ(in.matrix("w").rows(), 1U);
  EXPECT_EQ(in["w"], (layer_norm::Row<double>{7, 8, 9}));
  EXPECT_EQ(in.eps(), 0.5);
  EXPECT_EQ(in.index("place"), 2U);
  EXPECT_EQ(in.index("negative"), 0U);
  EXPECT_EQ((*in.gain())[2], 2);
  EXPECT_FALSE(in.bias());
  EXPECT_EQ(in.size("rows"), 2U);
}

TEST(Inputs, AMissingArrayIsNamed) {
  const Case c = empty_case(1, 1);
  try {
    Inputs<double>{c}["shift"];
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "the case has no array 'shift'");
  }
}

}  // namespace
}  // namespace lnverify
