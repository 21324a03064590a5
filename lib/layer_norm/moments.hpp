// The moments of one row: mean, variance, centered row, and the stabilized standard deviation.
//
//   mean = (1/d) sum z_i      v = z - mean      q = (1/d) sum v_i^2  (divisor d)      sigma = sqrt(q + eps)
//
// z_0 is subtracted first. That is exact where it matters, keeps a constant row exactly constant (the plain
// mean of d equal floats is not that float in half of all cases), and makes every common shift that is exact
// in T invisible. float and double rows are evaluated in Extended<T> and rounded once, so every result is
// within (1 + 2^-20) units of roundoff of the exact one, on the whole finite range.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <layer_norm/array.hpp>
#include <layer_norm/extended.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace layer_norm {

namespace detail {

// z = mean + v, both in units of 2^exponent; q in units of 4^exponent.
template <class T>
struct CenteredRow {
  std::vector<Extended<T>> v;
  Extended<T> mean = Extended<T>(0);
  Extended<T> q = Extended<T>(0);
  int exponent = 0;
  bool finite = true;  // false: z holds a NaN or an infinity, and nothing else here is meaningful
};

// u = core 2^core_exponent, sigma in units of 2^sigma_exponent.
template <class T>
struct NormalizedRow {
  std::vector<Extended<T>> core;
  Extended<T> sigma = Extended<T>(0);
  int sigma_exponent = 0;
  int core_exponent = 0;
  bool defined = true;  // false: z is not finite, or q + eps = 0
};

// Brings the largest coordinate near 1. Below 2^-1000 the factor itself would overflow, and is not needed.
inline int row_exponent(const Row<double>& z) {
  const double largest = max_abs(z);
  if (!(largest > 0) || !is_finite(largest)) return 0;
  return std::max(std::ilogb(largest), -1000);
}

template <class T>
Extended<T> scaled_down(const T& x, [[maybe_unused]] double scale) {
  if constexpr (is_scaled<T>)
    return Extended<T>(x * scale);
  else
    return Extended<T>(x);
}

template <class T>
CenteredRow<T> center(const Row<T>& z) {
  using E = Extended<T>;
  const std::size_t d = z.size();
  require_coordinates(d);
  CenteredRow<T> result;
  for (const T& x : z) result.finite = result.finite && is_finite(x);
  if (!result.finite) return result;
  double scale = 1;
  if constexpr (is_scaled<T>) {
    result.exponent = row_exponent(z);
    scale = std::ldexp(1.0, -result.exponent);
  }
  const E origin = scaled_down(z[0], scale);
  const E count = E(static_cast<double>(d));
  Sum<E> total;
  result.v.reserve(d);
  for (const T& x : z) {
    result.v.push_back(scaled_down(x, scale) - origin);
    total.add(result.v.back());
  }
  const E offset = total.total() / count;
  Sum<E> squares;
  for (E& v : result.v) {
    v = v - offset;
    squares.add(v * v);
  }
  result.mean = origin + offset;
  result.q = squares.total() / count;
  return result;
}

// sigma^2 in units of 4^sigma_exponent, which is chosen so that the larger of q and eps is neither lost nor
// infinite; what the other one then loses is below the last bit of the sum.
template <class T>
Extended<T> scaled_square_of_sigma(
    const CenteredRow<T>& row, const T& eps, int& sigma_exponent, int& core_exponent) {
  using E = Extended<T>;
  if constexpr (is_scaled<T>) {
    sigma_exponent = row.exponent;
    if (eps > 0) {
      const int root = static_cast<int>(std::floor(std::ilogb(eps) / 2.0));
      sigma_exponent = row.q == E(0) ? root : std::max(row.exponent, root);
    }
    core_exponent = row.q == E(0) ? 0 : row.exponent - sigma_exponent;
    return times_power_of_two(row.q, 2 * core_exponent) + E(std::ldexp(eps, -2 * sigma_exponent));
  } else {
    return row.q + E(eps);
  }
}

template <class T>
NormalizedRow<T> normalize(CenteredRow<T> row, const T& eps) {
  using E = Extended<T>;
  using std::sqrt;
  require_epsilon(eps);
  NormalizedRow<T> result;
  result.defined = row.finite;
  if (!row.finite) return result;
  const E square = scaled_square_of_sigma(row, eps, result.sigma_exponent, result.core_exponent);
  result.defined = !(square == E(0));
  if (!result.defined) return result;
  result.sigma = sqrt(square);
  for (E& v : row.v) v = v / result.sigma;
  result.core = std::move(row.v);
  return result;
}

template <class T>
Row<T> narrow_row(const std::vector<Extended<T>>& values, int exponent) {
  Row<T> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = narrow<T>(values[i], exponent);
  return result;
}

}  // namespace detail

// Everything about one row that error bounds and laws need.
template <class T>
struct Statistics {
  T mean = T(0);
  T variance = T(0);  // q
  T sigma = T(0);     // sqrt(q + eps)
  T max_abs = T(0);   // M = max |z_i|
  Row<T> centered;    // v
  Row<T> core;        // u = v / sigma
};

// (1/d) sum z_i. NaN if z is not finite. Throws std::invalid_argument for an empty row.
template <class T>
T mean(const Row<T>& z) {
  const auto row = detail::center(z);
  return row.finite ? detail::narrow<T>(row.mean, row.exponent) : detail::not_a_number<T>();
}

// (1/d) sum (z_i - mean)^2, never with d - 1. NaN if z is not finite; infinite or 0 where the square leaves
// the range of T (core and forward do not mind). Throws std::invalid_argument for an empty row.
template <class T>
T variance(const Row<T>& z) {
  const auto row = detail::center(z);
  return row.finite ? detail::narrow<T>(row.q, 2 * row.exponent) : detail::not_a_number<T>();
}

// v = z - mean. NaN if z is not finite; a coordinate beyond the largest finite T is infinite.
// Throws std::invalid_argument for an empty row.
template <class T>
Row<T> centered(const Row<T>& z) {
  const auto row = detail::center(z);
  return row.finite ? detail::narrow_row<T>(row.v, row.exponent)
                    : Row<T>(z.size(), detail::not_a_number<T>());
}

// All of the above at once. A row that is not finite has NaN everywhere; a row with q + eps = 0 has a NaN
// core and sigma 0. Throws std::invalid_argument for an empty row or an eps that is negative, NaN or
// infinite.
template <class T>
Statistics<T> statistics(const Row<T>& z, const std::type_identity_t<T>& eps) {
  detail::require_epsilon(eps);
  auto row = detail::center(z);
  Statistics<T> result;
  if (!row.finite) {
    const T nan = detail::not_a_number<T>();
    return {nan, nan, nan, nan, Row<T>(z.size(), nan), Row<T>(z.size(), nan)};
  }
  result.mean = detail::narrow<T>(row.mean, row.exponent);
  result.variance = detail::narrow<T>(row.q, 2 * row.exponent);
  result.max_abs = layer_norm::max_abs(z);
  result.centered = detail::narrow_row<T>(row.v, row.exponent);
  const auto normalized = detail::normalize<T>(std::move(row), eps);
  result.sigma = detail::narrow<T>(normalized.sigma, normalized.sigma_exponent);
  result.core = normalized.defined ? detail::narrow_row<T>(normalized.core, normalized.core_exponent)
                                   : Row<T>(z.size(), detail::not_a_number<T>());
  return result;
}

}  // namespace layer_norm
