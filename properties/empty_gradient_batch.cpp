// X8, G6: a batch without rows has zero gradients of gain and bias.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered = law(
    {.id = "empty_gradient_batch",
     .claims = "X8 G6",
     .says = "backward with rows = 0 gives dgain = dbias = 0",
     .inputs = {row("z"), gain(), epsilon()},
     .exercises = Exercises::backward,
     .scalars = rounded_scalars(),
     .families = {"integers"}},
    [](const auto& kernel, const auto& in) -> Verdict {
      using W = std::decay_t<decltype(in.eps())>;
      const layer_norm::Matrix<W> empty(0, in.size("d"));
      const auto gradients = kernel.backward(empty, in.gain(), in.eps(), empty);
      const layer_norm::Row<W> zero(in.size("d"));
      return all_of({identical(gradients.dgain, zero, "dgain"), identical(gradients.dbias, zero, "dbias")});
    });

}  // namespace
}  // namespace lnverify
