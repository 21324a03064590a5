// A1: for a constant gradient Adam's corrected averages are the gradient and its square, at every step.
#include <layer_norm/adam.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "reference_room.hpp"

namespace lnverify {
namespace {

// Eighths below 1, so that 1 - beta is exact.
std::vector<double> decay(Draw& draw, const DrawContext&) {
  return {static_cast<double>(draw.between(0, 7)) / 8};
}

const bool registered =
    law({.id = "adam_bias_correction",
         .claims = "A1",
         .says = "for a constant gradient g, m^_t = g and w^_t = g^2 at every t, and m_1 = (1 - beta1) g",
         .inputs = {direction("g"), Input{"beta1", {}, false, decay}, Input{"beta2", {}, false, decay}},
         .exercises = Exercises::library,
         .scalars = {Scalar::f32, Scalar::f64, Scalar::mp50, Scalar::exact},
         .families = {"gentle"}},
        [](const auto&, const auto& in) -> Verdict {
          const auto g = in["g"];
          using W = typename std::decay_t<decltype(g)>::value_type;
          const W beta1 = in.scalar("beta1");
          const W beta2 = in.scalar("beta2");
          if (!(beta1 >= W(0) && beta1 < W(1) && beta2 >= W(0) && beta2 < W(1)))
            return discard("no rates of decay");
          layer_norm::Adam<W> adam(g.size(), {.alpha = W(1), .beta1 = beta1, .beta2 = beta2, .eta = W(1)});
          Verdict verdict = holds();
          constexpr int steps = 6;
          for (int t = 1; t <= steps; ++t) {
            adam.step(g);
            if (t == 1)
              verdict = worse(std::move(verdict), identical(adam.first(), g * W(W(1) - beta1), "m_1"));
            // 1 - beta^t is at least 1/8, and each step rounds a few times
            const W room = W(64 * t) * working_roundoff<W>();
            const auto limit = [&](const auto& value) {
              return layer_norm::Row<W>(g.size(), W(room * layer_norm::max_abs(value)));
            };
            verdict = worse(std::move(verdict), within(adam.corrected_first(), g, limit(g), "m^"));
            verdict = worse(std::move(verdict), within(adam.corrected_second(), g * g, limit(g * g), "w^"));
          }
          return verdict;
        });

}  // namespace
}  // namespace lnverify
