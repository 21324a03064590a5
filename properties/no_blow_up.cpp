// X5: the core never exceeds what its definition allows, whatever the condition number.
//
// A constant row with epsilon in the normal range stays at 1 but for the roundings of its sum of squares; any
// other row stays below sqrt(d), or what one roundoff of the largest coordinate can add to sqrt(d - 1).
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

// d M and 4 d M^2 are finite, so neither the sum nor the sum of squares overflows.
template <class W>
bool sums_are_safe(const Kernel<W>& kernel, const layer_norm::Statistics<W>& s) {
  const W largest(kernel.precision().compute.largest);
  const W d(static_cast<double>(s.core.size()));
  return d * s.max_abs <= largest && W(4) * d * s.max_abs * s.max_abs <= largest;
}

const bool registered =
    law({.id = "no_blow_up",
         .claims = "X5",
         .says = "|u_i| <= 1 up to roundings on a constant row, <= max(sqrt(d), sqrt(d - 1) + roundoff * "
                 "kappa) on others",
         .inputs = {row("z"), epsilon()},
         .scalars = rounded_scalars(),
         .families =
             {"constant", "one_ulp_apart", "large_offset", "progression", "integers", "gentle", "one_outlier",
              "wide_exponents", "near_overflow"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const auto s = kernel.statistics(z, in.eps());
          const W smallest = W(4) * W(kernel.precision().compute.min_normal);
          const bool constant = s.variance == 0;
          if (s.sigma == 0 || !(s.sigma * s.sigma >= smallest))
            return discard("q + eps is below the normal range");
          if (!sums_are_safe(kernel, s)) return discard("outside the range of the bound");
          const W limit = constant ? layer_norm::constant_row_limit<W>(z.size(), kernel.precision())
                                   : layer_norm::core_limit(s, kernel.precision());
          const auto u = kernel.core(z, in.eps());
          Verdict verdict = holds();
          for (std::size_t i = 0; i < u.size(); ++i)
            verdict = worse(
                std::move(verdict),
                at_most(layer_norm::magnitude(u[i]), limit, "|u[" + std::to_string(i) + "]|"));
          return verdict;
        });

}  // namespace
}  // namespace lnverify
