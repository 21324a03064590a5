// X8: a batch without rows does nothing.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "empty_batch",
         .claims = "X8",
         .says = "forward with rows = 0 succeeds and touches nothing",
         .inputs = {row("z"), gain(), bias(), epsilon()},
         .scalars = machine_scalars(),
         .families = {"integers"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const layer_norm::Matrix<std::decay_t<decltype(in.eps())>> empty(0, in.size("d"));
          kernel.forward(empty, in.gain(), in.bias(), in.eps());
          return holds();
        });

}  // namespace
}  // namespace lnverify
