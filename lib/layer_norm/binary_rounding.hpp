// Rounding to nearest, ties to even, of numbers wider than the target: a double, or an integer times a power
// of two with a sticky bit, or a big integer. The result is a double on the grid of a binary Format with at
// most 53 digits, subnormal numbers included; whatever rounds beyond the largest finite value becomes
// infinity.
#pragma once

#include <algorithm>
#include <bit>
#include <boost/multiprecision/gmp.hpp>
#include <cmath>
#include <cstdint>
#include <layer_norm/format.hpp>
#include <limits>
#include <stdexcept>
#include <string>

namespace layer_norm {

using boost::multiprecision::mpq_rational;
using boost::multiprecision::mpz_int;

// Throws std::invalid_argument unless the format is f64 or one of fewer digits and no wider range.
inline void require_within_double(const Format& format) {
  const bool narrower = format.digits >= 1 && format.digits < 53 && format.min_exponent >= -1022 &&
                        std::isfinite(format.largest);
  if (!narrower && !(format == f64_format()))
    throw std::invalid_argument("no format within double: " + std::to_string(format.digits) + " digits");
}

// The value of the format nearest to the double x; NaN and infinities stay. Zero keeps the sign of x.
inline double nearest_value(double x, const Format& format) {
  if (format.digits == 53) return x;
  const double size = std::fabs(x);
  if (!(size >= format.min_normal)) {
    // Below the smallest normal number the grid is uniform: adding 1.5 * 2^52 grid steps leaves no room for
    // more.
    const double anchor = 0x1.8p52 * format.min_subnormal;
    return std::copysign((size + anchor) - anchor, x);
  }
  const int dropped = 53 - format.digits;
  auto bits = std::bit_cast<std::uint64_t>(size);
  bits += (std::uint64_t{1} << (dropped - 1)) - 1 + ((bits >> dropped) & 1);
  bits &= ~((std::uint64_t{1} << dropped) - 1);
  const auto rounded = std::bit_cast<double>(bits);
  return std::copysign(rounded > format.largest ? std::numeric_limits<double>::infinity() : rounded, x);
}

// ldexp for any exponent of 64 bits.
inline double scale_by_power(double x, std::int64_t exponent) {
  constexpr std::int64_t limit = 1 << 20;
  return std::ldexp(x, static_cast<int>(std::clamp(exponent, -limit, limit)));
}

// A non-negative number (head + t) * 2^exponent, t = 0 or, with a sticky bit, some t with 0 < t < 1.
struct TruncatedNumber {
  std::uint64_t head = 0;
  std::int64_t exponent = 0;
  bool sticky = false;
};

// The value of the format nearest to the number.
// Precondition: a number with a sticky bit has a head of at least digits + 2 bits, so that t lies below half
// an ulp.
inline double nearest_value(bool negative, const TruncatedNumber& number, const Format& format) {
  const int width = 64 - std::countl_zero(number.head);
  const std::int64_t leading = number.exponent + width - 1;
  const std::int64_t last = std::max<std::int64_t>(leading, format.min_exponent) - format.digits + 1;
  const std::int64_t dropped = last - number.exponent;
  double size = 0;
  if (dropped <= 0) {
    size = scale_by_power(static_cast<double>(number.head), number.exponent);
  } else if (dropped <= width) {  // fewer bits dropped than this leave less than half a step
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    std::uint64_t kept = dropped == 64 ? 0 : number.head >> dropped;
    const std::uint64_t rest = number.head & (half - 1 + half);
    if (rest > half || (rest == half && (number.sticky || (kept & 1) != 0))) ++kept;
    size = scale_by_power(static_cast<double>(kept), last);
  }
  if (size > format.largest) size = std::numeric_limits<double>::infinity();
  return negative ? -size : size;
}

// The value of the format nearest to integer * 2^exponent.
inline double nearest_value(const mpz_int& integer, std::int64_t exponent, const Format& format) {
  const auto* const z = integer.backend().data();
  const std::size_t bits = mpz_sizeinbase(z, 2);
  TruncatedNumber number{.head = 0, .exponent = exponent, .sticky = false};
  if (bits <= 64) {
    number.head = static_cast<std::uint64_t>(mpz_int(abs(integer)));
  } else {
    const std::size_t dropped = bits - 64;
    number.head = static_cast<std::uint64_t>(mpz_int(mpz_int(abs(integer)) >> dropped));
    number.exponent += static_cast<std::int64_t>(dropped);
    number.sticky = mpz_scan1(z, 0) < dropped;
  }
  return nearest_value(mpz_sgn(z) < 0, number, format);
}

}  // namespace layer_norm
