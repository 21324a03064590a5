// J10, J5: sigma^3 J is rational, and its eigenstructure holds without any tolerance.
#include <layer_norm/jacobian.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered = law(
    {.id = "scaled_jacobian",
     .claims = "J1 J2 J3 J4 J5 J10",
     .says = "A = sigma^3 J has A1 = 0, Av = eps v, Aw = sigma^2 w, and A = eps P where v = 0",
     .inputs = {row("z"), direction("w"), epsilon()},
     .exercises = Exercises::library,
     .scalars = {Scalar::exact},
     .families = {"integers", "gentle", "variance_near_epsilon", "constant", "alternating", "one_hot"}},
    [](const auto&, const auto& in) -> Verdict {
      using W = std::decay_t<decltype(in.eps())>;
      const auto z = in["z"];
      const W eps = in.eps();
      const auto s = layer_norm::statistics(z, eps);
      if (!(s.sigma > W(0))) return discard("the row is singular");
      const W square = s.variance + eps;
      const auto scaled = layer_norm::scaled_jacobian(z, eps);
      const auto jacobian = layer_norm::jacobian(z, eps);
      auto w = layer_norm::centered(in["w"]);
      if (s.variance > W(0))
        w = w - s.centered * W(layer_norm::dot(w, s.centered) / layer_norm::squared_norm(s.centered));
      const layer_norm::Row<W> ones(z.size(), W(1));
      Verdict verdict = all_of(
          {identical(scaled * ones, layer_norm::Row<W>(z.size()), "A1"),
           identical(scaled * s.centered, s.centered * eps, "Av"), identical(scaled * w, w * square, "Aw")});
      for (std::size_t i = 0; i < z.size(); ++i) {
        verdict = worse(std::move(verdict), identical(scaled.row(i), scaled.column(i), "A (symmetry)"));
        verdict = worse(
            std::move(verdict), identical(jacobian.row(i) * W(square * s.sigma), scaled.row(i), "sigma^3 J"));
        layer_norm::Row<W> unit(z.size());
        unit[i] = W(1);
        if (s.variance == W(0))
          verdict = worse(
              std::move(verdict),
              identical(scaled.row(i), layer_norm::centered(unit) * eps, "A where v = 0"));
      }
      return verdict;
    });

}  // namespace
}  // namespace lnverify
