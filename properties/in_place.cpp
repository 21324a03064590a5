// X7: where the kernel says that y may be z, the result is the same as out of place.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "in_place",
         .claims = "X7",
         .says = "forward with y = z gives the same bits as with separate arrays",
         .inputs = {batch("z"), gain(), bias(), epsilon()},
         .kind = Kind::trait,
         .scalars = machine_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in.matrix("z");
          const auto apart = kernel.forward(z, in.gain(), in.bias(), in.eps());
          const auto same = kernel.forward(z, in.gain(), in.bias(), in.eps(), Operation::forward_in_place);
          return identical(same.values(), apart.values());
        });

}  // namespace
}  // namespace lnverify
