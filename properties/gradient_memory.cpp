// X7 for the backward pass: nothing outside the arrays is touched, inputs are left alone, every gradient is
// written.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "gradient_memory",
         .claims = "X7",
         .says = "backward touches nothing but its arrays, and writes all of dz, dgain "
                 "and dbias and none of its inputs",
         .inputs = {batch("z"), gain(), gradients("dy"), epsilon()},
         .exercises = Exercises::backward,
         .scalars = machine_scalars(),
         .families = {"integers", "gentle"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          kernel.backward(in.matrix("z"), in.gain(), in.eps(), in.matrix("dy"));
          return holds();
        });

}  // namespace
}  // namespace lnverify
