// Draw: every case has a stream of its own, the same everywhere, and each kind
// of draw stays in its range and reaches all of it.
#include "engine/draw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "layer_norm/storage.hpp"

namespace lnverify {
namespace {

using Bits = std::vector<std::uint64_t>;

Bits first_bits(const CaseKey& key, const std::string& property = "p", const std::string& scalar = "f32") {
  Draw draw(key, property, scalar);
  Bits bits(8);
  for (std::uint64_t& value : bits) value = draw.bits();
  return bits;
}

TEST(Draw, StableHashIsFnv1a) {
  EXPECT_EQ(stable_hash(""), 0xcbf29ce484222325U);
  EXPECT_EQ(stable_hash("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(stable_hash("foobar"), 0x85944171f73967e8U);
}

TEST(Draw, AKeyIsWrittenAsSeedColonIndex) {
  EXPECT_EQ(to_string(CaseKey{42, 7}), "42:7");
  EXPECT_EQ(to_string(CaseKey{~std::uint64_t{0}, 0}), "18446744073709551615:0");
}

TEST(Draw, TheSameKeyGivesTheSameStream) { EXPECT_EQ(first_bits({42, 7}), first_bits({42, 7})); }

TEST(Draw, SeedIndexPropertyAndScalarEachGiveAnotherStream) {
  const std::set<Bits> streams = {
      first_bits({42, 7}),
      first_bits({43, 7}),
      first_bits({42, 8}),
      first_bits({7, 42}),
      first_bits({42, 7}, "q", "f32"),
      first_bits({42, 7}, "p", "f64")};
  EXPECT_EQ(streams.size(), 6U);
}

// The bits of RapidCheck's generator (Threefish) for one key: a package that
// changed them would change every case.
TEST(Draw, TheStreamIsPinned) {
  Draw draw({1, 2}, "accuracy", "f32");
  const std::uint64_t first = draw.bits();
  const std::uint64_t second = draw.bits();
  EXPECT_EQ(first, 3909140611639757146U) << "now " << first;
  EXPECT_EQ(second, 5680986792195431880U) << "now " << second;
}

TEST(Draw, BelowAndBetweenReachEveryValueOfTheirRangeAndNoOther) {
  Draw draw({1, 1}, "p", "f32");
  std::set<std::uint64_t> below;
  std::set<int> between;
  for (int i = 0; i < 400; ++i) {
    below.insert(draw.below(7));
    between.insert(draw.between(-2, 3));
  }
  EXPECT_EQ(below, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(between, (std::set<int>{-2, -1, 0, 1, 2, 3}));
  EXPECT_EQ(draw.below(1), 0U);
  EXPECT_EQ(draw.between(5, 5), 5);
}

TEST(Draw, ChanceHasTheOddsThatItNames) {
  Draw draw({1, 1}, "p", "f32");
  int hits = 0;
  int positive = 0;
  for (int i = 0; i < 10000; ++i) {
    hits += draw.chance(1, 4) ? 1 : 0;
    const double sign = draw.sign();
    ASSERT_EQ(std::fabs(sign), 1);
    positive += sign > 0 ? 1 : 0;
    ASSERT_FALSE(draw.chance(0, 3));
    ASSERT_TRUE(draw.chance(3, 3));
  }
  EXPECT_NEAR(hits, 2500, 6 * 43.3) << "six standard deviations";
  EXPECT_NEAR(positive, 5000, 6 * 50.0) << "six standard deviations";
}

TEST(Draw, PickReachesEveryChoice) {
  Draw draw({1, 1}, "p", "f32");
  const std::vector<std::string> choices = {"a", "b", "c"};
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(draw.pick(choices));
  EXPECT_EQ(seen.size(), 3U);
}

// A significand of n bits fills the grid of n bits in [1, 2): nothing between
// its points, and for a small n every one of them.
TEST(Draw, SignificandsHaveTheDigitsAskedFor) {
  Draw draw({1, 1}, "p", "f32");
  for (const int digits : {1, 2, 4, 11, 24, 53})
    for (int i = 0; i < 200; ++i) {
      const double x = draw.significand(digits);
      ASSERT_GE(x, 1);
      ASSERT_LT(x, 2);
      const double units = std::ldexp(x, digits - 1);
      ASSERT_EQ(units, std::floor(units)) << x << " has more than " << digits << " bits";
    }
  std::set<double> of_four_bits;
  for (int i = 0; i < 400; ++i) of_four_bits.insert(draw.significand(4));
  EXPECT_EQ(of_four_bits.size(), 8U);
  bool lowest_bit_of_float = false;
  for (int i = 0; i < 64; ++i)
    lowest_bit_of_float = lowest_bit_of_float || std::fmod(std::ldexp(draw.significand(24), 23), 2.0) == 1;
  EXPECT_TRUE(lowest_bit_of_float);
}

// As many numbers are drawn whatever the digits, so that a narrower scalar does
// not shift the stream.
TEST(Draw, SignificandsTakeOneDrawWhateverTheirDigits) {
  Draw narrow({3, 3}, "p", "f32");
  Draw wide({3, 3}, "p", "f32");
  narrow.significand(1);
  wide.significand(53);
  EXPECT_EQ(narrow.bits(), wide.bits());
}

}  // namespace
}  // namespace lnverify
