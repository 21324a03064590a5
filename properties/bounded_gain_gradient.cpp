// X5 of the backward pass: dgain sums dy times a core, so it stays within what the cores may be.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

// What |u_i| of this row cannot exceed; nothing where the claim says nothing.
template <class W>
std::optional<W> row_limit(const Kernel<W>& kernel, const layer_norm::Row<W>& z, const W& eps) {
  const auto s = kernel.statistics(z, eps);
  const auto& compute = kernel.precision().compute;
  const W d(static_cast<double>(z.size()));
  const W largest(compute.largest);
  const bool inside = s.sigma > W(0) && s.sigma * s.sigma >= W(4) * W(compute.min_normal) &&
                      d * s.max_abs <= largest && W(4) * d * s.max_abs * s.max_abs <= largest;
  if (!inside) return std::nullopt;
  return s.variance == W(0) ? layer_norm::constant_row_limit<W>(z.size(), kernel.precision())
                            : layer_norm::core_limit(s, kernel.precision());
}

const bool registered = law(
    {.id = "bounded_gain_gradient",
     .claims = "X5",
     .says = "|dgain_i| <= sum over rows of |dy_ti| times the limit of |u_ti|, at any condition number",
     .inputs = {batch("z"), gradients("dy"), epsilon()},
     .exercises = Exercises::backward,
     .scalars = machine_scalars(),
     .families = {"integers", "gentle", "large_offset", "one_ulp_apart", "constant", "progression"}},
    [](const auto& kernel, const auto& in) -> Verdict {
      using W = std::decay_t<decltype(in.eps())>;
      const auto z = in.matrix("z");
      const auto dy = in.matrix("dy");
      layer_norm::Row<W> limit(z.cols());
      for (std::size_t t = 0; t < z.rows(); ++t) {
        const std::optional<W> row = row_limit(kernel, z.row(t), in.eps());
        if (!row) return discard("outside the range of the bound");
        for (std::size_t i = 0; i < z.cols(); ++i) limit[i] += layer_norm::magnitude(dy(t, i)) * *row;
      }
      const auto dgain = kernel.backward(z, {}, in.eps(), dy).dgain;
      Verdict verdict = discard("the gradient may overflow");
      for (std::size_t i = 0; i < dgain.size(); ++i) {
        const W most = layer_norm::dgain_limit(limit[i], z.rows(), kernel.precision());
        if (most > W(kernel.precision().storage.largest) / W(2)) continue;
        Verdict column = at_most(layer_norm::magnitude(dgain[i]), most, "|dgain[" + std::to_string(i) + "]|");
        verdict = verdict.outcome == Outcome::discarded ? std::move(column)
                                                        : worse(std::move(verdict), std::move(column));
      }
      return verdict;
    });

}  // namespace
}  // namespace lnverify
