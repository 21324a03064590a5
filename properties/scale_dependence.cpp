// S4: for epsilon > 0 scaling does change the core, by a known factor.
//
// A kernel that ignores epsilon gives the same core for az and z; the predicted factor f differs from 1 by
// much more than the bound where epsilon is near the variance, which a family of its own guarantees.
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "scale_dependence",
         .claims = "S4",
         .says = "u_eps(az) = f u_eps(z) with f = a sqrt((q + eps) / (a^2 q + eps)), and f is not 1",
         .inputs = {row("z"), scale("a"), epsilon()},
         .required = {"variance_near_epsilon", "variance_below_epsilon"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using std::sqrt;
          const auto z = in["z"];
          const auto a = in.scalar("a");
          if (!(a > 0)) return discard("the scale is not positive");
          const auto scaled = z * a;
          if (!(kernel.round(scaled) == scaled)) return discard("the scaled row is not representable");
          const auto eps = kernel.epsilon(in.eps());
          if (eps == 0) return discard("epsilon is 0");
          const auto s = kernel.statistics(z, in.eps());
          const auto before = kernel.core(z, in.eps());
          const auto after = kernel.core(scaled, in.eps());
          if (kernel.is_exact && s.variance > 0 && after == before)
            return falsified(Failure::wrong_value, "u(az) = u(z)");
          // f u = (sigma u) (a / sigma'), in an order that never mixes the two roots
          const auto stretch = a / sqrt(a * a * s.variance + eps);
          return within(
              after, (before * s.sigma) * stretch,
              kernel.bound(scaled, in.eps()) + (kernel.bound(z, in.eps()) * s.sigma) * stretch);
        });

}  // namespace
}  // namespace lnverify
