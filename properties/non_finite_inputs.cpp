// X3: a NaN or an infinity makes its own row NaN, and no other.
#include <limits>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered = law(
    {.id = "non_finite_inputs",
     .claims = "X3",
     .says =
         "a row with a NaN or an infinity becomes NaN in every coordinate; the rows beside it do not notice",
     .inputs = {row("z"), non_finite("special"), place("index", "d"), epsilon()},
     .scalars = machine_scalars()},
    [](const auto& kernel, const auto& in) -> Verdict {
      const auto z = in["z"];
      if (detail::finite(in.scalar("special"))) return discard("nothing is NaN or infinite");
      if (detail::finite(in.scalar("special"))) return discard("the special value is an ordinary number");
      auto batch = layer_norm::Matrix<std::decay_t<decltype(in.eps())>>(3, z.size());
      for (std::size_t t = 0; t < 3; ++t) batch.set_row(t, z);
      batch(1, in.index("index") % z.size()) = in.scalar("special");
      const auto y = kernel.forward(batch, {}, {}, in.eps());
      for (std::size_t i = 0; i < z.size(); ++i)
        if (y(1, i) == y(1, i)) {
          Verdict verdict =
              falsified(Failure::wrong_value, "y[1][" + std::to_string(i) + "] is a number, not NaN");
          verdict.got = detail::as_doubles(y.row(1), i);
          verdict.expected.assign(verdict.got.size(), std::numeric_limits<double>::quiet_NaN());
          return verdict;
        }
      const Verdict first = accurate(kernel, y.row(0), z, {}, {}, in.eps());
      const Verdict last = accurate(kernel, y.row(2), z, {}, {}, in.eps());
      return all_of({holds(), first, last});
    });

}  // namespace
}  // namespace lnverify
