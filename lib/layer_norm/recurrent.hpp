// The recurrent cell with layer normalization:
//
//   a_t = W_hh h_{t-1} + W_xh x_t          h_t = tanh(gain * u_eps(a_t) + bias)
//
// The statistics are those of a_t alone: of one time step of one sequence. So the states of a sequence depend
// neither on what follows in it nor on the other sequences of a batch, bit for bit, and sequences of
// different lengths need no padding. A common row added to all rows of W_hh or of W_xh shifts a_t by a
// multiple of 1 and is invisible.
#pragma once

#include <algorithm>
#include <cmath>
#include <layer_norm/affine_map.hpp>
#include <layer_norm/core.hpp>
#include <vector>

namespace layer_norm {

template <class T>
struct RecurrentCell {
  Matrix<T> hidden_weight;  // W_hh, d x d
  Matrix<T> input_weight;   // W_xh, d x n
  Row<T> gain;              // d
  Row<T> bias;              // d
  T eps = T(0);

  // W_hh + 1 r^T and W_xh + 1 s^T. Throws std::invalid_argument if r has not d entries or s not n.
  RecurrentCell recentered(const Row<T>& r, const Row<T>& s) const {
    RecurrentCell result = *this;
    result.hidden_weight = AffineMap<T>{hidden_weight, {}}.recentered(r).weight;
    result.input_weight = AffineMap<T>{input_weight, {}}.recentered(s).weight;
    return result;
  }

  // a_t. Throws std::invalid_argument for sizes that do not fit.
  Row<T> summed(const Row<T>& hidden, const Row<T>& x) const {
    return hidden_weight * hidden + input_weight * x;
  }

  // gain * u_eps(a_t) + bias: h_t before its tanh, which not every number type has. Throws as summed and
  // forward do.
  Row<T> normalized(const Row<T>& hidden, const Row<T>& x) const {
    return forward<T>(summed(hidden, x), gain, bias, eps);
  }

  // h_t.
  Row<T> step(const Row<T>& hidden, const Row<T>& x) const {
    using std::tanh;
    Row<T> result = normalized(hidden, x);
    for (T& value : result) value = tanh(value);
    return result;
  }
};

// The states h_1 ... h_T of each sequence of a batch, all from h_0 = 0: row t of sequences[b] is x_t (T_b x
// n), row t of result[b] is h_t (T_b x d). The batch advances together, one time step after the other; a
// sequence that has ended is left out. Throws std::invalid_argument for sizes that do not fit.
template <class T>
std::vector<Matrix<T>> run(const RecurrentCell<T>& cell, const std::vector<Matrix<T>>& sequences) {
  const std::size_t d = cell.hidden_weight.rows();
  std::vector<Matrix<T>> states;
  std::vector<Row<T>> hidden(sequences.size(), Row<T>(d));
  std::size_t longest = 0;
  for (const Matrix<T>& sequence : sequences) {
    states.emplace_back(sequence.rows(), d);
    longest = std::max(longest, sequence.rows());
  }
  for (std::size_t t = 0; t < longest; ++t)
    for (std::size_t b = 0; b < sequences.size(); ++b) {
      if (t >= sequences[b].rows()) continue;
      hidden[b] = cell.step(hidden[b], sequences[b].row(t));
      states[b].set_row(t, hidden[b]);
    }
  return states;
}

}  // namespace layer_norm
