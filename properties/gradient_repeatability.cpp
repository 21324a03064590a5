// X6: the same backward call gives the same bits of dz.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "gradient_repeatability",
         .claims = "X6",
         .says = "the same backward call gives the same bits of dz",
         .inputs = {batch("z"), gain(), gradients("dy"), epsilon()},
         .exercises = Exercises::backward,
         .scalars = machine_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in.matrix("z");
          const auto dy = in.matrix("dy");
          const auto first = kernel.backward(z, in.gain(), in.eps(), dy);
          const auto second = kernel.backward(z, in.gain(), in.eps(), dy);
          return identical(second.dz.values(), first.dz.values(), "dz");
        });

}  // namespace
}  // namespace lnverify
