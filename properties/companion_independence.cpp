// B1 bit for bit: at the same place of a batch of the same shape, other companions change no bit.
#include <cmath>

#include "engine/expectation.hpp"
#include "engine/family.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

std::vector<double> other_rows(Draw& draw, const DrawContext& context) {
  std::vector<double> rows = gentle_values(draw, context.grid, context.size("rows") * context.size("d"));
  const int exponent = draw.between(0, moderate_exponent(context.grid) / 2);
  for (double& value : rows) value = std::ldexp(value, exponent);
  return rows;
}

const bool registered = law(
    {.id = "companion_independence",
     .claims = "B1",
     .says = "replacing the other rows of the batch changes no bit of a row's output",
     .inputs =
         {batch("z"), Input{"companions", {"rows", "d"}, false, other_rows}, place("place", "rows"),
          epsilon()},
     .kind = Kind::trait,
     .scalars = machine_scalars()},
    [](const auto& kernel, const auto& in) -> Verdict {
      const auto z = in.matrix("z");
      auto other = in.matrix("companions");
      const std::size_t place = in.index("place") % z.rows();
      if (z.rows() < 2) return discard("no companions");
      other.set_row(place, z.row(place));
      return identical(
          kernel.forward(other, {}, {}, in.eps()).row(place), kernel.forward(z, {}, {}, in.eps()).row(place));
    });

}  // namespace
}  // namespace lnverify
