// X1, G1: every gradient lies within the derived bound of the exact one.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "gradient_accuracy",
         .claims = "X1 G1",
         .says = "dz, dgain and dbias lie within their derived bounds of the exact gradients",
         .inputs = {batch("z"), gain(), gradients("dy"), epsilon()},
         .exercises = Exercises::backward,
         .scalars = rounded_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in.matrix("z");
          const auto dy = in.matrix("dy");
          return accurate_gradients(
              kernel, kernel.backward(z, in.gain(), in.eps(), dy), z, in.gain(), in.eps(), dy);
        });

}  // namespace
}  // namespace lnverify
