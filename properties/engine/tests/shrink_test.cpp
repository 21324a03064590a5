// Shrinking: every candidate is strictly simpler, on the grid and of the same
// shape of inputs, so every path ends; and the paths that readers hope for are
// there.
#include "engine/shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/generate.hpp"
#include "engine/runner.hpp"
#include "hand_made.hpp"

namespace lnverify {
namespace {

using hand_made::infinity;
using hand_made::nan;
using Values = std::vector<double>;
using hand_made::row_case;

std::vector<Case> candidates_of(const Case& c, Scalar scalar = Scalar::f32) {
  std::vector<Case> result;
  rc::Seq<Case> candidates = simpler_cases(c, grid_of(scalar));
  while (rc::Maybe<Case> candidate = candidates.next()) result.push_back(std::move(*candidate));
  return result;
}

bool offers(const Case& from, const Case& to) {
  const std::vector<Case> candidates = candidates_of(from);
  return std::find(candidates.begin(), candidates.end(), to) != candidates.end();
}

// The end of the path that takes the first candidate for which `fails`.
Case minimum(Case c, Scalar scalar, const std::function<bool(const Case&)>& fails) {
  for (int step = 0; step < 100000; ++step) {
    bool moved = false;
    rc::Seq<Case> candidates = simpler_cases(c, grid_of(scalar));
    while (rc::Maybe<Case> candidate = candidates.next())
      if (fails(*candidate)) {
        c = std::move(*candidate);
        moved = true;
        break;
      }
    if (!moved) return c;
  }
  ADD_FAILURE() << "the path does not end";
  return c;
}

const Array* same_array(const Case& c, const Array& array) {
  const Array* found = c.find(array.name);
  return found && found->axes == array.axes && found->optional == array.optional ? found : nullptr;
}

void check_candidate(const Case& from, const Case& to, Scalar scalar) {
  ASSERT_TRUE(can_represent(to, scalar));
  for (const auto& [axis, size] : from.sizes) {
    ASSERT_EQ(to.sizes.count(axis), 1U) << axis;
    ASSERT_GE(to.size(axis), 1U) << axis;
    ASSERT_LE(to.size(axis), size) << axis;
  }
  ASSERT_EQ(to.sizes.size(), from.sizes.size());
  for (const Array& array : from.arrays) ASSERT_TRUE(array.optional || same_array(to, array)) << array.name;
  for (const Array& array : to.arrays) {
    ASSERT_TRUE(same_array(from, array)) << array.name;
    ASSERT_EQ(array.values.size(), element_count(to, array)) << array.name;
  }
  const Array* eps = to.find("eps");
  ASSERT_TRUE(eps == nullptr || (std::isfinite(eps->values[0]) && eps->values[0] >= 0));
  ASSERT_EQ(to.family, from.family);
}

class ShrinkIn : public testing::TestWithParam<Scalar> {};
INSTANTIATE_TEST_SUITE_P(
    Shrink, ShrinkIn, testing::Values(Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::f64, Scalar::mp50),
    [](const auto& scalar) { return std::string(name(scalar.param)); });

TEST_P(ShrinkIn, EveryCandidateIsStrictlySimplerOnTheGridAndOfTheSameInputs) {
  for (const char* id : {"accuracy", "gradient_accuracy", "shift_invariance", "bias_shift"})
    for (std::uint64_t index = 0; index < 48; ++index) {
      const Case c = generate(find_property(id)->info, GetParam(), {17, index});
      if (c.elements() > 150) continue;
      const auto complexity_of_all = complexity(c);
      for (const Case& candidate : candidates_of(c, GetParam())) {
        ASSERT_LT(complexity(candidate), complexity_of_all);
        check_candidate(c, candidate, GetParam());
        ASSERT_FALSE(HasFailure()) << id << " 17:" << index;
      }
    }
}

TEST_P(ShrinkIn, FollowingFirstCandidatesEndsAtTheSimplestCaseOfAll) {
  for (std::uint64_t index = 0; index < 32; ++index) {
    const Case c = generate(find_property("accuracy")->info, GetParam(), {18, index});
    const Case end = minimum(c, GetParam(), [](const Case&) { return true; });
    EXPECT_EQ(end.size("d"), 1U);
    EXPECT_EQ(end.size("rows"), 1U);
    EXPECT_EQ(end.find("gain"), nullptr);
    EXPECT_EQ(end.find("z")->values, Values{0});
    EXPECT_EQ(end.find("eps")->values, Values{0});
    EXPECT_EQ(end.placement, Placement::end);
    EXPECT_TRUE(candidates_of(end, GetParam()).empty());
  }
}

// The last candidate is the timidest: the slowest path ends too.
TEST_P(ShrinkIn, FollowingLastCandidatesEnds) {
  Case c = generate(find_property("shift_invariance")->info, GetParam(), {19, 1});
  c = restricted(c, "d", [&] {
    std::vector<bool> keep(c.size("d"), false);
    keep[0] = true;
    keep[keep.size() / 2] = true;
    return keep;
  }());
  for (int step = 0;; ++step) {
    ASSERT_LT(step, 20000);
    std::vector<Case> candidates = candidates_of(c, GetParam());
    if (candidates.empty()) break;
    c = std::move(candidates.back());
  }
  EXPECT_EQ(c.elements(), 3U);
}

TEST(Shrink, ReachesTheSimplestCaseWithAPropertyWorthKeeping) {
  for (std::uint64_t index = 0; index < 64; ++index) {
    const Case c = generate(find_property("accuracy")->info, Scalar::f32, {20, index});
    const auto spread = [](const Case& from) {
      const Values& z = from.find("z")->values;
      return z.front() != z.back() && from.find("eps")->values[0] > 0;
    };
    if (!spread(c)) continue;
    const Case end = minimum(c, Scalar::f32, spread);
    EXPECT_EQ(end.find("z")->values.size(), 2U);
    EXPECT_EQ(complexity(end).values, 2U) << "0, 1 and eps = 1, from 20:" << index;
  }
}

TEST(Shrink, FindsThresholds) {
  const Case c = row_case({1234.5, -77, 3e7F});
  const Case end = minimum(c, Scalar::f32, [](const Case& from) {
    const Values& z = from.find("z")->values;
    return std::any_of(z.begin(), z.end(), [](double x) { return x > 100; });
  });
  EXPECT_EQ(end.find("z")->values, Values{128}) << "the simplest number above 100 is a power of two";
}

TEST(Shrink, RemovesIndicesFromEveryArrayOfAnAxis) {
  Case c = row_case({1, 2, 3, 4});
  c.arrays.push_back(hand_made::along("gain", "d", {5, 6, 7, 8}));
  Case to = row_case({3, 4});
  to.arrays.push_back(hand_made::along("gain", "d", {7, 8}));
  EXPECT_TRUE(offers(c, to));
}

TEST(Shrink, LeavesOutOptionalArraysOnly) {
  Case c = row_case({1, 2});
  c.arrays.push_back({"gain", {"d"}, {1, 1}, true});
  EXPECT_TRUE(offers(c, row_case({1, 2})));
  c.arrays.back().optional = false;
  EXPECT_FALSE(offers(c, row_case({1, 2})));
}

TEST(Shrink, MovesToASimplerPlacement) {
  Case c = row_case({1});
  c.placement = Placement::odd;
  EXPECT_TRUE(offers(c, row_case({1})));
}

TEST(Shrink, ScalesRowAndEpsilonTogether) {
  EXPECT_TRUE(offers(row_case({8, 16}, 64), row_case({0.5, 1}, 0.25)));
}

TEST(Shrink, RemovesACommonOffset) { EXPECT_TRUE(offers(row_case({1001, 1003}), row_case({0, 2}))); }

TEST(Shrink, SimplifiesSpecialValuesToo) {
  EXPECT_TRUE(offers(row_case({nan}), row_case({0})));
  EXPECT_TRUE(offers(row_case({-infinity}), row_case({infinity})));
}

TEST(Shrink, NeverMakesEpsilonNegative) {
  for (const Case& candidate : candidates_of(row_case({0}, 0.75)))
    EXPECT_GE(candidate.find("eps")->values[0], 0);
}

// 2049 in f16 would be 2048: a candidate off the grid must not be rounded, but
// left out.
TEST(Shrink, StaysOnANarrowGrid) {
  for (const Case& candidate : candidates_of(row_case({4096, 2050}), Scalar::f16))
    ASSERT_TRUE(can_represent(candidate, Scalar::f16)) << testing::PrintToString(candidate.find("z")->values);
}

// A long row has no steps for single values, yet is cut down.
TEST(Shrink, LongRowsAreCutBeforeSingleValuesAreTried) {
  const Case c = row_case(Values(4096, 3));
  EXPECT_LT(candidates_of(c).size(), 9000U);
  rc::Seq<Case> candidates = simpler_cases(c, grid_of(Scalar::f32));
  EXPECT_LE(candidates.next()->size("d"), 2048U);
}

TEST(Shrink, TheTreeIsTheSameCandidatesAgain) {
  const Case c = row_case({3, 5}, 1);
  const std::vector<Case> direct = candidates_of(c);
  rc::Seq<rc::Shrinkable<Case>> tree = shrinkable_case(c, grid_of(Scalar::f32)).shrinks();
  std::size_t count = 0;
  while (rc::Maybe<rc::Shrinkable<Case>> candidate = tree.next()) {
    ASSERT_LT(count, direct.size());
    EXPECT_EQ(candidate->value(), direct[count++]);
  }
  EXPECT_EQ(count, direct.size());
}

// A case that was saved for one kernel need not be minimal for the next.
int zero_unless_small(
    std::size_t rows, std::size_t d, const float* z, const float*, const float*, float, float* y) {
  for (std::size_t i = 0; i < rows * d; ++i) y[i] = z[i] <= 6 ? z[i] : 0;
  return 0;
}

PropertyResult replayed(const Case& c, const std::string& file) {
  const Property copies = hand_made::property(
      {.id = "copies", .claims = "T", .says = "the core is the row", .inputs = {row("z"), epsilon()}},
      [](const auto& kernel, const auto& in) { return identical(kernel.core(in["z"], in.eps()), in["z"]); });
  RunOptions options;
  options.cases = 0;
  return run_property(
      copies, hand_made::subject(zero_unless_small), Scalar::f32, options, {{c, {}, std::nullopt, file}});
}

TEST(SavedCase, IsShrunkLikeTheOthers) {
  const Case saved = row_case({7, 7.5, 9}, 0.5);
  const PropertyResult result = replayed(saved, "a.json");
  ASSERT_TRUE(result.minimal);
  EXPECT_EQ(result.minimal->input.size("d"), 1U);
  EXPECT_EQ(result.minimal->file, "a.json") << "where it comes from";
  EXPECT_EQ(result.regression, "") << "it is in no file yet";
  ASSERT_TRUE(result.worst);
  EXPECT_EQ(result.worst->input, saved);

  const PropertyResult second = replayed(result.minimal->input, "b.json");
  ASSERT_TRUE(second.minimal);
  EXPECT_EQ(second.minimal->input, result.minimal->input);
  EXPECT_EQ(second.regression, "b.json");
}

// Which does not equal itself.
TEST(SavedCase, WithANanIsTheOneInItsFile) {
  const PropertyResult first = replayed(row_case({nan}, 0), "a.json");
  ASSERT_TRUE(first.minimal);
  EXPECT_EQ(replayed(first.minimal->input, "b.json").regression, "b.json");
}

}  // namespace
}  // namespace lnverify
