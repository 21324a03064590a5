// S5 and S6 bit for bit: a power of two only moves exponents, so no bit of the core may change.
//
// Stated where, in both scalings, squares and the sum of squares can neither over- nor underflow.
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "scaling.hpp"

namespace lnverify {
namespace {

template <class W>
bool squares_are_safe(const layer_norm::Row<W>& z, int digits) {
  const bool is_float = digits <= 24;
  const double d = static_cast<double>(z.size());
  const W low(d * std::ldexp(1.0, is_float ? -39 : -458));
  const W high(std::ldexp(1.0, is_float ? 62 : 510) / std::sqrt(d));
  for (const W& value : z)
    if (value != 0 && !(layer_norm::magnitude(value) >= low && layer_norm::magnitude(value) <= high))
      return false;
  return true;
}

template <class W>
bool epsilon_is_safe(const W& eps) {
  return eps == 0 || (eps >= W(std::ldexp(1.0, -126)) && eps <= W(std::ldexp(1.0, 126)));
}

template <class W>
bool gain_is_safe(const MaybeRow<W>& gain) {
  if (!gain) return true;
  for (const W& value : *gain)
    if (value != 0 && !(layer_norm::magnitude(value) >= W(std::ldexp(1.0, -60)) &&
                        layer_norm::magnitude(value) <= W(std::ldexp(1.0, 60))))
      return false;
  return true;
}

const bool registered = law(
    {.id = "power_of_two_scaling",
     .claims = "S5 S6",
     .says = "u_eps(2^k z) = u_{eps/4^k}(z) bit for bit",
     .inputs = {row("z"), scale("a"), epsilon(), gain()},
     .kind = Kind::trait,
     .scalars = rounded_scalars()},
    [](const auto& kernel, const auto& in) -> Verdict {
      const auto z = in["z"];
      const auto a = in.scalar("a");
      if (const auto reason = inexact_scaling(kernel, z, a, in.eps())) return discard(*reason);
      const auto scaled = z * a;
      const auto smaller = in.eps() / (a * a);
      const int digits = kernel.precision().compute.digits;
      const bool inside = squares_are_safe(z, digits) && squares_are_safe(scaled, digits) &&
                          epsilon_is_safe(in.eps()) && epsilon_is_safe(smaller) && gain_is_safe(in.gain());
      if (!inside) return discard("squares may leave the range");
      return identical(
          kernel.forward(scaled, in.gain(), {}, in.eps()), kernel.forward(z, in.gain(), {}, smaller));
    });

}  // namespace
}  // namespace lnverify
