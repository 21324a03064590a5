// J1-J5 on the reference's dense Jacobian: symmetric, with the eigenvalues that the claims give, P/sqrt(eps)
// at a constant row.
//
// Evaluated in the working type; a product of J with a vector is a sum of d terms, each off by a few
// roundoffs.
#include <layer_norm/jacobian.hpp>
#include <limits>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered = law(
    {.id = "dense_jacobian",
     .claims = "J1 J2 J3 J4 J5",
     .says = "J is symmetric; J1 = 0, Jv = eps/sigma^3 v, Jw = w/sigma; J = P/sqrt(eps) at a constant row",
     .inputs = {row("z"), direction("w"), epsilon()},
     .exercises = Exercises::library,
     .scalars = {Scalar::f32, Scalar::f64, Scalar::mp50, Scalar::exact},
     .families = {"integers", "gentle", "variance_near_epsilon", "constant", "alternating", "one_hot"}},
    [](const auto&, const auto& in) -> Verdict {
      using W = std::decay_t<decltype(in.eps())>;
      const auto z = in["z"];
      const W eps = in.eps();
      if (z.size() > 64) return discard("the dense matrix is large");
      const auto s = layer_norm::statistics(z, eps);
      if (!(s.sigma > W(0))) return discard("the row is singular");
      const auto jacobian = layer_norm::jacobian(z, eps);
      const auto values = layer_norm::jacobian_eigenvalues(z, eps);
      const W roundoff = std::numeric_limits<W>::epsilon();
      const W kappa = s.max_abs / s.sigma;
      const W room = W(static_cast<double>(4 * z.size() + 32)) * roundoff * (W(1) + kappa) / s.sigma;
      auto w = layer_norm::centered(in["w"]);
      if (s.variance > W(0))
        w = w - s.centered * W(layer_norm::dot(w, s.centered) / layer_norm::squared_norm(s.centered));
      const layer_norm::Row<W> ones(z.size(), W(1));
      const auto tolerance = [&](const layer_norm::Row<W>& direction) {
        return layer_norm::Row<W>(
            z.size(), W(room * layer_norm::max_abs(direction) * W(static_cast<double>(z.size()))));
      };
      Verdict verdict = all_of(
          {within(jacobian * ones, ones * values.common, tolerance(ones), "J1"),
           within(jacobian * s.centered, s.centered * values.radial, tolerance(s.centered), "Jv"),
           within(jacobian * w, w * values.other, tolerance(in["w"]), "Jw")});
      for (std::size_t i = 0; i < z.size(); ++i)
        verdict = worse(std::move(verdict), identical(jacobian.row(i), jacobian.column(i), "J (symmetry)"));
      if (s.variance > W(0) || eps == 0) return verdict;
      for (std::size_t i = 0; i < z.size(); ++i) {
        layer_norm::Row<W> unit(z.size());
        unit[i] = W(1);
        verdict = worse(
            std::move(verdict), within(
                                    jacobian.row(i), layer_norm::centered(unit) / s.sigma, tolerance(unit),
                                    "J at a constant row"));
      }
      return verdict;
    });

}  // namespace
}  // namespace lnverify
