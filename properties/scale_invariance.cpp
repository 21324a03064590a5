// S6: without epsilon, scale is invisible too, whatever the scale.
//
// az is rounded to the grid. What that cost is known exactly, e, and moves the core by at most 2 |e| / (sigma
// + sigma').
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

std::vector<double> any_scale(Draw& draw, const DrawContext&) {
  const double factor = draw.between(1, 31);
  return {std::ldexp(factor, draw.between(-6, 2))};
}

const bool registered =
    law({.id = "scale_invariance",
         .claims = "S6",
         .says = "u_0(az) = u_0(z) for a > 0",
         .inputs = {row("z"), Input{"a", {}, false, any_scale}}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.scalar("a"))>;
          const auto z = in["z"];
          const W a = in.scalar("a");
          if (!(a > W(0))) return discard("the scale is not positive");
          if (!(kernel.epsilon(W(0)) == W(0))) return discard("not supported: the kernel's epsilon is fixed");
          if (layer_norm::variance(z) == W(0)) return discard("the row is singular");
          const auto scaled = kernel.round(z * a);
          const auto room = kernel.bound(scaled, W(0)) + kernel.bound(z, W(0));
          W carried(0);
          if constexpr (!is_exact<W>) {
            const W sigmas =
                layer_norm::statistics(scaled, W(0)).sigma + a * layer_norm::statistics(z, W(0)).sigma;
            carried = W(2) * norm(scaled - z * a) / sigmas;
          }
          return within(kernel.core(scaled, W(0)), kernel.core(z, W(0)), room + carried);
        });

}  // namespace
}  // namespace lnverify
