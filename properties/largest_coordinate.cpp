// M3: no coordinate of the core exceeds sqrt((d - 1) q / (q + eps)) (Samuelson's inequality).
//
// Reached by a row with one coordinate apart from all others, which the family one_hot gives.
#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "largest_coordinate",
         .claims = "M3",
         .says = "max |u_i| <= sqrt((d - 1) q / (q + eps))",
         .inputs = {row("z"), epsilon()},
         .required = {"one_hot"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using std::sqrt;
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const auto s = kernel.statistics(z, in.eps());
          if (s.sigma == W(0)) return discard("the row is singular");
          const W d(static_cast<double>(z.size()));
          const W square = (d - W(1)) / d * layer_norm::squared_norm(s.core);
          const auto u = kernel.core(z, in.eps());
          const auto room = kernel.bound(z, in.eps());
          Verdict verdict = discard("outside the range of the bound");
          for (std::size_t i = 0; i < u.size(); ++i) {
            if constexpr (is_exact<W>)
              verdict = worse(std::move(verdict), decided(u[i] * u[i] <= square, "a coordinate of u"));
            else
              verdict = worse(
                  std::move(verdict),
                  at_most(layer_norm::magnitude(u[i]), W(sqrt(square) + room[i]), "a coordinate of |u|"));
          }
          return verdict;
        });

}  // namespace
}  // namespace lnverify
