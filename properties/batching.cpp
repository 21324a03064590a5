// X8: rows given together are rows given one by one, within the bound.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered = law(
    {.id = "batching",
     .claims = "X8 B1",
     .says = "a batch gives, row by row, what each row gives alone, within the bound",
     .inputs = {batch("z"), gain(), bias(), epsilon()},
     .scalars = rounded_scalars()},
    [](const auto& kernel, const auto& in) -> Verdict {
      const auto z = in.matrix("z");
      const auto together = kernel.forward(z, in.gain(), in.bias(), in.eps());
      Verdict verdict = discard("outside the range of the bound");
      for (const std::size_t place : {std::size_t{0}, z.rows() / 2, z.rows() - 1}) {
        const auto row = z.row(place);
        const auto bound = kernel.bound(row, in.gain(), in.bias(), in.eps());
        verdict = worse(
            std::move(verdict),
            within(together.row(place), kernel.forward(row, in.gain(), in.bias(), in.eps()), bound + bound));
      }
      return verdict;
    });

}  // namespace
}  // namespace lnverify
