// X3: a NaN in dy or z makes that row of dz NaN; an infinity in dy leaves nothing finite in it.
#include <limits>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered = law(
    {.id = "non_finite_gradients",
     .claims = "X3",
     .says = "a row of dz with a NaN or infinity in its z or dy has no finite entry; the rows beside it do "
             "not notice",
     .inputs = {row("z"), gradient("dy"), non_finite("special"), place("index", "d"), epsilon()},
     .exercises = Exercises::backward,
     .scalars = machine_scalars()},
    [](const auto& kernel, const auto& in) -> Verdict {
      using W = std::decay_t<decltype(in.eps())>;
      using Matrix = layer_norm::Matrix<W>;
      const auto z = in["z"];
      if (detail::finite(in.scalar("special"))) return discard("nothing is NaN or infinite");
      const auto dy = in["dy"];
      if (detail::finite(in.scalar("special"))) return discard("the special value is an ordinary number");
      const std::size_t index = in.index("index") % z.size();
      const auto s = kernel.statistics(z, in.eps());
      if (!(s.sigma > W(0)) || !detail::finite(s.sigma)) return discard("the row is singular");
      Verdict verdict = discard("outside the range of the bound");
      for (const bool in_z : {true, false}) {
        Matrix rows_z(3, z.size());
        Matrix rows_dy(3, z.size());
        for (std::size_t t = 0; t < 3; ++t) rows_z.set_row(t, z);
        for (std::size_t t = 0; t < 3; ++t) rows_dy.set_row(t, dy);
        (in_z ? rows_z : rows_dy)(1, index) = in.scalar("special");
        const auto dz = kernel.backward(rows_z, {}, in.eps(), rows_dy).dz;
        const bool must_be_nan = in_z || in.scalar("special") != in.scalar("special");
        for (std::size_t i = 0; i < z.size(); ++i)
          if (detail::finite(dz(1, i)) || (must_be_nan && dz(1, i) == dz(1, i))) {
            verdict = falsified(Failure::wrong_value, "dz[1][" + std::to_string(i) + "] hides it");
            verdict.got = detail::as_doubles(dz.row(1), i);
            verdict.expected.assign(verdict.got.size(), std::numeric_limits<double>::quiet_NaN());
            return verdict;
          }
        const auto bound =
            kernel.backward_bound(Matrix::of_row(z), {}, in.eps(), Matrix::of_row(dy)).dz.row(0);
        const auto expected = layer_norm::backward_row(z, {}, kernel.epsilon(in.eps()), dy);
        verdict = all_of(
            {verdict, holds(), within(dz.row(0), expected, bound, "dz[0]"),
             within(dz.row(2), expected, bound, "dz[2]")});
      }
      return verdict;
    });

}  // namespace
}  // namespace lnverify
