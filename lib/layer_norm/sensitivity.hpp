// How far the output can move when the input does.
//
// The core is the gradient of the convex potential d sqrt(q + eps), so it is monotone, and its local
// amplification, at most 1/sigma, never exceeds eps^(-1/2).
#pragma once

#include <layer_norm/moments.hpp>
#include <limits>
#include <type_traits>

namespace layer_norm {

// eps^(-1/2), the smallest constant with |u(z) - u(z')| <= L |z - z'| for d >= 2. Infinite (or the number
// type's own error of a division by zero) for eps = 0. Throws std::invalid_argument for eps negative, NaN or
// infinite.
template <class T>
T lipschitz_constant(const T& eps) {
  using std::sqrt;
  detail::require_epsilon(eps);
  return T(1) / sqrt(eps);
}

// max |gain_i| eps^(-1/2), the same for the full output. Throws as above.
template <class T>
T lipschitz_constant(const std::type_identity_t<T>& eps, const Row<T>& gain) {
  return max_abs(gain) * lipschitz_constant<T>(eps);
}

// 2 |P(z - z')| / (sigma + sigma'), an upper bound of |u(z) - u(z')| that is sharper than the Lipschitz
// constant and holds for eps = 0 too. Throws std::invalid_argument for rows that are empty or of different
// sizes, and for eps negative, NaN or infinite.
template <class T>
T secant_lipschitz_bound(const Row<T>& z, const Row<T>& other, const std::type_identity_t<T>& eps) {
  using std::sqrt;
  const T distance = sqrt(squared_norm(centered(z - other)));
  return T(2) * distance / (statistics(z, eps).sigma + statistics(other, eps).sigma);
}

// d sqrt(q + eps), whose gradient is u. Throws as above.
template <class T>
T potential(const Row<T>& z, const std::type_identity_t<T>& eps) {
  return static_cast<T>(static_cast<double>(z.size())) * statistics(z, eps).sigma;
}

}  // namespace layer_norm
