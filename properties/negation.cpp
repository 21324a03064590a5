// S7: the core is odd.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "negation", .claims = "S7", .says = "u(-z) = -u(z)", .inputs = {row("z"), epsilon()}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          const auto bound = kernel.bound(z, in.eps());
          return within(kernel.core(-z, in.eps()), -kernel.core(z, in.eps()), bound + bound);
        });

}  // namespace
}  // namespace lnverify
