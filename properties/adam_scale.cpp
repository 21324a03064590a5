// A3: without eta, Adam does not see the scale of the gradients, and its first step is their sign.
#include <layer_norm/adam.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "reference_room.hpp"

namespace lnverify {
namespace {

std::vector<double> any_scale(Draw& draw, const DrawContext&) {
  return {static_cast<double>(draw.between(1, 40)) / 8};
}

const bool registered = law(
    {.id = "adam_scale",
     .claims = "A3",
     .says = "for eta = 0, gradients times a > 0 give the same steps, and the first is -alpha sign(g)",
     .inputs = {direction("g"), direction("next"), Input{"a", {}, false, any_scale}},
     .exercises = Exercises::library,
     .scalars = {Scalar::f32, Scalar::f64, Scalar::mp50, Scalar::exact},
     .families = {"gentle"}},
    [](const auto&, const auto& in) -> Verdict {
      const auto g = in["g"];
      const auto next = in["next"];
      using W = typename std::decay_t<decltype(g)>::value_type;
      const W a = in.scalar("a");
      if (!(a > W(0))) return discard("the scale is not positive");
      const layer_norm::AdamOptions<W> options{
          .alpha = W(3), .beta1 = W(0.875), .beta2 = W(0.75), .eta = W(0)};
      layer_norm::Adam<W> adam(g.size(), options);
      layer_norm::Adam<W> scaled(g.size(), options);
      // a step is at most alpha sqrt(1 - beta2^t) / (1 - beta1^t) <= 24, and is off by a few roundoffs
      const layer_norm::Row<W> room(g.size(), W(W(4096) * working_roundoff<W>()));
      layer_norm::Row<W> sign(g.size());
      for (std::size_t i = 0; i < g.size(); ++i)
        sign[i] = g[i] > W(0) ? -options.alpha : g[i] < W(0) ? options.alpha : W(0);
      const auto first = adam.step(g);
      Verdict verdict = within(first, sign, room, "the first step");
      verdict = worse(std::move(verdict), within(scaled.step(g * a), first, room, "the scaled first step"));
      for (int t = 0; t < 3; ++t)
        verdict =
            worse(std::move(verdict), within(scaled.step(next * a), adam.step(next), room, "a scaled step"));
      return verdict;
    });

}  // namespace
}  // namespace lnverify
