// B1: no case sees another. Whatever the companions hold, a clean row stays finite and within its bound.
#include <cmath>
#include <limits>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

// Rows that are anything at all: huge, tiny, constant, NaN or infinite.
std::vector<double> extreme_rows(Draw& draw, const DrawContext& context) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const double huge = context.grid.round(std::fmin(1e30, context.grid.values.largest / 8));
  const std::vector<double> choices = {0, 1, -1, 100, -100, huge, -huge, nan, infinity, -infinity};
  std::vector<double> rows(context.size("rows") * context.size("d"));
  for (double& value : rows) value = draw.pick(choices);
  return rows;
}

const bool registered =
    law({.id = "row_independence",
         .claims = "B1 B2",
         .says = "a clean row beside huge, NaN or infinite rows is finite and within its bound",
         .inputs =
             {Input{"companions", {"rows", "d"}, false, extreme_rows}, row("z"), place("place", "rows"),
              gain(), bias(), epsilon()},
         .scalars = machine_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          auto batch = in.matrix("companions");
          const std::size_t place = in.index("place") % batch.rows();
          batch.set_row(place, z);
          const auto y = kernel.forward(batch, in.gain(), in.bias(), in.eps());
          return accurate(kernel, y.row(place), z, in.gain(), in.bias(), in.eps());
        });

}  // namespace
}  // namespace lnverify
