// J9: a central difference of the core is the Jacobian, up to a known multiple of h^2.
//
// |(u(z + hw) - u(z - hw)) / 2h - Jw| <= h^2 |Pw|^3 / (2 d eps^(3/2)). At a constant row the difference is
// parallel to Pw, and with x = h^2 q(w) / eps its error is at least the bound times 1 - 3x/4: the bound is
// reached as h goes to 0.
#include <cmath>
#include <layer_norm/jacobian.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "reference_room.hpp"

namespace lnverify {
namespace {

std::vector<double> step(Draw& draw, const DrawContext&) { return {std::ldexp(1.0, draw.between(-8, 2))}; }

const bool registered =
    law({.id = "central_differences",
         .claims = "J1 J9",
         .says = "|(u(z + hw) - u(z - hw))/2h - Jw| <= h^2 |Pw|^3 / (2 d eps^(3/2)), reached at v = 0",
         .inputs = {row("z"), direction("w"), epsilon(), Input{"h", {}, false, step}},
         .exercises = Exercises::library,
         .scalars = {Scalar::f64, Scalar::mp50, Scalar::exact},
         .families = {"integers", "gentle", "variance_near_epsilon", "variance_below_epsilon", "constant"}},
        [](const auto&, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const auto w = in["w"];
          const W eps = in.eps();
          const W h = in.scalar("h");
          if (eps == W(0) || !(h > W(0))) return discard("epsilon or the step is 0");
          if (z.size() > 64) return discard("the dense matrix is large");
          const auto s = layer_norm::statistics(z, eps);
          const auto ahead = layer_norm::statistics(z + w * h, eps);
          const auto behind = layer_norm::statistics(z - w * h, eps);
          const auto slope = (widened(ahead.core) - widened(behind.core)) * Widened<W>(W(W(1) / (W(2) * h)));
          const auto error = slope - widened(layer_norm::jacobian_apply(z, eps, w));
          const W d(static_cast<double>(z.size()));
          const W spread = layer_norm::squared_norm(layer_norm::centered(w));
          const W limit_squared = h * h * h * h * spread * spread * spread / (W(4) * d * d * eps * eps * eps);
          const W reached = W(1) - W(3) * h * h * spread / (W(4) * d * eps);
          const bool sharp = s.variance == W(0) && reached > W(0);
          if constexpr (is_exact<W>) {
            const RootSum squared = layer_norm::squared_norm(error);
            if (sharp && !(RootSum(W(limit_squared * reached * reached)) <= squared))
              return falsified(Failure::wrong_value, "the bound is not reached at a constant row");
            return decided(squared <= RootSum(limit_squared), "the error of the central difference");
          } else {
            using std::sqrt;
            const W own = core_room(s) * norm(w) / s.sigma;
            const W room = (core_room(ahead) + core_room(behind)) / h + W(4) * own;
            const W limit = sqrt(limit_squared);
            Verdict verdict = at_most(norm(error), W(limit + room), "the error of the central difference");
            if (!sharp) return verdict;
            return worse(
                std::move(verdict),
                at_most(W(limit * reached - room), norm(error), "the bound at a constant row"));
          }
        });

}  // namespace
}  // namespace lnverify
