// A2: Adam's step depends on what came before; the normalization of a row does not.
//
// Two histories (h, g) and (-h, g) end in the same gradient. Their corrected second moments agree, their
// first differ by 2 beta1 (1 - beta1) h / (1 - beta1^2), so the steps differ by -alpha times that over
// sqrt(w^) + eta. The core of g, computed after that of h or of -h, is the same to the bit.
#include <layer_norm/adam.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "reference_room.hpp"

namespace lnverify {
namespace {

template <class W>
layer_norm::Row<W> second_step(
    const layer_norm::Row<W>& before, const layer_norm::Row<W>& g,
    const layer_norm::AdamOptions<W>& options) {
  layer_norm::Adam<W> adam(g.size(), options);
  adam.step(before);
  return adam.step(g);
}

const bool registered = law(
    {.id = "adam_history",
     .claims = "A2",
     .says = "histories (h, g) and (-h, g) give steps that differ wherever h is not 0",
     .inputs = {direction("h"), direction("g")},
     .exercises = Exercises::library,
     .scalars = {Scalar::f32, Scalar::f64, Scalar::mp50, Scalar::exact},
     .families = {"gentle"}},
    [](const auto&, const auto& in) -> Verdict {
      using std::sqrt;
      const auto h = in["h"];
      const auto g = in["g"];
      using W = typename std::decay_t<decltype(g)>::value_type;
      const layer_norm::AdamOptions<W> options{.alpha = W(1), .beta1 = W(0.5), .beta2 = W(0.75), .eta = W(1)};
      const auto plus = second_step(h, g, options);
      const auto minus = second_step(-h, g, options);
      layer_norm::Row<W> expected(g.size());
      for (std::size_t i = 0; i < g.size(); ++i) {
        const W w = (W(0.1875) * h[i] * h[i] + W(0.25) * g[i] * g[i]) / W(0.4375);
        expected[i] = -h[i] * W(2) / (W(3) * (sqrt(w) + W(1)));
      }
      const layer_norm::Row<W> room(
          g.size(), W(W(64) * working_roundoff<W>() * (layer_norm::max_abs(h) + layer_norm::max_abs(g))));
      for (std::size_t i = 0; i < g.size(); ++i)
        if (h[i] != W(0) && plus[i] == minus[i])
          return falsified(Failure::wrong_value, "the history was not seen");
      return within(plus - minus, expected, room, "the difference of the steps");
    });

}  // namespace
}  // namespace lnverify
