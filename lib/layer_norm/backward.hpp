// The backward pass. With dy the gradient of a loss by y, and g = gain * dy:
//
//   dz = (g - mean(g) - u mean(g u)) / sigma      dgain = sum over rows of dy u      dbias = sum over rows of
//   dy
//
// dz = J g, with J the Jacobian of the core. float and double are evaluated in Extended<T> and rounded once,
// with the same range and accuracy as the forward pass. A row of dz is NaN if its z or its dy has a NaN or an
// infinity, or if q = 0 and eps = 0. In dgain and dbias such rows act as they do in any sum: NaN and
// infinities stay.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <layer_norm/moments.hpp>
#include <optional>
#include <type_traits>
#include <vector>

namespace layer_norm {

template <class T>
struct Gradients {
  Matrix<T> dz;  // rows x d
  Row<T> dgain;  // d
  Row<T> dbias;  // d
};

namespace detail {

// g = gain * dy in units of 2^exponent. Products of doubles may leave the range of double, so there the
// exponents are set apart and the largest product is brought near 1.
template <class T>
struct OutputGradient {
  std::vector<Extended<T>> g;
  int exponent = 0;
  bool finite = true;
};

inline OutputGradient<double> output_gradient(
    const std::optional<Row<double>>& gain, const double* dy, std::size_t d) {
  OutputGradient<double> result;
  std::vector<int> exponents(d);
  int largest = std::numeric_limits<int>::min();
  result.g.reserve(d);
  for (std::size_t i = 0; i < d; ++i) {
    int a = 0;
    int b = 0;
    const Twofold product = two_product(std::frexp(dy[i], &a), gain ? std::frexp((*gain)[i], &b) : 1.0);
    result.finite = result.finite && is_finite(product.hi);
    result.g.push_back(product);
    exponents[i] = a + b;
    if (product.hi != 0) largest = std::max(largest, exponents[i]);
  }
  if (!result.finite || largest == std::numeric_limits<int>::min()) return result;
  for (std::size_t i = 0; i < d; ++i)
    if (result.g[i].hi != 0) result.g[i] = times_power_of_two(result.g[i], exponents[i] - largest);
  result.exponent = largest;
  return result;
}

template <class T>
requires(!is_scaled<T>)
    OutputGradient<T> output_gradient(const std::optional<Row<T>>& gain, const T* dy, std::size_t d) {
  using E = Extended<T>;
  OutputGradient<T> result;
  result.g.reserve(d);
  for (std::size_t i = 0; i < d; ++i) {
    result.g.push_back(gain ? E(E((*gain)[i]) * E(dy[i])) : E(dy[i]));
    result.finite = result.finite && is_finite(result.g.back());
  }
  return result;
}

template <class T>
Row<T> input_gradient(const NormalizedRow<T>& row, const OutputGradient<T>& output) {
  using E = Extended<T>;
  const std::size_t d = output.g.size();
  if (!row.defined || !output.finite) return Row<T>(d, not_a_number<T>());
  Sum<E> plain;
  Sum<E> weighted;
  for (std::size_t i = 0; i < d; ++i) {
    plain.add(output.g[i]);
    weighted.add(output.g[i] * row.core[i]);
  }
  const E count = E(static_cast<double>(d));
  const E mean_g = plain.total() / count;
  // core_exponent once for u in mean(g u), once for the u before it
  const E mean_gu = times_power_of_two(E(weighted.total() / count), 2 * row.core_exponent);
  Row<T> dz(d);
  for (std::size_t i = 0; i < d; ++i) {
    const E b = (output.g[i] - mean_g) - row.core[i] * mean_gu;
    dz[i] = narrow<T>(b / row.sigma, output.exponent - row.sigma_exponent);
  }
  return dz;
}

// The sum of one column, dy_t or dy_t u_t, over the rows.
template <class T>
class ColumnSum {
 public:
  explicit ColumnSum(int guard) : guard_(guard) {}

  void add(const T& dy) { sum_.add(times_power_of_two(Extended<T>(dy), -guard_)); }
  void add(const T& dy, const Extended<T>& core, int core_exponent) {
    const Extended<T> scaled = times_power_of_two(Extended<T>(dy), -guard_);
    sum_.add(times_power_of_two(Extended<T>(scaled * core), core_exponent));
  }
  T total() const { return narrow<T>(sum_.total(), guard_); }

 private:
  Sum<Extended<T>> sum_;
  int guard_;
};

template <class T>
std::vector<ColumnSum<T>> column_sums([[maybe_unused]] const Matrix<T>& dy) {
  int guard = 0;
  if constexpr (is_scaled<T>)
    for (const T& x : dy.values()) guard = std::max(guard, overflow_guard(x));
  return std::vector<ColumnSum<T>>(dy.cols(), ColumnSum<T>(guard));
}

}  // namespace detail

// dz of one row; gain absent means ones. z, gain, dy have d entries. Throws std::invalid_argument for an
// empty row, sizes that differ, or an eps that is negative, NaN or infinite.
template <class T>
Row<T> backward_row(
    const Row<T>& z, const std::type_identity_t<std::optional<Row<T>>>& gain,
    const std::type_identity_t<T>& eps, const Row<T>& dy) {
  if (gain) detail::require_size("gain", gain->size(), z.size());
  detail::require_size("dy", dy.size(), z.size());
  return detail::input_gradient<T>(
      detail::normalize<T>(detail::center(z), eps), detail::output_gradient(gain, dy.data(), dy.size()));
}

// All three gradients of a batch; z, dy are rows x d. No rows: dgain and dbias are zeros. Throws as
// backward_row.
template <class T>
Gradients<T> backward(
    const Matrix<T>& z, const std::type_identity_t<std::optional<Row<T>>>& gain,
    const std::type_identity_t<T>& eps, const Matrix<T>& dy) {
  const std::size_t d = z.cols();
  detail::require_coordinates(d);
  detail::require_epsilon(eps);
  if (gain) detail::require_size("gain", gain->size(), d);
  detail::require_size("dy (columns)", dy.cols(), d);
  detail::require_size("dy (rows)", dy.rows(), z.rows());
  Gradients<T> result{Matrix<T>(z.rows(), d), Row<T>(d), Row<T>(d)};
  auto gains = detail::column_sums(dy);
  auto biases = gains;
  for (std::size_t t = 0; t < z.rows(); ++t) {
    const auto row = detail::normalize<T>(detail::center(z.row(t)), eps);
    result.dz.set_row(t, detail::input_gradient<T>(row, detail::output_gradient(gain, &dy(t, 0), d)));
    for (std::size_t i = 0; i < d; ++i) {
      biases[i].add(dy(t, i));
      if (row.defined)
        gains[i].add(dy(t, i), row.core[i], row.core_exponent);
      else
        gains[i].add(detail::not_a_number<T>());
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    result.dgain[i] = gains[i].total();
    result.dbias[i] = biases[i].total();
  }
  return result;
}

}  // namespace layer_norm
