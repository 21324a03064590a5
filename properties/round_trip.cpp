// S3: for epsilon > 0 the core determines the centered row.
//
// The inverse g(u) = u sqrt(eps / (1 - |u|^2/d)) stretches by at most sqrt(eps) (1 - r^2/d)^(-3/2) on the
// ball of radius r, which is convex; so a core within b of the exact one gives Pz back within that many |b|.
#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "round_trip",
         .claims = "S3",
         .says = "u sqrt(eps / (1 - |u|^2/d)) = z - mean(z)",
         .inputs = {row("z"), epsilon()},
         .required = {"variance_near_epsilon", "variance_below_epsilon"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using std::sqrt;
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const W eps = kernel.epsilon(in.eps());
          if (eps == W(0)) return discard("epsilon is 0");
          const W d(static_cast<double>(z.size()));
          const auto s = kernel.statistics(z, in.eps());
          const auto u = kernel.core(z, in.eps());
          W room(0);
          if constexpr (!is_exact<W>) {
            const W off = norm(kernel.bound(z, in.eps()));
            const W radius = norm(s.core) + off;
            const W rest = W(1) - radius * radius / d;
            if (!(rest > W(0))) return discard("the inverse is not bounded there");
            room = sqrt(eps) / (rest * sqrt(rest)) * off;
          }
          const W rest = W(1) - layer_norm::squared_norm(u) / d;
          if (!(rest > W(0))) return falsified(Failure::wrong_value, "|u|^2 is not below d");
          return within(
              u * W(sqrt(W(eps / rest))), s.centered, layer_norm::Row<W>(z.size(), room), "the centered row");
        });

}  // namespace
}  // namespace lnverify
