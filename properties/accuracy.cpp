// X1: every result lies within the derived bound of the exact one. Most faults die of this law.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "accuracy",
         .claims = "X1",
         .says = "|y - exact y| <= the bound derived from d, the condition number and the roundoff",
         .inputs = {batch("z"), gain(), bias(), epsilon()},
         .scalars = rounded_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in.matrix("z");
          return accurate(
              kernel, kernel.forward(z, in.gain(), in.bias(), in.eps()), z, in.gain(), in.bias(), in.eps());
        });

}  // namespace
}  // namespace lnverify
