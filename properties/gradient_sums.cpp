// G2: dz sums to 0, and its component along v is eps / sigma^3 times that of g.
#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "gradient_sums",
         .claims = "G2",
         .says = "sum dz_i = 0 and <v, dz> = eps/sigma^3 <v, gain dy>",
         .inputs = {row("z"), gain(), gradient("dy"), epsilon()},
         .exercises = Exercises::backward},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          using Matrix = layer_norm::Matrix<W>;
          const auto z = in["z"];
          const auto dy = in["dy"];
          const W eps = kernel.epsilon(in.eps());
          const auto s = kernel.statistics(z, in.eps());
          if (s.sigma == W(0)) return discard("the row is singular");
          const auto g = in.gain() ? *in.gain() * dy : dy;
          const auto dz = kernel.backward(z, in.gain(), in.eps(), dy);
          const auto room =
              kernel.backward_bound(Matrix::of_row(z), in.gain(), in.eps(), Matrix::of_row(dy)).dz.row(0);
          auto sizes = s.centered;
          for (W& value : sizes) value = layer_norm::magnitude(value);
          // v and g may be large beside J g: the working type's own roundings of both inner products
          const W d(static_cast<double>(z.size()));
          W own(0);
          if constexpr (!is_exact<W>) {
            const W largest = layer_norm::max_abs(sizes) * layer_norm::max_abs(g);
            own = W(4) * d * (d + W(4)) * std::numeric_limits<W>::epsilon() * largest * (eps + s.variance) /
                  (s.sigma * s.sigma * s.sigma);
          }
          return worse(
              within(layer_norm::sum(dz), W(0), layer_norm::sum(room), "sum of dz"),
              within(
                  layer_norm::dot(s.centered, dz),
                  W(eps * layer_norm::dot(s.centered, g) / (s.sigma * s.sigma * s.sigma)),
                  W(layer_norm::dot(sizes, room) + own), "<v, dz>"));
        });

}  // namespace
}  // namespace lnverify
