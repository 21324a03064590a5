// Grid: the numbers that a case for one scalar may hold.
#pragma once

#include <layer_norm/binary_rounding.hpp>
#include <layer_norm/format.hpp>
#include <layer_norm/storage.hpp>

#include "engine/scalar_kind.hpp"

namespace lnverify {

// values: the storage format of z, gain, bias, dy (f64 for mp50, f32 for exact, whose cost grows with the
// length of the numbers). epsilon: float for f16, bf16 and f32, double elsewhere.
struct Grid {
  Scalar scalar = Scalar::f32;
  layer_norm::Format values;
  layer_norm::Format epsilon;

  double round(double x) const { return layer_norm::nearest_value(x, values); }
  double round_epsilon(double x) const { return layer_norm::nearest_value(x, epsilon); }
};

inline Grid grid_of(Scalar scalar) {
  using namespace layer_norm;
  const Format epsilon = has_float_epsilon(scalar) ? f32_format() : f64_format();
  if (scalar == Scalar::mp50) return {scalar, f64_format(), epsilon};
  if (scalar == Scalar::exact) return {scalar, f32_format(), f32_format()};
  return {scalar, format_of(scalar), epsilon};
}

}  // namespace lnverify
