// The Jacobian of the core, J = Du(z) = (1/sigma) (P - v v^T / (d sigma^2)), with P = I - (1/d) 1 1^T.
//
// J is symmetric and positive semidefinite. Its eigenvectors do not depend on eps: 1 (common offset,
// eigenvalue 0), v (radial, eps / sigma^3), and everything orthogonal to both (1 / sigma).
#pragma once

#include <cstddef>
#include <layer_norm/backward.hpp>
#include <layer_norm/moments.hpp>
#include <optional>
#include <type_traits>

namespace layer_norm {

// J, d x d: entry (i, j) is (delta_ij - (1 + u_i u_j) / d) / sigma. float and double: within about one
// roundoff of 1/sigma. All NaN where the core is. Throws std::invalid_argument for an empty row or an eps
// that is negative, NaN or infinite.
template <class T>
Matrix<T> jacobian(const Row<T>& z, const std::type_identity_t<T>& eps) {
  using E = detail::Extended<T>;
  const std::size_t d = z.size();
  const auto row = detail::normalize<T>(detail::center(z), eps);
  if (!row.defined) return Matrix<T>(d, d, Row<T>(d * d, detail::not_a_number<T>()));
  Matrix<T> result(d, d);
  const E count = E(static_cast<double>(d));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const E product = detail::times_power_of_two(E(row.core[i] * row.core[j]), 2 * row.core_exponent);
      const E removed = (E(1) + product) / count;
      const E entry = (i == j ? E(E(1) - removed) : E(-removed)) / row.sigma;
      result(i, j) = result(j, i) = detail::narrow<T>(entry, -row.sigma_exponent);
    }
  return result;
}

// J w without forming J: the backward pass without gain. Throws as jacobian does, and if w has not d entries.
template <class T>
Row<T> jacobian_apply(const Row<T>& z, const std::type_identity_t<T>& eps, const Row<T>& w) {
  detail::require_size("w", w.size(), z.size());
  return backward_row<T>(z, std::nullopt, eps, w);
}

// sigma^3 J = sigma^2 P - v v^T / d, which is rational in z and eps and needs no root. In float and double
// its entries leave the range where sigma^2 does. Throws as jacobian does.
template <class T>
Matrix<T> scaled_jacobian(const Row<T>& z, const std::type_identity_t<T>& eps) {
  detail::require_epsilon(eps);
  const std::size_t d = z.size();
  const Row<T> v = centered(z);
  const T square = variance(z) + eps;
  const T count = static_cast<T>(static_cast<double>(d));
  Matrix<T> result(d, d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      result(i, j) = (i == j ? square : T(0)) - (square + v[i] * v[j]) / count;
  return result;
}

// The three eigenvalues. `other` has multiplicity d - 2 (d - 1 for a constant row, where radial equals
// other).
template <class T>
struct JacobianEigenvalues {
  T common = T(0);  // of 1: always 0
  T radial = T(0);  // of v: eps / sigma^3
  T other = T(0);   // of every w orthogonal to 1 and v: 1 / sigma
};

// Throws as jacobian does; NaN where the core is.
template <class T>
JacobianEigenvalues<T> jacobian_eigenvalues(const Row<T>& z, const std::type_identity_t<T>& eps) {
  using E = detail::Extended<T>;
  const auto row = detail::normalize<T>(detail::center(z), eps);
  if (!row.defined) return {detail::not_a_number<T>(), detail::not_a_number<T>(), detail::not_a_number<T>()};
  const E inverse = E(1) / row.sigma;
  E eps_part = E(0);
  if constexpr (detail::is_scaled<T>)
    eps_part = E(std::ldexp(eps, -2 * row.sigma_exponent));
  else
    eps_part = E(eps);
  const E radial = (eps_part / row.sigma) / row.sigma * inverse;
  return {
      T(0), detail::narrow<T>(radial, -row.sigma_exponent), detail::narrow<T>(inverse, -row.sigma_exponent)};
}

// The spectral norm of J: 0 for d = 1, eps / sigma^3 for d = 2 (no direction is left beside 1 and v), 1 /
// sigma for d >= 3; never more than eps^(-1/2). Throws as jacobian does.
template <class T>
T jacobian_norm(const Row<T>& z, const std::type_identity_t<T>& eps) {
  const auto values = jacobian_eigenvalues(z, eps);
  if (z.size() == 1) return values.common;
  return z.size() == 2 ? values.radial : values.other;
}

}  // namespace layer_norm
