// L4: the core is cocoercive, hence monotone, and an identity says by how much.
//
//   <Du, Dz> = (sigma + sigma')/2 |Du|^2 + (sigma - sigma')/2 (|u|^2 - |u'|^2) >= sqrt(eps) |Du|^2
//
// A core off by at most b in norm moves <Du, Dz> by b |Dz|, |Du|^2 by b (2 |Du| + b), and likewise |u|^2.
#include "engine/expectation.hpp"
#include "engine/neighbour.hpp"
#include "engine/property.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

using layer_norm::dot;
using layer_norm::squared_norm;

// By how much the square of a norm moves with a vector that is off by b.
template <class W>
W square_room(const W& size, const W& b) {
  return b * (W(2) * size + b);
}

const bool registered = law(
    {.id = "cocoercivity",
     .claims = "L4",
     .says = "<Du, Dz> = (s + s')/2 |Du|^2 + (s - s')/2 (|u|^2 - |u'|^2) >= sqrt(eps) |Du|^2, s = sigma",
     .inputs = {row("z"), neighbour("other"), epsilon()}},
    [](const auto& kernel, const auto& in) -> Verdict {
      using std::sqrt;
      using W = std::decay_t<decltype(in.eps())>;
      using V = Widened<W>;
      const auto z = in["z"];
      const auto other = in["other"];
      const W eps = kernel.epsilon(in.eps());
      const auto s = kernel.statistics(z, in.eps());
      const auto s_other = kernel.statistics(other, in.eps());
      if (s.sigma == W(0) || s_other.sigma == W(0)) return discard("a row is singular");
      const auto u = widened(kernel.core(z, in.eps()));
      const auto u_other = widened(kernel.core(other, in.eps()));
      const V half(W(W(1) / W(2)));
      const V left = dot(u - u_other, widened(z - other));
      const V moved = squared_norm(u - u_other);
      const V plus = half * (V(s.sigma) + V(s_other.sigma));
      const V minus = half * (V(s.sigma) - V(s_other.sigma));
      const V excess = minus * (squared_norm(u) - squared_norm(u_other));
      const V root(W(sqrt(eps)));
      if constexpr (is_exact<W>) {
        if (!(V(0) <= excess)) return falsified(Failure::wrong_value, "the excess is negative");
        if (!(left == plus * moved + excess)) return falsified(Failure::wrong_value, "<Du, Dz>");
        return decided(root * moved <= left, "<Du, Dz> is below sqrt(eps) |Du|^2");
      } else {
        const W b = norm(kernel.bound(z, in.eps()));
        const W b_other = norm(kernel.bound(other, in.eps()));
        if (!detail::finite(b) || !detail::finite(b_other)) return discard("outside the range of the bound");
        const W distance = norm(s.core - s_other.core);
        const W carried = (b + b_other) * norm(z - other);
        const W moved_room = square_room<W>(distance, b + b_other);
        const W sizes_room = square_room<W>(norm(s.core), b) + square_room<W>(norm(s_other.core), b_other);
        const W room = carried + plus * moved_room + layer_norm::magnitude(minus) * sizes_room;
        return worse(
            within(left, W(plus * moved + excess), room, "<Du, Dz>"),
            at_most(W(root * moved), W(left + carried + root * moved_room), "sqrt(eps) |Du|^2"));
      }
    });

}  // namespace
}  // namespace lnverify
