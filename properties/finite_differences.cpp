// G4: dz is what differences of the forward pass say.
//
// The loss is L = <dy, gain u>. Its central difference along w is off by at most |gain dy| times the bound of
// J9, h^2 |Pw|^3 / (2 d eps^(3/2)); h is chosen so that this is 2^-32 of the largest slope there can be,
// |gain dy| |Pw| / sqrt(eps), and the forward pass is that of the reference in the working type.
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "reference_room.hpp"

namespace lnverify {
namespace {

const bool registered = law(
    {.id = "finite_differences",
     .claims = "G4 J9",
     .says = "<dz, w> = (L(z + hw) - L(z - hw)) / 2h up to a multiple of h^2",
     .inputs = {row("z"), gain(), gradient("dy"), direction("w"), epsilon()},
     .exercises = Exercises::backward,
     .scalars = rounded_scalars(),
     .required = {"variance_near_epsilon", "variance_below_epsilon"}},
    [](const auto& kernel, const auto& in) -> Verdict {
      using std::sqrt;
      using W = std::decay_t<decltype(in.eps())>;
      using Matrix = layer_norm::Matrix<W>;
      const auto z = in["z"];
      const auto dy = in["dy"];
      const auto w = in["w"];
      const W eps = kernel.epsilon(in.eps());
      const W spread = norm(layer_norm::centered(w));
      if (eps == W(0) || spread == W(0)) return discard("epsilon or the direction is 0");
      const auto bound = kernel.backward_bound(Matrix::of_row(z), in.gain(), in.eps(), Matrix::of_row(dy));
      auto sizes = w;
      for (W& value : sizes) value = layer_norm::magnitude(value);
      const W room = layer_norm::dot(sizes, bound.dz.row(0));
      if (!detail::finite(room)) return discard("outside the range of the bound");
      const auto g = in.gain() ? *in.gain() * dy : dy;
      const W d(static_cast<double>(z.size()));
      const W h = W(std::ldexp(1.0, -15)) * sqrt(d * eps) / spread;
      const auto ahead = layer_norm::statistics(z + w * h, eps);
      const auto behind = layer_norm::statistics(z - w * h, eps);
      const W slope = layer_norm::dot(g, ahead.core - behind.core) / (W(2) * h);
      const W of_difference = norm(g) * h * h * spread * spread * spread / (W(2) * d * eps * sqrt(eps));
      const W of_reference = norm(g) * (core_room(ahead) + core_room(behind)) / h;
      return within(
          W(layer_norm::dot(kernel.backward(z, in.gain(), in.eps(), dy), w)), slope,
          W(room + of_difference + of_reference), "<dz, w>");
    });

}  // namespace
}  // namespace lnverify
