// L4: the core is the gradient of the convex potential Phi(z) = d sqrt(q + eps).
//
// Phi(z') - Phi(z) lies between <u(z), z' - z> and <u(z'), z' - z>: that is what convexity and u = grad Phi
// mean without any limit, and no other potential lies there for all pairs of rows.
#include <layer_norm/sensitivity.hpp>

#include "engine/expectation.hpp"
#include "engine/neighbour.hpp"
#include "engine/property.hpp"
#include "reference_room.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "potential",
         .claims = "L4",
         .says = "<u(z), z' - z> <= Phi(z') - Phi(z) <= <u(z'), z' - z> with Phi = d sqrt(q + eps)",
         .inputs = {row("z"), neighbour("other"), epsilon()},
         .exercises = Exercises::library,
         .scalars = {Scalar::f32, Scalar::f64, Scalar::mp50, Scalar::exact},
         .families = {"integers", "gentle", "variance_near_epsilon", "variance_below_epsilon", "one_hot"}},
        [](const auto&, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          using V = Widened<W>;
          const auto z = in["z"];
          const auto other = in["other"];
          const W eps = in.eps();
          const auto s = layer_norm::statistics(z, eps);
          const auto s_other = layer_norm::statistics(other, eps);
          if (s.sigma == W(0) || s_other.sigma == W(0)) return discard("a row is singular");
          const V rise = V(layer_norm::potential(other, eps)) - V(layer_norm::potential(z, eps));
          const V low = layer_norm::dot(widened(s.core), widened(other - z));
          const V high = layer_norm::dot(widened(s_other.core), widened(other - z));
          if constexpr (is_exact<W>) {
            return decided(low <= rise && rise <= high, "Phi(z') - Phi(z)");
          } else {
            const W d(static_cast<double>(z.size()));
            // sigma is off by at most what moves u by as much; d sigma and the sums round once more
            const W of_cores = (core_room(s) + core_room(s_other)) * norm(other - z);
            const W of_sigmas = d * (core_room(s) * s.sigma + core_room(s_other) * s_other.sigma);
            const W of_sums =
                W(4) * d * d * working_roundoff<W>() * (s.sigma + s_other.sigma + W(2) * norm(other - z));
            const W room = of_cores + of_sigmas + of_sums;
            return worse(
                at_most(W(low - room), rise, "<u(z), z' - z>"),
                at_most(rise, W(high + room), "Phi(z') - Phi(z)"));
          }
        });

}  // namespace
}  // namespace lnverify
