// J6: the Jacobian loses one dimension to the common offset, and another to the scale when epsilon is 0.
//
// The rank is that of sigma^3 J, found by exact elimination where numbers are exact. The trace, (d - 2)
// sigma^2 + eps after scaling, is checked in every number type.
#include <layer_norm/jacobian.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "reference_room.hpp"

namespace lnverify {
namespace {

template <class W>
std::size_t rank(layer_norm::Matrix<W> m) {
  std::size_t rank = 0;
  for (std::size_t column = 0; column < m.cols(); ++column) {
    std::size_t pivot = rank;
    while (pivot < m.rows() && m(pivot, column) == W(0)) ++pivot;
    if (pivot == m.rows()) continue;
    const layer_norm::Row<W> row = m.row(pivot);
    m.set_row(pivot, m.row(rank));
    m.set_row(rank, row);
    for (std::size_t i = rank + 1; i < m.rows(); ++i)
      m.set_row(i, m.row(i) - row * W(m(i, column) / row[column]));
    ++rank;
  }
  return rank;
}

const bool registered =
    law({.id = "jacobian_rank",
         .claims = "J6",
         .says = "rank J = d - 1 (d - 2 for eps = 0), and sigma^3 trace J = (d - 2) sigma^2 + eps",
         .inputs = {row("z"), epsilon()},
         .exercises = Exercises::library,
         .scalars = {Scalar::f32, Scalar::f64, Scalar::mp50, Scalar::exact},
         .families = {"integers", "gentle", "variance_near_epsilon", "constant", "one_hot", "repeated"}},
        [](const auto&, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const auto z = in["z"];
          const W eps = in.eps();
          if (z.size() > 64) return discard("the dense matrix is large");
          const auto s = layer_norm::statistics(z, eps);
          if (!(s.sigma > W(0))) return discard("the row is singular");
          const W square = s.sigma * s.sigma;
          const W d(static_cast<double>(z.size()));
          const auto scaled = layer_norm::scaled_jacobian(z, eps);
          const auto jacobian = layer_norm::jacobian(z, eps);
          W trace(0);
          W trace_of_scaled(0);
          for (std::size_t i = 0; i < z.size(); ++i) {
            trace += square * s.sigma * jacobian(i, i);
            trace_of_scaled += scaled(i, i);
          }
          const W expected = (d - W(2)) * square + eps;
          // d diagonal entries, each of at most sigma^2 and off by c(d) roundoffs of what u is off by
          const W room = d * square * W(4) * (core_room(s) + W(4) * working_roundoff<W>());
          Verdict verdict = worse(
              within(trace, expected, room, "sigma^3 trace J"),
              within(trace_of_scaled, expected, room, "trace sigma^3 J"));
          if constexpr (is_exact<W>) {
            const std::size_t lost = eps == W(0) ? 2 : 1;
            const std::size_t should = z.size() > lost ? z.size() - lost : 0;
            verdict = worse(std::move(verdict), decided(rank(scaled) == should, "rank J"));
          }
          return verdict;
        });

}  // namespace
}  // namespace lnverify
