// R3: x -> x + a is invisible if W a is a multiple of 1, and only then.
//
// Both sides: with the first column of W made constant, a step along it is invisible; any other step s = W a
// moves the core by at least eps / max(sigma, sigma')^3 |P s|.
#include <cmath>
#include <layer_norm/affine_map.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "input_shift",
         .claims = "R3 S2",
         .says = "u(W (x + a) + b) = u(W x + b) if and only if W a is a multiple of 1",
         .inputs = {matrix("W", "d", "n"), vector("b", "d"), vector("x", "n"), vector("a", "n"), epsilon()},
         .scalars = rounded_scalars(),
         .families = {"gentle"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using std::sqrt;
          using W = std::decay_t<decltype(in.eps())>;
          layer_norm::AffineMap<W> layer{in.matrix("W"), in["b"]};
          const auto x = in["x"];
          const auto a = in["a"];
          const auto z = kernel.round(layer(x));
          const auto moved = kernel.round(layer(x + a));
          const auto s = kernel.statistics(z, in.eps());
          const auto s_moved = kernel.statistics(moved, in.eps());
          const W sigma = s.sigma > s_moved.sigma ? s.sigma : s_moved.sigma;
          const W least = kernel.epsilon(in.eps()) / (sigma * sigma * sigma) *
                          sqrt(layer_norm::squared_norm(layer_norm::centered(moved - z)));
          const W slack =
              sqrt(layer_norm::squared_norm(kernel.bound(moved, in.eps()) + kernel.bound(z, in.eps())));
          if (!detail::finite(slack)) return discard("outside the range of the bound");
          const auto difference = kernel.core(moved, in.eps()) - kernel.core(z, in.eps());
          Verdict verdict = at_most(
              W(least - slack), W(sqrt(layer_norm::squared_norm(difference))),
              "the least distance that a visible step makes");

          for (std::size_t i = 0; i < layer.weight.rows(); ++i) layer.weight(i, 0) = W(layer.weight(0, 0));
          layer_norm::Row<W> along(x.size());
          along[0] = a[0];
          const auto before = kernel.round(layer(x));
          const auto after = kernel.round(layer(x + along));
          return worse(
              std::move(verdict), within(
                                      kernel.core(after, in.eps()), kernel.core(before, in.eps()),
                                      kernel.bound(after, in.eps(), 1) + kernel.bound(before, in.eps(), 1)));
        });

}  // namespace
}  // namespace lnverify
