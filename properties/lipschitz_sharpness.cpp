// L3: the Lipschitz bound is reached at constant rows.
//
// From c1 along t w the core moves by exactly |t Pw| / sqrt(t^2 q(w) + eps), which tends to eps^(-1/2) |t
// Pw|: a kernel whose epsilon is wrong moves too far or not far enough.
#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "lipschitz_sharpness",
         .claims = "L3 J5 J7",
         .says = "|u(c1 + tw) - u(c1)| = |t Pw| (t^2 q(w) + eps)^(-1/2)",
         .inputs = {row("z"), direction("w"), scale("t"), epsilon()},
         .families = {"constant", "integers"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          layer_norm::Row<W> z = in["z"];
          for (W& value : z) value = W(z[0]);
          const auto step = in["w"] * in.scalar("t");
          const auto moved = z + step;
          if (!(kernel.round(moved) == moved)) return discard("the moved row is not representable");
          const W eps = kernel.epsilon(in.eps());
          if (eps == W(0)) return discard("epsilon is 0");
          const auto difference = kernel.core(moved, in.eps()) - kernel.core(z, in.eps());
          const auto s = layer_norm::statistics(step, eps);
          const W spread = layer_norm::squared_norm(s.centered);
          if constexpr (is_exact<W>) {
            const W expected = spread / (s.variance + eps);
            if (spread > W(0) && !(layer_norm::squared_norm(difference) * eps < spread))
              return falsified(Failure::wrong_value, "the Lipschitz constant is passed");
            return within(
                W(layer_norm::squared_norm(difference)), expected, W(0), "the squared distance of the cores");
          } else {
            using std::sqrt;
            const W slack = norm(kernel.bound(moved, in.eps()) + kernel.bound(z, in.eps()));
            return within(norm(difference), W(sqrt(spread) / s.sigma), slack, "the distance of the cores");
          }
        });

}  // namespace
}  // namespace lnverify
