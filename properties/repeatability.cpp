// X6: the same call gives the same bits.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "repeatability",
         .claims = "X6",
         .says = "the same forward call gives the same bits",
         .inputs = {batch("z"), gain(), bias(), epsilon()},
         .scalars = machine_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in.matrix("z");
          const auto first = kernel.forward(z, in.gain(), in.bias(), in.eps());
          const auto second = kernel.forward(z, in.gain(), in.bias(), in.eps());
          return identical(second.values(), first.values());
        });

}  // namespace
}  // namespace lnverify
