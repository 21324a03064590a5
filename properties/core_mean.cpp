// M1: the core has mean 0.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "core_mean", .claims = "M1", .says = "mean(u) = 0", .inputs = {row("z"), epsilon()}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const W d(static_cast<double>(z.size()));
          const W room = layer_norm::sum(kernel.bound(z, in.eps())) / d;
          return within(W(layer_norm::sum(kernel.core(z, in.eps())) / d), W(0), room, "mean(u)");
        });

}  // namespace
}  // namespace lnverify
