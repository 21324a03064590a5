// The recurrent cell of a case: what the laws about it share.
#pragma once

#include <layer_norm/recurrent.hpp>

#include "engine/inputs.hpp"
#include "engine/property.hpp"

namespace lnverify {

// A cell with d hidden units and n inputs. W_hh is given by its first k columns, which are repeated: a square
// array could not shrink, since coordinates are removed along one axis of an array at a time.
inline std::vector<Input> cell_inputs_and(std::vector<Input> more) {
  std::vector<Input> all = {
      matrix("hidden", "d", "k"), matrix("input", "d", "n"), vector("gain", "d"), vector("bias", "d"),
      epsilon()};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

template <class W>
layer_norm::RecurrentCell<W> cell_of(const Inputs<W>& in) {
  const auto columns = in.matrix("hidden");
  const std::size_t d = columns.rows();
  layer_norm::Matrix<W> hidden(d, d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) hidden(i, j) = columns(i, j % columns.cols());
  return {hidden, in.matrix("input"), in["gain"], in["bias"], in.eps()};
}

// W_hh has d^2 entries, and rows may have thousands.
template <class W>
bool is_large(const Inputs<W>& in) {
  return in.size("d") > 9;
}

// The first `count` rows.
template <class W>
layer_norm::Matrix<W> prefix(const layer_norm::Matrix<W>& m, std::size_t count) {
  layer_norm::Matrix<W> result(count, m.cols());
  for (std::size_t t = 0; t < count; ++t) result.set_row(t, m.row(t));
  return result;
}

}  // namespace lnverify
