// A law of one's own, added as any law is: one file, and nothing else touched.
#include "engine/property.hpp"

namespace lnverify {
namespace {

template <class Row>
Row reversed(const Row& row) {
  Row result(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) result[i] = row[row.size() - 1 - i];
  return result;
}

const bool registered =
    law({.id = "reversal",
         .claims = "S3",
         .says = "u(z reversed) = u(z) reversed",
         .inputs = {row("z"), epsilon()}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          return within(
              kernel.core(reversed(z), in.eps()), reversed(kernel.core(z, in.eps())),
              kernel.bound(reversed(z), in.eps()) + reversed(kernel.bound(z, in.eps())));
        });

}  // namespace
}  // namespace lnverify
