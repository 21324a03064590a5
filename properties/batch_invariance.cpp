// B1 bit for bit: a row gives the same bits alone and at any place of any batch.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "batch_invariance",
         .claims = "B1",
         .says = "a row alone and the same row in a batch give the same bits",
         .inputs = {batch("z"), gain(), bias(), epsilon()},
         .kind = Kind::trait,
         .scalars = machine_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in.matrix("z");
          if (z.rows() < 2) return discard("no companions");
          const auto together = kernel.forward(z, in.gain(), in.bias(), in.eps());
          Verdict verdict = holds();
          for (const std::size_t place : {std::size_t{0}, z.rows() / 2, z.rows() - 1})
            verdict = worse(
                std::move(verdict),
                identical(together.row(place), kernel.forward(z.row(place), in.gain(), in.bias(), in.eps())));
          return verdict;
        });

}  // namespace
}  // namespace lnverify
