// S1: adding one number to every coordinate leaves the core unchanged.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "shift_invariance",
         .claims = "S1",
         .says = "u(z + c1) = u(z)",
         .inputs = {row("z"), scalar("shift"), epsilon()}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          const auto moved = kernel.round(z + in.scalar("shift"));
          return within(
              kernel.core(moved, in.eps()), kernel.core(z, in.eps()),
              kernel.bound(moved, in.eps(), 1) + kernel.bound(z, in.eps()));
        });

}  // namespace
}  // namespace lnverify
