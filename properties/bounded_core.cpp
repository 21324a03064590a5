// X5 (c): good kernels compute the variance from the very deviations that they divide, so no core exceeds
// sqrt(d).
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "bounded_core",
         .claims = "X5",
         .says = "|u_i| <= sqrt(d), up to roundoff, at any condition number",
         .inputs = {row("z"), epsilon()},
         .kind = Kind::trait,
         .scalars = rounded_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const auto s = kernel.statistics(z, in.eps());
          const W d(static_cast<double>(z.size()));
          const W largest(kernel.precision().compute.largest);
          if (s.sigma == 0 || !(s.sigma * s.sigma >= W(4) * W(kernel.precision().compute.min_normal)) ||
              !(W(4) * d * s.max_abs * s.max_abs <= largest) || !(d * s.max_abs <= largest))
            return discard("outside the range of the bound");
          return at_most(
              layer_norm::max_abs(kernel.core(z, in.eps())),
              layer_norm::core_norm_limit<W>(z.size(), kernel.precision()), "max |u_i|");
        });

}  // namespace
}  // namespace lnverify
