// The affine map z(x) = W x + b that usually stands before layer normalization, and the two changes to it
// that layer normalization cannot see: a common shift of b, and a common row added to every row of W.
#pragma once

#include <cstddef>
#include <layer_norm/array.hpp>

namespace layer_norm {

template <class T>
struct AffineMap {
  Matrix<T> weight;  // d x n
  Row<T> bias;       // d

  // W x + b. Throws std::invalid_argument if x has not n entries or b has not d.
  Row<T> operator()(const Row<T>& x) const { return weight * x + bias; }

  // x -> W x + b + c 1: every output row is shifted by c.
  AffineMap shifted_bias(const T& c) const { return {weight, bias + c}; }

  // x -> (W + 1 r^T) x + b: the output for x is shifted by r.x, an amount that depends on x.
  // Throws std::invalid_argument if r has not n entries.
  AffineMap recentered(const Row<T>& r) const {
    detail::require_same_size(r.size(), weight.cols());
    AffineMap result = *this;
    for (std::size_t i = 0; i < weight.rows(); ++i)
      for (std::size_t j = 0; j < weight.cols(); ++j) result.weight(i, j) += r[j];
    return result;
  }
};

}  // namespace layer_norm
