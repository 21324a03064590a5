// What the reference library's own roundings cost where it is evaluated in a working type W.
#pragma once

#include <layer_norm/error_bound.hpp>
#include <limits>

#include "root_sums.hpp"

namespace lnverify {

// 0 where nothing is rounded.
template <class W>
W working_roundoff() {
  if constexpr (is_exact<W>)
    return W(0);
  else
    return std::numeric_limits<W>::epsilon();
}

// The norm of the error of a core that was evaluated in W: the derived bound with W's roundoff, c(d) of them,
// and no underflow. d (kappa (2 + |u|) + |u|) is at least the sum of the coordinates' bounds.
template <class W>
W core_room(const layer_norm::Statistics<W>& s) {
  const W d(static_cast<double>(s.core.size()));
  const W u = layer_norm::max_abs(s.core);
  const W kappa = s.max_abs / s.sigma;
  return W(layer_norm::roundoff_count(s.core.size())) * working_roundoff<W>() * d *
         (kappa * (W(2) + u) + W(2) * u);
}

}  // namespace lnverify
