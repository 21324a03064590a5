// G3: where gain times dy is the same in every coordinate, nothing flows back to z.
//
// The gains are powers of two and dy is their multiple of the reciprocals, so gain dy is constant exactly.
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

std::vector<double> powers_of_two(Draw& draw, const DrawContext& context) {
  std::vector<double> values(context.size("d"));
  for (double& value : values) {
    const double sign = draw.sign();
    value = sign * std::ldexp(1.0, draw.between(-4, 4));
  }
  return values;
}
std::vector<double> level(Draw& draw, const DrawContext&) {
  const double value = draw.between(1, 7);
  return {draw.sign() * value};
}

const bool registered = law(
    {.id = "constant_gradient",
     .claims = "G3",
     .says = "gain dy constant gives dz = 0",
     .inputs =
         {row("z"), Input{"gain", {"d"}, false, powers_of_two}, Input{"level", {}, false, level}, epsilon()},
     .exercises = Exercises::backward},
    [](const auto& kernel, const auto& in) -> Verdict {
      using W = std::decay_t<decltype(in.eps())>;
      using Matrix = layer_norm::Matrix<W>;
      const auto z = in["z"];
      layer_norm::Row<W> dy = *in.gain();
      for (W& value : dy) {
        if (value == W(0)) return discard("a gain is 0");
        value = in.scalar("level") / value;
      }
      if (!(kernel.round(dy) == dy) || !(*in.gain() * dy == layer_norm::Row<W>(z.size(), in.scalar("level"))))
        return discard("gain times dy is not constant");
      const auto room =
          kernel.backward_bound(Matrix::of_row(z), in.gain(), in.eps(), Matrix::of_row(dy)).dz.row(0);
      return within(kernel.backward(z, in.gain(), in.eps(), dy), layer_norm::Row<W>(z.size()), room, "dz");
    });

}  // namespace
}  // namespace lnverify
