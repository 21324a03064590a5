// X1 at its limit: every output is the number of the format that is nearest to the exact result, ties to
// even.
//
// No honest kernel needs this, and few have it; what is asked is decided by integer arithmetic, not by a
// wider float.
#include <layer_norm/correct_rounding.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

template <class W>
layer_norm::Row<double> doubles(const layer_norm::Row<W>& row) {
  layer_norm::Row<double> result(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) result[i] = static_cast<double>(row[i]);
  return result;
}

const bool registered =
    law({.id = "correctly_rounded",
         .claims = "X1",
         .says = "every y is the exact result, rounded once to nearest even",
         .inputs = {row("z"), gain(), bias(), epsilon()},
         .kind = Kind::trait,
         .scalars = machine_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          using Row = std::decay_t<decltype(in["z"])>;
          const auto z = in["z"];
          const auto s = kernel.statistics(z, in.eps());
          if (!(s.sigma > 0)) return discard("the row is singular");
          const double eps = static_cast<double>(kernel.epsilon(in.eps()));
          const auto ones = layer_norm::Row<double>(z.size(), 1.0);
          const auto zeros = layer_norm::Row<double>(z.size(), 0.0);
          layer_norm::RowOracle oracle(doubles(z), eps);
          const auto expected = oracle.output(
              in.gain() ? doubles(*in.gain()) : ones, in.bias() ? doubles(*in.bias()) : zeros,
              kernel.precision().storage);
          const auto got = kernel.forward(z, in.gain(), in.bias(), in.eps());
          return identical(got, Row(expected.begin(), expected.end()));
        });

}  // namespace
}  // namespace lnverify
