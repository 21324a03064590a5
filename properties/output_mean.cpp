// M4: unequal gains move the mean of the output.
//
// mean(y) - mean(bias) = (1/d) <P gain, u>. With z = gain that is q(gain) / sigma, which is 0 only where the
// gain is constant: the converse.
#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

template <class W>
Verdict mean_of_output(
    const Kernel<W>& kernel, const layer_norm::Row<W>& z, const layer_norm::Row<W>& gain,
    const MaybeRow<W>& bias, const W& eps, const W& offset) {
  const W d(static_cast<double>(z.size()));
  const W room = layer_norm::sum(kernel.bound(z, MaybeRow<W>(gain), bias, eps)) / d;
  const W mean = layer_norm::sum(kernel.forward(z, MaybeRow<W>(gain), bias, eps)) / d;
  const W before = bias ? W(layer_norm::sum(*bias) / d) : W(0);
  return within(mean, W(before + offset), room, "mean(y)");
}

Input unequal_gain() {
  Input input = gain();
  input.optional = false;
  return input;
}

const bool registered =
    law({.id = "output_mean",
         .claims = "M4",
         .says = "mean(y) = mean(bias) + <P gain, u> / d, which stays mean(bias) only for a constant gain",
         .inputs = {row("z"), unequal_gain(), bias(), epsilon()}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const layer_norm::Row<W> gain = *in.gain();
          const W d(static_cast<double>(z.size()));
          const auto s = kernel.statistics(z, in.eps());
          const auto of_gain = kernel.statistics(gain, in.eps());
          Verdict verdict = discard("the row is singular");
          if (s.sigma > W(0)) {
            const W offset = layer_norm::dot(layer_norm::centered(gain), s.core) / d;
            verdict = mean_of_output(kernel, z, gain, in.bias(), in.eps(), offset);
          }
          if (!(of_gain.sigma > W(0))) return verdict;
          if (is_exact<W> && z.size() > 1 && of_gain.variance > W(0) && in.bias() == std::nullopt)
            verdict = worse(
                std::move(verdict),
                decided(
                    !(layer_norm::sum(kernel.forward(gain, MaybeRow<W>(gain), {}, in.eps())) == W(0)),
                    "unequal gains left the mean of y unmoved"));
          return worse(
              std::move(verdict),
              mean_of_output(kernel, gain, gain, in.bias(), in.eps(), W(of_gain.variance / of_gain.sigma)));
        });

}  // namespace
}  // namespace lnverify
