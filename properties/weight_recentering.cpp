// R2: adding the same row to every row of the weight matrix before the normalization is invisible.
//
// W x + b is formed in the working type and rounded once, so the law judges the normalization, not a matrix
// product.
#include <cmath>
#include <layer_norm/affine_map.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

// Rows added to every row of W, from small to large beside it.
std::vector<double> common_row(Draw& draw, const DrawContext& context) {
  const int exponent = draw.between(-2, 6);
  std::vector<double> r(context.size("n"));
  for (double& value : r) value = std::ldexp(static_cast<double>(draw.between(-9, 9)), exponent);
  return r;
}

const bool registered =
    law({.id = "weight_recentering",
         .claims = "R2",
         .says = "u((W + 1 r^T) x + b) = u(W x + b)",
         .inputs =
             {matrix("W", "d", "n"), vector("b", "d"), vector("x", "n"), Input{"r", {"n"}, false, common_row},
              epsilon()},
         .families = {"gentle"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const layer_norm::AffineMap<std::decay_t<decltype(in.eps())>> layer{in.matrix("W"), in["b"]};
          const auto before = kernel.round(layer(in["x"]));
          const auto after = kernel.round(layer.recentered(in["r"])(in["x"]));
          return within(
              kernel.core(after, in.eps()), kernel.core(before, in.eps()),
              kernel.bound(after, in.eps(), 1) + kernel.bound(before, in.eps(), 1));
        });

}  // namespace
}  // namespace lnverify
