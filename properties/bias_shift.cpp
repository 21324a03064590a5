// R1: adding one number to the bias of the layer before the normalization is invisible, for every x.
#include <cmath>
#include <layer_norm/affine_map.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

std::vector<double> common_shift(Draw& draw, const DrawContext&) {
  const int exponent = draw.between(-3, 6);
  const double steps = draw.between(1, 9);
  return {draw.sign() * std::ldexp(steps, exponent)};
}

const bool registered =
    law({.id = "bias_shift",
         .claims = "R1",
         .says = "u(W x + b + c1) = u(W x + b)",
         .inputs =
             {matrix("W", "d", "n"), vector("b", "d"), vector("x", "n"), Input{"c", {}, false, common_shift},
              epsilon()},
         .families = {"gentle"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const layer_norm::AffineMap<std::decay_t<decltype(in.eps())>> layer{in.matrix("W"), in["b"]};
          const auto before = kernel.round(layer(in["x"]));
          const auto after = kernel.round(layer.shifted_bias(in.scalar("c"))(in["x"]));
          return within(
              kernel.core(after, in.eps()), kernel.core(before, in.eps()),
              kernel.bound(after, in.eps(), 1) + kernel.bound(before, in.eps(), 1));
        });

}  // namespace
}  // namespace lnverify
