// The normalized core and the full output of layer normalization.
//
//   u = (z - mean) / sqrt(q + eps)      y = gain * u + bias   (elementwise; absent gain: 1, absent bias: 0)
//
// float and double: right on the whole finite range, squares that over- or underflow, subnormal coordinates
// and any finite eps included; exactly the bias on constant rows; bit-identical under negation, under scaling
// of z by a power of two with eps scaled by its square, and under common shifts that are exact in T. The
// error is that of one rounding: at most (1 + 2^-20) times the bound of error_bound.hpp with c = 1, for every
// d. The whole row is NaN if one of its coordinates is a NaN or an infinity, or if q = 0 and eps = 0; other
// rows never notice. A number type without NaN throws std::domain_error there instead.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <layer_norm/moments.hpp>
#include <optional>
#include <type_traits>

namespace layer_norm {

namespace detail {

// gain * core 2^exponent + bias, rounded once. An intermediate overflow must not spoil a finite result: large
// operands are scaled down and the result is scaled back.
template <class T>
T affine(const T* gain, const Extended<T>& core, int exponent, const T* bias) {
  using E = Extended<T>;
  if constexpr (is_scaled<T>) {
    if ((gain && !is_finite(*gain)) || (bias && !is_finite(*bias)))
      return (gain ? *gain : 1) * core.value() + (bias ? *bias : 0);
    const int guard = std::max(gain ? overflow_guard(*gain) : 0, bias ? overflow_guard(*bias) : 0);
    E result = gain ? E(std::ldexp(*gain, -guard)) * core : times_power_of_two(core, -guard);
    result = times_power_of_two(result, exponent);
    if (bias) result = result + E(std::ldexp(*bias, -guard));
    return narrow<T>(result, guard);
  } else {
    E result = gain ? E(E(*gain) * core) : core;
    if (bias) result = result + E(*bias);
    return narrow<T>(result);
  }
}

}  // namespace detail

// u of one row. Throws std::invalid_argument for an empty row or an eps that is negative, NaN or infinite.
template <class T>
Row<T> core(const Row<T>& z, const std::type_identity_t<T>& eps) {
  const auto row = detail::normalize<T>(detail::center(z), eps);
  if (!row.defined) return Row<T>(z.size(), detail::not_a_number<T>());
  return detail::narrow_row<T>(row.core, row.core_exponent);
}

// y of one row; gain and bias have d entries or are absent. Throws std::invalid_argument as core does, and
// for a gain or bias of another size.
template <class T>
Row<T> forward(
    const Row<T>& z, const std::type_identity_t<std::optional<Row<T>>>& gain,
    const std::type_identity_t<std::optional<Row<T>>>& bias, const std::type_identity_t<T>& eps) {
  if (gain) detail::require_size("gain", gain->size(), z.size());
  if (bias) detail::require_size("bias", bias->size(), z.size());
  const auto row = detail::normalize<T>(detail::center(z), eps);
  if (!row.defined) return Row<T>(z.size(), detail::not_a_number<T>());
  Row<T> y(z.size());
  for (std::size_t i = 0; i < z.size(); ++i)
    y[i] = detail::affine<T>(
        gain ? &(*gain)[i] : nullptr, row.core[i], row.core_exponent, bias ? &(*bias)[i] : nullptr);
  return y;
}

// y of a batch, row by row: z and the result are rows x d; no rows give no rows. Throws as for one row.
template <class T>
Matrix<T> forward(
    const Matrix<T>& z, const std::type_identity_t<std::optional<Row<T>>>& gain,
    const std::type_identity_t<std::optional<Row<T>>>& bias, const std::type_identity_t<T>& eps) {
  detail::require_coordinates(z.cols());
  detail::require_epsilon(eps);
  if (gain) detail::require_size("gain", gain->size(), z.cols());
  if (bias) detail::require_size("bias", bias->size(), z.cols());
  Matrix<T> y(z.rows(), z.cols());
  for (std::size_t t = 0; t < z.rows(); ++t) y.set_row(t, forward<T>(z.row(t), gain, bias, eps));
  return y;
}

}  // namespace layer_norm
