// M2 and the first half of M3: the core's variance is q / (q + eps), not 1.
//
// A core that is off by at most b in every coordinate has a norm that is off by at most |b|, so d times its
// variance is off by at most 2 |u| |b| + |b|^2.
#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

// The values that need no formula, where nothing is rounded.
template <class W>
Verdict landmarks(const W& got, const W& q, const W& eps) {
  if (eps == W(0)) return decided(got == W(1), "var(u) is not 1 at eps = 0");
  if (q == eps && !(got == W(1) / W(2)))
    return falsified(Failure::wrong_value, "var(u) is not 1/2 at q = eps");
  return decided(got < W(1), "var(u) is not below 1");
}

const bool registered =
    law({.id = "core_variance",
         .claims = "M2 M3",
         .says = "var(u) = |u|^2 / d = q / (q + eps)",
         .inputs = {row("z"), epsilon()},
         .required = {"variance_near_epsilon", "variance_below_epsilon"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const W d(static_cast<double>(z.size()));
          const W eps = kernel.epsilon(in.eps());
          const auto s = kernel.statistics(z, in.eps());
          if (s.sigma == W(0)) return discard("the row is singular");
          const auto u = kernel.core(z, in.eps());
          const W got = layer_norm::variance(u);
          const W expected = layer_norm::squared_norm(s.core) / d;
          W room(0);
          if constexpr (!is_exact<W>) {
            const W off = norm(kernel.bound(z, in.eps()));
            room = (W(2) * norm(s.core) + off) * off / d;
          } else if (const Verdict verdict = landmarks(got, s.variance, eps); verdict.falsified()) {
            return verdict;
          } else if (!(expected == s.variance / (s.variance + eps))) {
            return falsified(Failure::wrong_value, "the reference's core has another norm");
          }
          return worse(
              within(got, expected, room, "var(u)"),
              within(W(layer_norm::squared_norm(u) / d), expected, room, "|u|^2 / d"));
        });

}  // namespace
}  // namespace lnverify
