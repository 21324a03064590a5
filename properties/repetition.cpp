// S9: writing a row several times over changes neither mean nor variance.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

std::vector<double> times(Draw& draw, const DrawContext&) {
  return {static_cast<double>(draw.between(2, 4))};
}

template <class W>
layer_norm::Row<W> repeated(const layer_norm::Row<W>& row, std::size_t count) {
  layer_norm::Row<W> result(row.size() * count);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = row[i % row.size()];
  return result;
}

const bool registered =
    law({.id = "repetition",
         .claims = "S9",
         .says = "the core of z written k times is the core of z written k times",
         .inputs = {row("z"), epsilon(), Input{"k", {}, false, times}}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          const std::size_t k = in.index("k");
          if (k < 1 || k > 16) return discard("no number of repetitions");
          const auto longer = repeated(z, k);
          return within(
              kernel.core(longer, in.eps()), repeated(kernel.core(z, in.eps()), k),
              kernel.bound(longer, in.eps()) + repeated(kernel.bound(z, in.eps()), k));
        });

}  // namespace
}  // namespace lnverify
