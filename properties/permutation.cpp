// S8: no coordinate is special; gain and bias travel with theirs.
//
// The permutation sorts drawn keys, so it stays one when coordinates are removed.
#include <algorithm>
#include <numeric>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

std::vector<double> keys(Draw& draw, const DrawContext& context) {
  std::vector<double> values(context.size("d"));
  for (double& value : values) value = draw.between(0, 63);
  return values;
}

template <class W>
layer_norm::Row<W> permuted(const layer_norm::Row<W>& row, const std::vector<std::size_t>& order) {
  layer_norm::Row<W> result(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) result[i] = row[order[i]];
  return result;
}
template <class W>
MaybeRow<W> permuted(const MaybeRow<W>& row, const std::vector<std::size_t>& order) {
  return row ? MaybeRow<W>(permuted(*row, order)) : std::nullopt;
}

const bool registered =
    law({.id = "permutation",
         .claims = "S8",
         .says = "permuting z, gain and bias alike permutes y",
         .inputs = {row("z"), gain(), bias(), epsilon(), Input{"keys", {"d"}, false, keys}}},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          const auto sort_keys = in["keys"];
          std::vector<std::size_t> order(z.size());
          std::iota(order.begin(), order.end(), std::size_t{0});
          std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
            return sort_keys[i] < sort_keys[j];
          });
          const auto bound = permuted(kernel.bound(z, in.gain(), in.bias(), in.eps()), order);
          return within(
              kernel.forward(
                  permuted(z, order), permuted(in.gain(), order), permuted(in.bias(), order), in.eps()),
              permuted(kernel.forward(z, in.gain(), in.bias(), in.eps()), order), bound + bound);
        });

}  // namespace
}  // namespace lnverify
