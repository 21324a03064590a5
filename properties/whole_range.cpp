// X2: the accuracy bound holds on every finite input, squares that over- or underflow included.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "whole_range",
         .claims = "X2",
         .says = "the accuracy bound holds for every finite z, gain, bias and epsilon",
         .inputs = {batch("z"), gain(), bias(), epsilon()},
         .kind = Kind::trait,
         .scalars = machine_scalars(),
         .families = {"near_overflow", "wide_exponents", "subnormal", "gentle"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in.matrix("z");
          return accurate(
              kernel, kernel.forward(z, in.gain(), in.bias(), in.eps()), z, in.gain(), in.bias(), in.eps(),
              layer_norm::Range::whole);
        });

}  // namespace
}  // namespace lnverify
