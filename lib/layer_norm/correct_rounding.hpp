// Correctly rounded layer normalization: for rows of doubles, the value of a binary format that is nearest to
// the real number which the inputs define, ties to even. Exact for every finite input: subnormal numbers,
// overflow to infinity and exact ties included. Results are doubles on the grid of the format (f16, bf16,
// f32, f64, or any other format within double). A result that rounds to zero keeps its sign; one that is zero
// is +0.
//
// Coordinates of the core and of the output go through the enclosures of enclosure.hpp first, whose radius is
// proven; what they do not decide, and everything else, is decided by the integers of integer_row.hpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <layer_norm/array.hpp>
#include <layer_norm/enclosure.hpp>
#include <layer_norm/integer_row.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace layer_norm {

// The correctly rounded results of one row z of d >= 1 doubles. Not for use by two threads at once.
class RowOracle {
 public:
  // Throws std::invalid_argument for d = 0 and for an eps that is negative, NaN or infinite, and
  // std::domain_error for a coordinate that is NaN or infinite.
  RowOracle(const Row<double>& z, double eps) : z_(checked(z, eps)), eps_(eps), quick_(z, eps) {}

  // mean = (1/d) sum z_i, variance q = (1/d) sum (z_i - mean)^2
  double mean(const Format& format) const { return rounded(integers().mean(), format); }
  double variance(const Format& format) const { return rounded(integers().variance(), format); }

  // All below throw std::domain_error if q = 0 and eps = 0, and std::invalid_argument for a format that is
  // not within double or a row of another size than z.

  // 1 / sqrt(q + eps)
  double rstd(const Format& format) const { return rounded(integers().rstd(), format); }
  // u_i = (z_i - mean) / sqrt(q + eps)
  Row<double> core(const Format& format) const;
  // y_i = gain_i u_i + bias_i
  Row<double> output(const Row<double>& gain, const Row<double>& bias, const Format& format) const;
  // dz_i = (g_i - mean(g) - u_i mean(g u)) / sqrt(q + eps), g = gain dy
  Row<double> input_gradient(const Row<double>& gain, const Row<double>& dy, const Format& format) const;

  // The same by integers alone: to check the enclosures, and to time them.
  Row<double> core_by_integers(const Format& format) const;
  Row<double> output_by_integers(
      const Row<double>& gain, const Row<double>& bias, const Format& format) const;
  Row<double> input_gradient_by_integers(
      const Row<double>& gain, const Row<double>& dy, const Format& format) const;

 private:
  static const Row<double>& checked(const Row<double>& z, double eps) {
    if (z.empty()) throw std::invalid_argument("a row of d = 0 coordinates");
    if (!(eps >= 0) || std::isinf(eps)) throw std::invalid_argument("eps = " + std::to_string(eps));
    for (const double x : z)
      if (!std::isfinite(x)) throw std::domain_error("not a finite coordinate: " + std::to_string(x));
    return z;
  }
  static double rounded(const SignedRoot& root, const Format& format) {
    require_within_double(format);
    return nearest_value(root, format);
  }
  double output_by_integers(std::size_t i, double gain, double bias, const Format& format) const {
    return nearest_value({integers().core(i, ScaledInteger(gain)), ScaledInteger(bias).root()}, format);
  }
  const IntegerRow& integers() const {
    if (!integers_) integers_.emplace(z_, eps_);
    return *integers_;
  }

  Row<double> z_;
  double eps_;
  QuickRow quick_;
  mutable std::optional<IntegerRow> integers_;  // made when first asked for: most rows never are
};

inline Row<double> RowOracle::core(const Format& format) const {
  require_within_double(format);
  Row<double> u(z_.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto enclosure = quick_.core(i);
    const auto value = enclosure ? decided_value(*enclosure, format) : std::nullopt;
    u[i] = value ? *value : nearest_value(integers().core(i), format);
  }
  return u;
}

inline Row<double> RowOracle::core_by_integers(const Format& format) const {
  Row<double> u(z_.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = rounded(integers().core(i), format);
  return u;
}

inline Row<double> RowOracle::output(
    const Row<double>& gain, const Row<double>& bias, const Format& format) const {
  require_within_double(format);
  detail::require_same_size(gain.size(), z_.size());
  detail::require_same_size(bias.size(), z_.size());
  Row<double> y(z_.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto enclosure = quick_.output(i, gain[i], bias[i]);
    const auto value = enclosure ? decided_value(*enclosure, format) : std::nullopt;
    y[i] = value ? *value : output_by_integers(i, gain[i], bias[i], format);
  }
  return y;
}

inline Row<double> RowOracle::output_by_integers(
    const Row<double>& gain, const Row<double>& bias, const Format& format) const {
  require_within_double(format);
  detail::require_same_size(gain.size(), z_.size());
  detail::require_same_size(bias.size(), z_.size());
  Row<double> y(z_.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = output_by_integers(i, gain[i], bias[i], format);
  return y;
}

inline Row<double> RowOracle::input_gradient(
    const Row<double>& gain, const Row<double>& dy, const Format& format) const {
  require_within_double(format);
  detail::require_same_size(gain.size(), z_.size());
  detail::require_same_size(dy.size(), z_.size());
  const auto enclosures = quick_.input_gradient(gain, dy);
  Row<double> dz(z_.size());
  for (std::size_t i = 0; i < dz.size(); ++i) {
    const auto value = enclosures[i] ? decided_value(*enclosures[i], format) : std::nullopt;
    if (!value) return input_gradient_by_integers(gain, dy, format);
    dz[i] = *value;
  }
  return dz;
}

inline Row<double> RowOracle::input_gradient_by_integers(
    const Row<double>& gain, const Row<double>& dy, const Format& format) const {
  require_within_double(format);
  detail::require_same_size(gain.size(), z_.size());
  detail::require_same_size(dy.size(), z_.size());
  Row<double> dz(z_.size());
  const std::vector<SignedRoot> roots = integers().input_gradient(gain, dy);
  for (std::size_t i = 0; i < dz.size(); ++i) dz[i] = nearest_value(roots[i], format);
  return dz;
}

// dgain_i = sum over rows of dy_i u_i, for a batch z and dy of one shape: a sum of roots with different
// radicands. No rows give zeros. Throws as RowOracle does.
inline Row<double> gain_gradient(
    const Matrix<double>& z, double eps, const Matrix<double>& dy, const Format& format) {
  require_within_double(format);
  detail::require_same_size(z.rows(), dy.rows());
  detail::require_same_size(z.cols(), dy.cols());
  if (!(eps >= 0) || std::isinf(eps)) throw std::invalid_argument("eps = " + std::to_string(eps));
  std::vector<IntegerRow> rows;
  for (std::size_t t = 0; t < z.rows(); ++t) rows.emplace_back(z.row(t), eps);
  Row<double> result(z.cols());
  for (std::size_t i = 0; i < z.cols(); ++i) {
    std::vector<SignedRoot> terms;
    for (std::size_t t = 0; t < z.rows(); ++t) terms.push_back(rows[t].core(i, ScaledInteger(dy(t, i))));
    result[i] = nearest_value(std::move(terms), format);
  }
  return result;
}

// dbias_i = sum over rows of dy_i. No rows give zeros. Throws std::domain_error for NaN and infinities.
inline Row<double> bias_gradient(const Matrix<double>& dy, const Format& format) {
  require_within_double(format);
  Row<double> result(dy.cols());
  for (std::size_t i = 0; i < dy.cols(); ++i) {
    const ScaledIntegers column(dy.column(i));
    result[i] = nearest_value(column.sum(), column.exponent, format);
  }
  return result;
}

}  // namespace layer_norm
