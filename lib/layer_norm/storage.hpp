// Rounding to a binary format, and the 16-bit storage formats f16 and bf16 as raw bits.
//
// Everything is done with exact operations on doubles (frexp, ldexp, nearbyint), so the result depends
// neither on the hardware's half types nor on a library's. The rounding mode must be the default, to nearest
// even.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "layer_norm/format.hpp"

namespace layer_norm {

// The value of the format nearest to x, ties to even; below N it is a multiple of the smallest subnormal,
// beyond F + ulp/2 infinite. NaN, infinities and the sign of zero are kept. A format with more digits than a
// double, or without rounding (unit_roundoff 0), returns x. Error: at most max(u |x|, 2 u N / 2) while |x| <=
// F.
inline double round_to(double x, const Format& format) {
  constexpr int digits_of_double = std::numeric_limits<double>::digits;
  if (!std::isfinite(x) || x == 0 || format.unit_roundoff == 0 || format.digits > digits_of_double) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  int quantum = exponent - format.digits;
  if (format.min_subnormal > 0) quantum = std::max(quantum, format.min_exponent - format.digits + 1);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -quantum)), quantum);
  return std::abs(rounded) > format.largest ? std::copysign(std::numeric_limits<double>::infinity(), x)
                                            : rounded;
}

namespace detail {

// A 16-bit format is: sign, 16 - digits bits of biased exponent, digits - 1 bits of fraction.
inline int fraction_bits(const Format& format) { return format.digits - 1; }
inline std::uint32_t exponent_mask(const Format& format) { return (1u << (16 - format.digits)) - 1u; }

}  // namespace detail

// The bits of a value in f16_format() or bf16_format(). Precondition: value lies on the format's grid or is
// infinite or NaN (use round_to). Every NaN becomes the quiet NaN with an otherwise empty fraction, its sign
// kept.
inline std::uint16_t encode16(double value, const Format& format) {
  const int fraction_bits = detail::fraction_bits(format);
  const std::uint32_t infinity = detail::exponent_mask(format) << fraction_bits;
  const std::uint32_t sign = std::signbit(value) ? 0x8000u : 0u;
  const double size = std::abs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | infinity | (1u << (fraction_bits - 1)));
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
  if (size < format.min_normal)
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(size / format.min_subnormal));
  int exponent = 0;
  const double significand = std::frexp(size, &exponent);
  const auto whole = static_cast<std::uint32_t>(std::ldexp(significand, format.digits));
  // The hidden bit of `whole` adds one to the exponent field, hence no + 1 for the bias.
  const auto field = static_cast<std::uint32_t>(exponent - 1 - format.min_exponent);
  return static_cast<std::uint16_t>(sign | ((field << fraction_bits) + whole));
}

// The value of bits in f16_format() or bf16_format(), exactly. NaN keeps its sign, not its payload.
inline double decode16(std::uint16_t bits, const Format& format) {
  const int fraction_bits = detail::fraction_bits(format);
  const std::uint32_t fraction = bits & ((1u << fraction_bits) - 1u);
  const std::uint32_t field =
      (static_cast<std::uint32_t>(bits) >> fraction_bits) & detail::exponent_mask(format);
  const double sign = (bits & 0x8000u) != 0 ? -1.0 : 1.0;
  if (field == detail::exponent_mask(format)) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::copysign(nan, sign);
  }
  if (field == 0) return sign * format.min_subnormal * fraction;
  const double whole = static_cast<double>(fraction | (1u << fraction_bits));
  return sign * std::ldexp(whole, format.min_exponent - fraction_bits + static_cast<int>(field) - 1);
}

}  // namespace layer_norm
