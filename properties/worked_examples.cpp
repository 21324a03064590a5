// V1-V7: rows whose mean, variance and core are known in closed form, on the kernel under test.
//
// 1/3 and 4/3 are no binary numbers: where epsilon is rounded the expected core is the one for the rounded
// epsilon, and in exact arithmetic it is the claim's to the letter.
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

struct Example {
  std::vector<int> z;
  std::vector<int> v_numerators;  // v = numerators / divisor
  int divisor;
  int q_numerator;  // q = q_numerator / q_divisor, eps = eps_numerator / 3
  int q_divisor;
  int eps_numerator;
};

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {{2, 6}, {-2, 2}, 1, 4, 1, 3},              // V1
      {{1, 2, 3}, {-1, 0, 1}, 1, 2, 3, 1},        // V2
      {{11, 12, 13}, {-1, 0, 1}, 1, 2, 3, 1},     // V3
      {{101, 102, 103}, {-1, 0, 1}, 1, 2, 3, 1},  // V3
      {{2, 4, 6}, {-2, 0, 2}, 1, 8, 3, 1},        // V4
      {{1, 2, 3}, {-1, 0, 1}, 1, 2, 3, 4},        // V5
      {{1, 2, 4}, {-4, -1, 5}, 3, 14, 9, 1},      // V6
  };
  return all;
}

std::vector<double> any_example(Draw& draw, const DrawContext&) {
  return {static_cast<double>(draw.below(examples().size()))};
}
std::vector<double> any_t(Draw& draw, const DrawContext&) {
  const double size = draw.between(0, 12);
  return {draw.sign() * size};
}

template <class W>
Verdict core_is(
    const Kernel<W>& kernel, const layer_norm::Row<W>& z, const layer_norm::Row<W>& v, const W& q,
    const W& eps) {
  using std::sqrt;
  const W asked = kernel.round_epsilon(eps);
  const W added = kernel.epsilon(asked);
  return within(kernel.core(z, asked), v / W(sqrt(W(q + added))), kernel.bound(z, asked), "u");
}

const bool registered =
    law({.id = "worked_examples",
         .claims = "V1 V2 V3 V4 V5 V6 V7",
         .says = "(1, 2, 3) with eps 1/3 gives (-1, 0, 1), and so on; (-t, 0, t) gives t/sqrt(2t^2/3 + eps)",
         .inputs = {Input{"example", {}, false, any_example}, Input{"t", {}, false, any_t}, epsilon()},
         .families = {"integers"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          using Row = layer_norm::Row<W>;
          const Example& example = examples()[in.index("example") % examples().size()];
          Row z(example.z.size());
          Row v(example.z.size());
          for (std::size_t i = 0; i < z.size(); ++i) {
            z[i] = W(example.z[i]);
            v[i] = W(example.v_numerators[i]) / W(example.divisor);
          }
          const W q = W(example.q_numerator) / W(example.q_divisor);
          Verdict verdict = core_is(kernel, z, v, q, W(W(example.eps_numerator) / W(3)));
          const W t = in.scalar("t");
          if (t == W(0) && in.eps() == W(0)) return verdict;
          const Row symmetric = {W(-t), W(0), t};
          return worse(
              std::move(verdict), core_is(kernel, symmetric, symmetric, W(W(2) * t * t / W(3)), in.eps()));
        });

}  // namespace
}  // namespace lnverify
