// S10: normalizing twice is normalizing once, with another epsilon and a factor; without epsilon, it is
// idempotent.
//
// The first core is off by at most b; the second normalization moves that by at most 2 |b| / (sigma +
// sigma'). In exact arithmetic the first core is a rational row w / sqrt(n), and u_delta(w / sqrt(n)) =
// u_{n delta}(w).
#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

std::vector<double> second_epsilon(Draw& draw, const DrawContext& context) {
  static const std::vector<double> choices = {0, 0, 1e-5, 0.001, 0.25, 1, 3};
  return {context.grid.round_epsilon(draw.pick(choices))};
}

// The common radicand n of the coordinates of a core, 1 where all are rational.
template <class W>
W radicand(const layer_norm::Row<W>& u) {
  for (const W& value : u)
    if (!value.is_rational()) return W(layer_norm::mpq_rational(value.radicand()));
  return W(1);
}

template <class W>
Verdict decided_exactly(const Kernel<W>& kernel, const layer_norm::Row<W>& z, const W& eps, const W& delta) {
  const auto first = kernel.core(z, eps);
  const W n = radicand(first);
  const auto twice = kernel.core(first * W(sqrt(n)), W(n * delta));
  const auto once = kernel.core(z, W(delta * eps / (W(1) + delta)));
  const RootSum factor{W(sqrt(W(W(1) + delta)))};
  for (std::size_t i = 0; i < z.size(); ++i)
    if (!(RootSum(twice[i]) * factor == RootSum(once[i])))
      return falsified(Failure::wrong_value, "u_delta(u_eps(z))[" + std::to_string(i) + "]");
  return holds();
}

const bool registered =
    law({.id = "composition",
         .claims = "S10",
         .says = "u_delta(u_eps(z)) = (1 + delta)^(-1/2) u_{delta eps/(1 + delta)}(z)",
         .inputs = {row("z"), epsilon(), Input{"eps_delta", {}, false, second_epsilon}}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using std::sqrt;
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const W eps = kernel.epsilon(in.eps());
          const W delta = kernel.epsilon(in.scalar("eps_delta"));
          const auto s = kernel.statistics(z, in.eps());
          if (s.sigma == W(0) || (s.variance == W(0) && delta * eps == W(0)))
            return discard("the row is singular");
          if constexpr (is_exact<W>) {
            return decided_exactly(kernel, z, eps, delta);
          } else {
            const auto first = kernel.core(z, in.eps());
            const auto second = kernel.statistics(first, in.scalar("eps_delta"));
            const W sigma = layer_norm::statistics(s.core, delta).sigma;
            if (!(second.sigma > W(0))) return discard("the computed core is singular");
            const W carried = W(2) * norm(kernel.bound(z, in.eps())) / (sigma + second.sigma);
            return within(
                kernel.core(first, in.scalar("eps_delta")),
                layer_norm::core(z, W(delta * eps / (W(1) + delta))) / W(sqrt(W(1) + delta)),
                kernel.bound(first, in.scalar("eps_delta")) + carried);
          }
        });

}  // namespace
}  // namespace lnverify
