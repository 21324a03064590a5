// What the exact result must be, and whether the kernel's lies within the derived bound of it.
#pragma once

#include "engine/kernel.hpp"
#include "engine/verdict.hpp"

namespace lnverify {

// y of a batch against the exact rows. unit_ratio is the largest error over the bound with c = 1, where the
// bound is stated. A row that is undefined (not finite, or q + eps = 0) is not judged.
template <class W>
Verdict accurate(
    const Kernel<W>& kernel, const layer_norm::Matrix<W>& got, const layer_norm::Matrix<W>& z,
    const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps,
    layer_norm::Range range = layer_norm::Range::stated);
template <class W>
Verdict accurate(
    const Kernel<W>& kernel, const layer_norm::Row<W>& got, const layer_norm::Row<W>& z,
    const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps,
    layer_norm::Range range = layer_norm::Range::stated);

// dz, dgain and dbias of a batch, likewise.
template <class W>
Verdict accurate_gradients(
    const Kernel<W>& kernel, const layer_norm::Gradients<W>& got, const layer_norm::Matrix<W>& z,
    const MaybeRow<W>& gain, const W& eps, const layer_norm::Matrix<W>& dy,
    layer_norm::Range range = layer_norm::Range::stated);

#define LNVERIFY_EXPECTATIONS(LINKAGE, W)                                                                  \
  LINKAGE template Verdict accurate(                                                                       \
      const Kernel<W>&, const layer_norm::Matrix<W>&, const layer_norm::Matrix<W>&, const MaybeRow<W>&,    \
      const MaybeRow<W>&, const W&, layer_norm::Range);                                                    \
  LINKAGE template Verdict accurate(                                                                       \
      const Kernel<W>&, const layer_norm::Row<W>&, const layer_norm::Row<W>&, const MaybeRow<W>&,          \
      const MaybeRow<W>&, const W&, layer_norm::Range);                                                    \
  LINKAGE template Verdict accurate_gradients(                                                             \
      const Kernel<W>&, const layer_norm::Gradients<W>&, const layer_norm::Matrix<W>&, const MaybeRow<W>&, \
      const W&, const layer_norm::Matrix<W>&, layer_norm::Range);
LNVERIFY_EXPECTATIONS(extern, double)
LNVERIFY_EXPECTATIONS(extern, layer_norm::mp50)
LNVERIFY_EXPECTATIONS(extern, layer_norm::mp100)
LNVERIFY_EXPECTATIONS(extern, layer_norm::exact)

}  // namespace lnverify
