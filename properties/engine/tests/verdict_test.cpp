// Verdict: comparisons hold up to and including their limit, name the worst
// coordinate, and never pass a NaN; of several verdicts the most serious
// counts.
#include "engine/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hand_made.hpp"
#include "layer_norm/scalar.hpp"

namespace lnverify {
namespace {

using hand_made::infinity;
using hand_made::nan;
using Row = layer_norm::Row<double>;
using Values = std::vector<double>;

template <class W>
class VerdictOf : public testing::Test {};
using WorkingTypes = testing::Types<double, layer_norm::mp50, layer_norm::mp100>;
TYPED_TEST_SUITE(VerdictOf, WorkingTypes);

TYPED_TEST(VerdictOf, WithinHoldsUpToTheLimitAndNotBeyond) {
  using R = layer_norm::Row<TypeParam>;
  const auto limit = R(std::size_t{2}, TypeParam(0.5));
  const Verdict at = within(R{TypeParam(1), TypeParam(2.5)}, R{TypeParam(1), TypeParam(2)}, limit);
  EXPECT_EQ(at.outcome, Outcome::holds);
  EXPECT_EQ(at.ratio, 1);
  const Verdict beyond = within(R{TypeParam(1), TypeParam(2.75)}, R{TypeParam(1), TypeParam(2)}, limit);
  EXPECT_TRUE(beyond.falsified());
  EXPECT_EQ(beyond.failure, Failure::wrong_value);
  EXPECT_EQ(beyond.what, "y[1]");
  EXPECT_EQ(beyond.ratio, 1.5);
  EXPECT_EQ(beyond.error, 0.75);
  EXPECT_EQ(beyond.limit, 0.5);
  EXPECT_EQ(beyond.expected, (Values{1, 2}));
  EXPECT_EQ(beyond.got, (Values{1, 2.75}));
}

TYPED_TEST(VerdictOf, ANanOrInfinityWhereANumberIsExpectedFalsifies) {
  using R = layer_norm::Row<TypeParam>;
  for (const double special : {nan, infinity, -infinity}) {
    const Verdict verdict = within(
        R{TypeParam(special), TypeParam(9)}, R{TypeParam(1), TypeParam(2)}, R{TypeParam(1), TypeParam(1)});
    EXPECT_EQ(verdict.failure, Failure::not_finite);
    EXPECT_EQ(verdict.what, "y[0]") << "a NaN outranks a wrong value";
    EXPECT_EQ(verdict.ratio, infinity);
  }
}

TEST(Within, NamesTheCoordinateWithTheLargestRatio) {
  const Verdict verdict = within(Row{1, 2, 3}, Row{0, 0, 0}, Row{1, 0.25, 1}, "dz");
  EXPECT_EQ(verdict.what, "dz[1]");
  EXPECT_EQ(verdict.ratio, 8);
}

TEST(Within, AnErrorWhereNoneIsAllowedHasAnInfiniteRatio) {
  EXPECT_EQ(within(Row{1}, Row{1}, Row{0}).outcome, Outcome::holds);
  const Verdict verdict = within(Row{std::nextafter(1.0, 2.0)}, Row{1}, Row{0});
  EXPECT_TRUE(verdict.falsified());
  EXPECT_EQ(verdict.ratio, infinity);
}

TEST(Within, CoordinatesWithoutALimitAreUndecided) {
  EXPECT_EQ(within(Row{nan, 1}, Row{0, 1}, Row{infinity, 1}).outcome, Outcome::holds);
  EXPECT_EQ(within(Row{nan, 1}, Row{0, 1}, Row{nan, 1}).outcome, Outcome::holds);
  EXPECT_TRUE(within(Row{nan, 9}, Row{0, 1}, Row{infinity, 1}).falsified());
  const Verdict nothing = within(Row{1, 2}, Row{9, 9}, Row{infinity, infinity});
  EXPECT_EQ(nothing.outcome, Outcome::discarded);
  EXPECT_EQ(nothing.what, "outside the range of the bound");
}

TEST(Within, ShowsTheSurroundingsOfACoordinateFarInside) {
  Row got(std::size_t{1000});
  got[700] = 5;
  const Verdict verdict = within(got, Row(std::size_t{1000}), Row(std::size_t{1000}, 1.0));
  EXPECT_EQ(verdict.what, "y[700]");
  ASSERT_LE(verdict.got.size(), 64U);
  EXPECT_EQ(*std::max_element(verdict.got.begin(), verdict.got.end()), 5);
}

TEST(Within, OfOneNumberNamesItWithoutAnIndex) {
  EXPECT_EQ(within(2.0, 1.0, 0.5, "the distance").what, "the distance");
  EXPECT_EQ(within(1.5, 1.0, 0.5, "the distance").outcome, Outcome::holds);
}

TEST(AtMost, HoldsUpToTheLimit) {
  EXPECT_EQ(at_most(2.0, 2.0, "x").outcome, Outcome::holds);
  EXPECT_EQ(at_most(1.0, 2.0, "x").ratio, 0.5);
  EXPECT_EQ(at_most(-1.0, 2.0, "x").ratio, 0);
  const Verdict verdict = at_most(3.0, 2.0, "x");
  EXPECT_EQ(verdict.failure, Failure::wrong_value);
  EXPECT_EQ(verdict.ratio, 1.5);
  EXPECT_EQ(verdict.expected, (Values{2}));
  EXPECT_EQ(verdict.got, (Values{3}));
}

TEST(AtMost, DoesNotPassANan) {
  EXPECT_EQ(at_most(nan, 2.0, "x").failure, Failure::not_finite);
  EXPECT_EQ(at_most(infinity, 2.0, "x").failure, Failure::not_finite);
  EXPECT_EQ(at_most(1.0, infinity, "x").outcome, Outcome::discarded);
  EXPECT_EQ(at_most(nan, nan, "x").outcome, Outcome::discarded);
}

TEST(Identical, ComparesNumbersNotBits) {
  EXPECT_EQ(identical(Row{0.0, 1}, Row{-0.0, 1}).outcome, Outcome::holds);
  EXPECT_EQ(identical(Row{nan, infinity}, Row{nan, infinity}).outcome, Outcome::holds);
  const Verdict verdict = identical(Row{1, std::nextafter(2.0, 3.0)}, Row{1, 2}, "dz");
  EXPECT_EQ(verdict.failure, Failure::wrong_value);
  EXPECT_EQ(verdict.what, "dz[1]");
  EXPECT_EQ(identical(Row{nan}, Row{1}).failure, Failure::not_finite);
  EXPECT_EQ(identical(Row{1}, Row{nan}).failure, Failure::wrong_value);
}

TEST(Worse, TheMoreSeriousVerdictCountsWhicheverComesFirst) {
  const std::vector<Verdict> by_severity = {
      discard("no"),
      holds(),
      falsified(Failure::wrong_value, ""),
      falsified(Failure::not_finite, ""),
      falsified(Failure::not_written, ""),
      falsified(Failure::scribbled, ""),
      falsified(Failure::out_of_bounds, ""),
      falsified(Failure::crashed, ""),
      falsified(Failure::hung, ""),
      falsified(Failure::failed, "")};
  for (std::size_t i = 1; i < by_severity.size(); ++i) {
    EXPECT_EQ(worse(by_severity[i - 1], by_severity[i]).failure, by_severity[i].failure);
    EXPECT_EQ(worse(by_severity[i], by_severity[i - 1]).failure, by_severity[i].failure);
    EXPECT_EQ(worse(by_severity[i], by_severity[i - 1]).outcome, by_severity[i].outcome);
  }
}

TEST(Worse, OfTwoOfOneKindTheLargerRatioSaysWhere) {
  Verdict small = falsified(Failure::wrong_value, "y[0]");
  small.ratio = 2;
  Verdict large = falsified(Failure::wrong_value, "y[1]");
  large.ratio = 3;
  for (const Verdict& both : {worse(small, large), worse(large, small)}) {
    EXPECT_EQ(both.what, "y[1]");
    EXPECT_EQ(both.ratio, 3);
  }
}

TYPED_TEST(VerdictOf, RowsOfDifferentSizesAreAFaultOfTheLaw) {
  using Vector = layer_norm::Row<TypeParam>;
  EXPECT_THROW(within(Vector{1}, Vector{1, 2}, Vector{1, 1}), std::invalid_argument);
  EXPECT_THROW(within(Vector{1, 2}, Vector{1, 2}, Vector{1}), std::invalid_argument);
  EXPECT_THROW(identical(Vector{1, 2}, Vector{1}), std::invalid_argument);
}

TEST(Worse, KeepsTheLargestRatiosOfBoth) {
  Verdict a = holds();
  a.ratio = 0.5;
  a.unit_ratio = 1;
  Verdict b = holds();
  b.ratio = 0.25;
  b.unit_ratio = 3;
  EXPECT_EQ(worse(a, b).ratio, 0.5);
  EXPECT_EQ(worse(b, a).ratio, 0.5);
  EXPECT_EQ(worse(a, b).unit_ratio, 3);
}

TEST(AllOf, IsDiscardedOnlyWhenAllAre) {
  EXPECT_EQ(all_of({}).outcome, Outcome::discarded);
  EXPECT_EQ(all_of({discard("a"), discard("b")}).outcome, Outcome::discarded);
  EXPECT_EQ(all_of({discard("a"), holds()}).outcome, Outcome::holds);
  EXPECT_EQ(all_of({holds(), discard("a")}).outcome, Outcome::holds);
  EXPECT_TRUE(all_of({holds(), falsified(Failure::wrong_value, "x"), discard("a")}).falsified());
}

TEST(Failure, EveryKindHasANameOfItsOwn) {
  EXPECT_EQ(name(Failure::wrong_value), "wrong-value");
  EXPECT_EQ(name(Failure::not_finite), "not-finite");
  EXPECT_EQ(name(Failure::not_written), "not-written");
  EXPECT_EQ(name(Failure::scribbled), "scribbled");
  EXPECT_EQ(name(Failure::out_of_bounds), "out-of-bounds");
  EXPECT_EQ(name(Failure::crashed), "crashed");
  EXPECT_EQ(name(Failure::hung), "hung");
  EXPECT_EQ(name(Failure::failed), "failed");
}

}  // namespace
}  // namespace lnverify
