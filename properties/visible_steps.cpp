// S2: a common shift is all that the core does not see.
//
// |u(z + s) - u(z)| >= eps / max(sigma, sigma')^3 |P s|, up to the norms of both error bounds; where s is a
// multiple of 1, nothing moves. In exact arithmetic the core is unchanged if and only if P s = 0.
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

// Half of the steps are the same in every coordinate.
std::vector<double> step(Draw& draw, const DrawContext& context) {
  std::vector<double> values(context.size("d"));
  const int exponent = draw.between(-6, 4);
  const bool common = draw.chance(1, 2);
  const double first = draw.between(1, 5);
  for (double& value : values) {
    const double other = draw.between(-5, 5);
    value = std::ldexp(common ? first : other, exponent);
  }
  return values;
}

template <class W>
Verdict decided_exactly(
    const layer_norm::Row<W>& before, const layer_norm::Row<W>& after, const W& eps, const W& sigma_squared,
    const W& moved_squared) {
  const bool is_common = moved_squared == W(0);
  if ((before == after) != is_common)
    return falsified(Failure::wrong_value, is_common ? "a common shift was seen" : "a step was not seen");
  const auto difference = widened(after) - widened(before);
  const W least = eps * eps * moved_squared;
  return decided(
      Widened<W>(least) <=
          layer_norm::squared_norm(difference) * Widened<W>(W(sigma_squared * sigma_squared * sigma_squared)),
      "a step moved the core by less than it must");
}

const bool registered =
    law({.id = "visible_steps",
         .claims = "S2",
         .says = "u(z + s) = u(z) if and only if s is a multiple of 1; else they are eps/sigma^3 |Ps| apart",
         .inputs = {row("z"), Input{"step", {"d"}, false, step}, epsilon()}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const auto moved = kernel.round(z + in["step"]);
          const W eps = kernel.epsilon(in.eps());
          if (eps == W(0)) return discard("epsilon is 0");
          const auto s = kernel.statistics(z, in.eps());
          const auto s_moved = kernel.statistics(moved, in.eps());
          const auto before = kernel.core(z, in.eps());
          const auto after = kernel.core(moved, in.eps());
          const W moved_squared = layer_norm::squared_norm(layer_norm::centered(moved - z));
          const W sigma = s.sigma > s_moved.sigma ? s.sigma : s_moved.sigma;
          if constexpr (is_exact<W>) {
            return decided_exactly(before, after, eps, W(sigma * sigma), moved_squared);
          } else {
            using std::sqrt;
            const auto room = kernel.bound(moved, in.eps()) + kernel.bound(z, in.eps());
            if (moved_squared == W(0)) return within(after, before, room);
            const W slack = norm(room);
            if (!detail::finite(slack)) return discard("outside the range of the bound");
            const W least = eps / (sigma * sigma * sigma) * sqrt(moved_squared);
            return at_most(
                W(least - slack), norm(after - before), "the least distance that a visible step makes");
          }
        });

}  // namespace
}  // namespace lnverify
