// V8, V9: a constant row, and any row of one coordinate, gives the bias, within the bound.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "constant_rows",
         .claims = "V8 V9",
         .says = "y(c1) = bias, within the bound",
         .inputs = {row("z"), gain(), bias(), epsilon()},
         .families = {"constant", "integers"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          layer_norm::Row<W> z = in["z"];
          for (W& value : z) value = W(z[0]);
          const auto bias = in.bias();
          return within(
              kernel.forward(z, in.gain(), bias, in.eps()), bias ? *bias : layer_norm::Row<W>(z.size()),
              kernel.bound(z, in.gain(), bias, in.eps()));
        });

}  // namespace
}  // namespace lnverify
