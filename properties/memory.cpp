// X7: nothing outside the arrays is read or written, inputs are left alone, every output is written.
//
// The engine checks this around every call of every law; this one goes through all shapes and placements for
// it.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "memory",
         .claims = "X7",
         .says = "forward touches nothing but its arrays, and writes all of y and none of its inputs",
         .inputs = {batch("z"), gain(), bias(), epsilon()},
         .scalars = machine_scalars(),
         .families = {"integers", "gentle"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          kernel.forward(in.matrix("z"), in.gain(), in.bias(), in.eps());
          return holds();
        });

}  // namespace
}  // namespace lnverify
