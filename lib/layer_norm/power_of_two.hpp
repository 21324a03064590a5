// Powers of two and scaling by them, without a call into the C library in the usual range.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace layer_norm {

namespace detail {

// Whether 2^exponent is a normal double.
inline bool is_normal_exponent(int exponent) { return exponent >= -1022 && exponent <= 1023; }

}  // namespace detail

// 2^exponent, as std::ldexp(1.0, exponent): subnormal, 0 or infinite beyond the range of double.
inline double power_of_two(int exponent) {
  constexpr int bias = 1023;
  constexpr int fraction_bits = 52;
  if (!detail::is_normal_exponent(exponent)) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + bias) << fraction_bits);
}

// x 2^exponent rounded once, as std::ldexp(x, exponent): a product with a power of two that is exact itself
// rounds once too.
inline double scaled(double x, int exponent) {
  return detail::is_normal_exponent(exponent) ? x * power_of_two(exponent) : std::ldexp(x, exponent);
}

}  // namespace layer_norm
