// L1, L2, J7, J8: the map is eps^(-1/2)-Lipschitz, and the sharper secant bound holds for every epsilon.
//
// The observed distance may exceed the bound by no more than the norms of both error bounds. In exact
// arithmetic both bounds are squared, which leaves roots of two radicands at most.
#include <layer_norm/sensitivity.hpp>

#include "engine/expectation.hpp"
#include "engine/neighbour.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

using layer_norm::squared_norm;

template <class W>
Verdict decided_exactly(
    const layer_norm::Row<W>& z, const layer_norm::Row<W>& other, const W& eps, const W& gain,
    const layer_norm::Row<Widened<W>>& difference) {
  const auto distance = squared_norm(difference);
  const Widened<W> sigmas =
      Widened<W>(layer_norm::statistics(z, eps).sigma) + Widened<W>(layer_norm::statistics(other, eps).sigma);
  const W secant = W(4) * gain * gain * squared_norm(layer_norm::centered(z - other));
  if (!(distance * sigmas * sigmas <= Widened<W>(secant)))
    return falsified(Failure::wrong_value, "the distance of the outputs (secant bound)");
  const W global = gain * gain * squared_norm(z - other);
  return decided(distance * Widened<W>(eps) <= Widened<W>(global), "the distance of the outputs");
}

const bool registered = law(
    {.id = "lipschitz_bound",
     .claims = "L1 L2 J7 J8",
     .says = "|y(z) - y(z')| <= max|gain| min(eps^(-1/2) |z - z'|, 2 |P(z - z')| / (sigma + sigma'))",
     .inputs = {row("z"), neighbour("other"), gain(), epsilon()}},
    [](const auto& kernel, const auto& in) -> Verdict {
      using W = std::decay_t<decltype(in.eps())>;
      const auto z = in["z"];
      const auto other = in["other"];
      const auto gain = in.gain();
      const W largest_gain = gain ? layer_norm::max_abs(*gain) : W(1);
      const W eps = kernel.epsilon(in.eps());
      const auto y = kernel.forward(z, gain, {}, in.eps());
      const auto difference = widened(y) - widened(kernel.forward(other, gain, {}, in.eps()));
      if constexpr (is_exact<W>) {
        return decided_exactly(z, other, eps, largest_gain, difference);
      } else {
        const W slack = norm(kernel.bound(z, gain, {}, in.eps()) + kernel.bound(other, gain, {}, in.eps()));
        if (!detail::finite(slack)) return discard("outside the range of the bound");
        const W distance = norm(difference);
        const W secant = largest_gain * layer_norm::secant_lipschitz_bound(z, other, eps);
        Verdict verdict = at_most(distance, W(secant + slack), "the distance of the outputs (secant bound)");
        if (eps == W(0)) return verdict;
        const W global = largest_gain * layer_norm::lipschitz_constant(eps) * norm(z - other);
        return worse(std::move(verdict), at_most(distance, W(global + slack), "the distance of the outputs"));
      }
    });

}  // namespace
}  // namespace lnverify
