// V8, V9 exactly: a constant row gives the bias itself, not something near it.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "exact_constant_rows",
         .claims = "V8 V9",
         .says = "y(c1) = bias exactly, for epsilon > 0",
         .inputs = {row("z"), gain(), bias(), epsilon()},
         .kind = Kind::trait,
         .scalars = rounded_scalars(),
         .families = {"constant", "integers"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          layer_norm::Row<W> z = in["z"];
          for (W& value : z) value = W(z[0]);
          const auto bias = in.bias();
          const W eps = kernel.epsilon(in.eps());
          const W d(static_cast<double>(z.size()));
          if (!(eps >= W(4) * W(kernel.precision().compute.min_normal)) || eps == 0)
            return discard("epsilon is below the normal range");
          if (!(d * layer_norm::max_abs(z) <= W(kernel.precision().compute.largest)))
            return discard("the sum may overflow");
          return identical(
              kernel.forward(z, in.gain(), bias, in.eps()), bias ? *bias : layer_norm::Row<W>(z.size()));
        });

}  // namespace
}  // namespace lnverify
