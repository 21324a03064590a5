// S1 bit for bit: where all of the arithmetic is exact, a common shift changes no bit.
//
// Both rows lie on one lattice of integers times a power of two, their sums of magnitudes stay below
// 2^digits, and d is a power of two that divides the sum: then every partial sum, the mean and every
// deviation are exact in any order of summation, so both rows have the same deviations, and whatever a kernel
// does from there on is the same.
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

std::vector<double> integer_shift(Draw& draw, const DrawContext& context) {
  const Array* z = context.so_far.find("z");
  double unit = 1;
  for (const double value : z->values)
    while (value != std::floor(value / unit) * unit) unit /= 2;
  const double steps = draw.between(1, 60);
  return {draw.sign() * steps * unit};
}

// An integer that a double holds; larger ones are not drawn.
template <class W>
bool is_integer(const W& x) {
  const double value = static_cast<double>(x);
  return std::floor(value) == value && W(value) == x;
}

// The largest power of two of which every coordinate of both rows is a multiple.
template <class W>
W lattice_unit(const layer_norm::Row<W>& a, const layer_norm::Row<W>& b) {
  W unit(1);
  for (const auto& row : {a, b})
    for (const W& value : row)
      while (!is_integer(W(value / unit))) unit /= W(2);
  return unit;
}

const bool registered =
    law({.id = "lattice_shift",
         .claims = "S1",
         .says = "u(z + c1) = u(z) bit for bit where sums, mean and deviations are exact",
         .inputs = {row("z"), Input{"shift", {}, false, integer_shift}, epsilon()},
         .kind = Kind::trait,
         .scalars = rounded_scalars(),
         .families = {"lattice"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          const auto moved = z + in.scalar("shift");
          const std::size_t d = z.size();
          if ((d & (d - 1)) != 0) return discard("d is no power of two");
          if (!(kernel.round(moved) == moved)) return discard("the shifted row is not representable");
          using W = std::decay_t<decltype(in.eps())>;
          const W unit = lattice_unit(z, moved);
          const W limit(std::ldexp(1.0, kernel.precision().compute.digits));
          for (const auto& row : {z, moved}) {
            W total(0);
            W magnitudes(0);
            for (const W& value : row) {
              total += value / unit;
              magnitudes += layer_norm::magnitude(value) / unit;
            }
            const W mean = total / W(static_cast<double>(d));
            if (!(magnitudes < limit) || !is_integer(mean)) return discard("not every sum is exact");
          }
          return identical(kernel.core(moved, in.eps()), kernel.core(z, in.eps()));
        });

}  // namespace
}  // namespace lnverify
