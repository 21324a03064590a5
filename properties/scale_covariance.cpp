// S5: scaling the row is the same as dividing epsilon by the square of the scale.
#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "scaling.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "scale_covariance",
         .claims = "S5 S6",
         .says = "u_eps(az) = u_{eps/a^2}(z)",
         .inputs = {row("z"), scale("a"), epsilon()}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          const auto a = in.scalar("a");
          if (const auto reason = inexact_scaling(kernel, z, a, in.eps())) return discard(*reason);
          const auto scaled = z * a;
          const auto smaller = in.eps() / (a * a);
          return within(
              kernel.core(scaled, in.eps()), kernel.core(z, smaller),
              kernel.bound(scaled, in.eps()) + kernel.bound(z, smaller));
        });

}  // namespace
}  // namespace lnverify
