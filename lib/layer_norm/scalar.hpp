// The number types of the library.
//
//   float, double   the machine's own
//   mp50, mp100     MPFR with 50 and 100 decimal digits, on the stack, no expression templates
#pragma once

#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <layer_norm/format.hpp>
#include <limits>

namespace layer_norm {

using mp50 = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<50, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;
using mp100 = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<100, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;

inline Format mp50_format() {
  constexpr int digits = std::numeric_limits<mp50>::digits;
  return {.digits = digits, .unit_roundoff = std::ldexp(1.0, -digits)};
}

}  // namespace layer_norm
