// L1, L2, J7, J8: the map is eps^(-1/2)-Lipschitz, and the sharper secant bound holds for every epsilon.
//
// The observed distance may exceed the bound by no more than the norms of both error bounds.
#include <cmath>
#include <layer_norm/sensitivity.hpp>

#include "engine/expectation.hpp"
#include "engine/family.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

// A second row: near the first, or of the same family.
std::vector<double> neighbour(Draw& draw, const DrawContext& context) {
  if (draw.chance(1, 2)) return context.family.row(draw, context.grid, context.size("d"));
  std::vector<double> row = context.so_far.find("z")->values;
  const int exponent = draw.between(-12, 2);
  for (double& value : row) {
    const double step = draw.between(-3, 3);
    const double moved = context.grid.round(value + std::ldexp(step, exponent));
    if (std::isfinite(moved)) value = moved;
  }
  return row;
}

const bool registered = law(
    {.id = "lipschitz_bound",
     .claims = "L1 L2 J7 J8",
     .says = "|y(z) - y(z')| <= max|gain| min(eps^(-1/2) |z - z'|, 2 |P(z - z')| / (sigma + sigma'))",
     .inputs = {row("z"), Input{"other", {"d"}, false, neighbour}, gain(), epsilon()},
     .scalars = rounded_scalars()},
    [](const auto& kernel, const auto& in) -> Verdict {
      using std::sqrt;
      const auto z = in["z"];
      const auto other = in["other"];
      const auto gain = in.gain();
      using W = std::decay_t<decltype(in.eps())>;
      const auto room = kernel.bound(z, gain, {}, in.eps()) + kernel.bound(other, gain, {}, in.eps());
      const W slack = sqrt(layer_norm::squared_norm(room));
      if (!detail::finite(slack)) return discard("outside the range of the bound");
      const auto difference =
          kernel.forward(z, gain, {}, in.eps()) - kernel.forward(other, gain, {}, in.eps());
      const W distance = sqrt(layer_norm::squared_norm(difference));
      const W largest_gain = gain ? layer_norm::max_abs(*gain) : W(1);
      const W eps = kernel.epsilon(in.eps());
      const W secant = largest_gain * layer_norm::secant_lipschitz_bound(z, other, eps);
      Verdict verdict = at_most(distance, W(secant + slack), "the distance of the outputs (secant bound)");
      if (eps == 0) return verdict;
      const W global =
          largest_gain * layer_norm::lipschitz_constant(eps) * sqrt(layer_norm::squared_norm(z - other));
      return worse(verdict, at_most(distance, W(global + slack), "the distance of the outputs"));
    });

}  // namespace
}  // namespace lnverify
