// Numbers as text: hex floats read back as the same double, bit for bit;
// decimals are the shortest that do.
#include "engine/number_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/draw.hpp"
#include "hand_made.hpp"

namespace lnverify {
namespace {

using hand_made::infinity;

const std::vector<double> telling = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    3.0,
    1e300,
    std::numeric_limits<double>::max(),
    std::numeric_limits<double>::min(),
    std::numeric_limits<double>::denorm_min(),
    -std::nextafter(std::numeric_limits<double>::min(), 0.0),
    infinity,
    -infinity};

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(HexFloat, ReadsBackBitForBit) {
  for (const double value : telling) {
    const auto read = parse_hex_float(hex_float(value));
    ASSERT_TRUE(read) << hex_float(value);
    EXPECT_TRUE(same_bits(*read, value)) << hex_float(value);
  }
  Draw draw({1, 1}, "hex", "f64");
  for (int i = 0; i < 5000; ++i) {
    const double value = std::bit_cast<double>(draw.bits());
    if (std::isnan(value)) continue;
    const auto read = parse_hex_float(hex_float(value));
    ASSERT_TRUE(read && same_bits(*read, value)) << hex_float(value);
  }
}

TEST(HexFloat, IsWrittenAsInC) {
  EXPECT_EQ(hex_float(3), "0x1.8p+1");
  EXPECT_EQ(hex_float(-0.0), "-0x0p+0");
  EXPECT_EQ(hex_float(infinity), "inf");
  EXPECT_EQ(hex_float(-infinity), "-inf");
}

// Whatever its sign and payload a NaN is one word.
TEST(HexFloat, EveryNanIsNan) {
  EXPECT_EQ(hex_float(std::nan("")), "nan");
  EXPECT_EQ(hex_float(-std::nan("0x12")), "nan");
  EXPECT_TRUE(std::isnan(*parse_hex_float("nan")));
}

class NoHexFloat : public testing::TestWithParam<const char*> {};

TEST_P(NoHexFloat, IsRefused) { EXPECT_FALSE(parse_hex_float(GetParam())) << '"' << GetParam() << '"'; }

INSTANTIATE_TEST_SUITE_P(
    HexFloat, NoHexFloat,
    testing::Values(
        "", "-", "0x", "-0x", "1", "1.5", "0.1", "1e3", "0x1p", "0x1p+", "0x1.8p+1 ", " 0x1p+0", "0x1p+0x",
        "0xg", "--0x1p+0", "+0x1p+0", "0x -1", "NaN", "Inf", "infinity", "nan(1)", "0x1p+0,0x1p+0",
        "0x1p+1024",    // overflows
        "0x1p-1080",    // underflows to 0
        "0x1.8p-1074",  // lies between two subnormal numbers
        "0x1p+99999999999999999999"));

TEST(ShortDecimal, ReadsBackAsTheSameNumber) {
  for (const double value : telling)
    EXPECT_EQ(std::strtod(short_decimal(value).c_str(), nullptr), value) << short_decimal(value);
}

TEST(ShortDecimal, IsShort) {
  EXPECT_EQ(short_decimal(0.1), "0.1");
  EXPECT_EQ(short_decimal(-3), "-3");
  EXPECT_EQ(short_decimal(-0.0), "0");
  EXPECT_EQ(short_decimal(1e-5), "1e-05");
  EXPECT_EQ(short_decimal(std::nan("")), "nan");
  EXPECT_EQ(short_decimal(-infinity), "-inf");
}

TEST(ReadableList, ShowsTheFirstValuesAndCountsTheRest) {
  EXPECT_EQ(readable_list({}), "[]");
  EXPECT_EQ(readable_list({0, 1, 2.5}), "[0, 1, 2.5]");
  EXPECT_EQ(readable_list({1, 2, 3, 4, 5}, 2), "[1, 2, ... 3 more]");
  EXPECT_EQ(readable_list({1, 2}, 2), "[1, 2]");
}

}  // namespace
}  // namespace lnverify
