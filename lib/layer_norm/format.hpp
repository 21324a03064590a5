// Binary number formats, described by the numbers that rounding and error bounds are made of.
#pragma once

#include <cmath>
#include <limits>

namespace layer_norm {

// A binary floating-point format: precision in bits, and 2^min_exponent, the smallest normal number.
// A format of unlimited range (mp50) has min_subnormal 0 and largest infinity; a format without rounding at
// all has unit_roundoff 0.
struct Format {
  int digits = 0;            // significand bits, the hidden one included
  int min_exponent = 0;      // exponent of the smallest normal number N = 2^min_exponent
  double unit_roundoff = 0;  // u = 2^-digits
  double min_normal = 0;     // N
  double min_subnormal = 0;  // 2 u N
  double largest = std::numeric_limits<double>::infinity();  // F

  friend bool operator==(const Format&, const Format&) = default;
};

// An IEEE-like format with the given precision and exponent range; largest = (2 - 2u) 2^max_exponent.
inline Format binary_format(int digits, int min_exponent, int max_exponent) {
  return {
      .digits = digits,
      .min_exponent = min_exponent,
      .unit_roundoff = std::ldexp(1.0, -digits),
      .min_normal = std::ldexp(1.0, min_exponent),
      .min_subnormal = std::ldexp(1.0, min_exponent - digits + 1),
      .largest = std::ldexp(2.0 - std::ldexp(1.0, 1 - digits), max_exponent)};
}
inline Format f16_format() { return binary_format(11, -14, 15); }
inline Format bf16_format() { return binary_format(8, -126, 127); }
inline Format f32_format() { return binary_format(24, -126, 127); }
inline Format f64_format() { return binary_format(53, -1022, 1023); }

}  // namespace layer_norm
