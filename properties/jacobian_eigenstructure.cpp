// J1-J4: the eigenvalues of the Jacobian, seen through the backward pass, which applies it.
//
// J is symmetric, so with gain 1 the backward pass maps dy to J dy: 1 to 0, v to eps/sigma^3 v, and any w
// orthogonal to 1 and v to w/sigma. v and w are rounded to the grid before they go in; what that costs is
// added to the bound.
#include <layer_norm/jacobian.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

// What rounding the direction costs: J and the eigenvalue both act on at most a roundoff of it, and |J| <=
// 1/sigma.
template <class W>
layer_norm::Row<W> rounding_cost(
    const Kernel<W>& kernel, const layer_norm::Statistics<W>& s, const layer_norm::Row<W>& direction) {
  const W u(kernel.precision().storage.unit_roundoff);
  const W d(static_cast<double>(direction.size()));
  layer_norm::Row<W> moved(direction.size());
  W mean_moved(0);
  W mean_weighted(0);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i] = u * layer_norm::magnitude(direction[i]) + W(kernel.precision().storage.min_subnormal);
    mean_moved += moved[i] / d;
    mean_weighted += moved[i] * layer_norm::magnitude(s.core[i]) / d;
  }
  for (std::size_t i = 0; i < moved.size(); ++i)
    moved[i] = W(2) * (moved[i] + mean_moved + layer_norm::magnitude(s.core[i]) * mean_weighted) / s.sigma;
  return moved;
}

template <class W>
Verdict applied(
    const Kernel<W>& kernel, const layer_norm::Row<W>& z, const W& eps, const layer_norm::Statistics<W>& s,
    const layer_norm::Row<W>& direction, const W& eigenvalue, const char* what) {
  const auto dy = kernel.round(direction);
  const auto bound =
      kernel.backward_bound(layer_norm::Matrix<W>::of_row(z), {}, eps, layer_norm::Matrix<W>::of_row(dy))
          .dz.row(0);
  return within(
      kernel.backward(z, {}, eps, dy), direction * eigenvalue, bound + rounding_cost(kernel, s, direction),
      what);
}

// w without its components along 1 and v; zero where nothing but roundoff of the projection is left.
template <class W>
layer_norm::Row<W> orthogonal_part(const layer_norm::Row<W>& w, const layer_norm::Statistics<W>& s) {
  layer_norm::Row<W> rest = layer_norm::centered(w);
  if (s.variance > W(0))
    rest = rest - s.centered * W(layer_norm::dot(rest, s.centered) / layer_norm::squared_norm(s.centered));
  const W smallest = layer_norm::squared_norm(w) / W(1 << 20);
  return layer_norm::squared_norm(rest) > smallest ? rest : layer_norm::Row<W>(w.size());
}

const bool registered =
    law({.id = "jacobian_eigenstructure",
         .claims = "J1 J2 J3 J4 G2 G3",
         .says = "dz = 0 for dy = 1, eps/sigma^3 v for dy = v, w/sigma for dy = w orthogonal to 1 and v",
         .inputs = {row("z"), direction("w"), epsilon()},
         .exercises = Exercises::backward},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const W eps = kernel.epsilon(in.eps());
          const auto s = kernel.statistics(z, in.eps());
          if (!(s.sigma > W(0)) || !detail::finite(s.sigma)) return discard("the row is singular");
          const auto values = layer_norm::jacobian_eigenvalues(z, eps);
          const auto ones = layer_norm::Row<W>(z.size(), W(1));
          const auto w = orthogonal_part(in["w"], s);
          return all_of(
              {applied(kernel, z, in.eps(), s, ones, values.common, "J1"),
               applied(kernel, z, in.eps(), s, s.centered, values.radial, "Jv"),
               applied(kernel, z, in.eps(), s, w, values.other, "Jw")});
        });

}  // namespace
}  // namespace lnverify
