// R3: x -> x + a is invisible if W a is a multiple of 1, and only then.
//
// Both sides: with the first column of W made constant, a step along it is invisible; any other step s = W a
// moves the core by at least eps / max(sigma, sigma')^3 |P s|.
#include <layer_norm/affine_map.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

template <class W>
Verdict visible_step(
    const Kernel<W>& kernel, const layer_norm::Row<W>& z, const layer_norm::Row<W>& moved, const W& eps) {
  const auto difference = kernel.core(moved, eps) - kernel.core(z, eps);
  const auto s = kernel.statistics(z, eps);
  const auto s_moved = kernel.statistics(moved, eps);
  const W sigma = s.sigma > s_moved.sigma ? s.sigma : s_moved.sigma;
  const W least = kernel.epsilon(eps) / (sigma * sigma * sigma) * norm(layer_norm::centered(moved - z));
  const W slack = norm(kernel.bound(moved, eps) + kernel.bound(z, eps));
  if (!detail::finite(slack)) return discard("outside the range of the bound");
  const W distance = norm(difference);
  if (!detail::finite(distance)) return falsified(Failure::not_finite, "the distance of the cores");
  return at_most(W(least - slack), distance, "the least distance that a visible step makes");
}

// Nothing but a multiple of 1 is invisible.
template <class W>
Verdict visible_step_exactly(
    const Kernel<W>& kernel, const layer_norm::Row<W>& z, const layer_norm::Row<W>& moved, const W& eps) {
  if (eps == W(0)) return discard("epsilon is 0");
  const bool is_common = layer_norm::variance(moved - z) == W(0);
  return decided(
      (kernel.core(moved, eps) == kernel.core(z, eps)) == is_common,
      is_common ? "a common step was seen" : "a step was not seen");
}

const bool registered =
    law({.id = "input_shift",
         .claims = "R3 S2",
         .says = "u(W (x + a) + b) = u(W x + b) if and only if W a is a multiple of 1",
         .inputs = {matrix("W", "d", "n"), vector("b", "d"), vector("x", "n"), vector("a", "n"), epsilon()},
         .families = {"gentle"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          layer_norm::AffineMap<W> layer{in.matrix("W"), in["b"]};
          const auto x = in["x"];
          const auto a = in["a"];
          const auto z = kernel.round(layer(x));
          const auto moved = kernel.round(layer(x + a));
          Verdict verdict;
          if constexpr (is_exact<W>)
            verdict = visible_step_exactly(kernel, z, moved, in.eps());
          else
            verdict = visible_step(kernel, z, moved, in.eps());
          for (std::size_t i = 0; i < layer.weight.rows(); ++i) layer.weight(i, 0) = W(layer.weight(0, 0));
          layer_norm::Row<W> along(x.size());
          along[0] = a[0];
          const auto before = kernel.round(layer(x));
          const auto after = kernel.round(layer(x + along));
          return worse(
              std::move(verdict), within(
                                      kernel.core(after, in.eps()), kernel.core(before, in.eps()),
                                      kernel.bound(after, in.eps(), 1) + kernel.bound(before, in.eps(), 1)));
        });

}  // namespace
}  // namespace lnverify
