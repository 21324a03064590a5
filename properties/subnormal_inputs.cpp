// X4: subnormal coordinates and an epsilon that is tiny or zero are honoured, not flushed to zero.
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

// Zero, or near the square of the format's smallest numbers, as far as epsilon's own format has such.
std::vector<double> tiny_epsilon(Draw& draw, const DrawContext& context) {
  const int exponent = 2 * context.grid.values.min_exponent + draw.between(-40, 10);
  const double eps = context.grid.round_epsilon(std::ldexp(1.0, exponent));
  return {draw.chance(1, 2) ? 0.0 : eps};
}

const bool registered =
    law({.id = "subnormal_inputs",
         .claims = "X4",
         .says = "rows of subnormal numbers with an epsilon of like size are normalized as accurately as any",
         .inputs = {row("z"), Input{"eps", {}, false, tiny_epsilon}},
         .kind = Kind::trait,
         .scalars = machine_scalars(),
         .families = {"subnormal"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          return accurate(kernel, kernel.core(z, in.eps()), z, {}, {}, in.eps(), layer_norm::Range::whole);
        });

}  // namespace
}  // namespace lnverify
