// X6: the same backward call gives the same bits of dgain and dbias, which sums by atomics do not.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "parameter_gradient_repeatability",
         .claims = "X6",
         .says = "the same backward call gives the same bits of dgain and dbias",
         .inputs = {batch("z"), gain(), gradients("dy"), epsilon()},
         .kind = Kind::trait,
         .exercises = Exercises::backward,
         .scalars = machine_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in.matrix("z");
          const auto dy = in.matrix("dy");
          const auto first = kernel.backward(z, in.gain(), in.eps(), dy);
          const auto second = kernel.backward(z, in.gain(), in.eps(), dy);
          return all_of(
              {identical(second.dgain, first.dgain, "dgain"), identical(second.dbias, first.dbias, "dbias")});
        });

}  // namespace
}  // namespace lnverify
