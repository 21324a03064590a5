// G6 bit for bit: other rows of the batch, with other output gradients, change no bit of a row's dz.
#include "engine/expectation.hpp"
#include "engine/family.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

std::vector<double> other_rows(Draw& draw, const DrawContext& context) {
  return gentle_values(draw, context.grid, context.size("rows") * context.size("d"));
}
const bool registered =
    law({.id = "gradient_independence",
         .claims = "G6",
         .says = "replacing the other rows of z and dy changes no bit of a row's dz",
         .inputs =
             {batch("z"), gradients("dy"), Input{"other_z", {"rows", "d"}, false, other_rows},
              Input{"other_dy", {"rows", "d"}, false, other_rows}, place("place", "rows"), gain(), epsilon()},
         .kind = Kind::trait,
         .exercises = Exercises::backward,
         .scalars = machine_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in.matrix("z");
          const auto dy = in.matrix("dy");
          if (z.rows() < 2) return discard("no companions");
          const std::size_t place = in.index("place") % z.rows();
          auto other_z = in.matrix("other_z");
          auto other_dy = in.matrix("other_dy");
          other_z.set_row(place, z.row(place));
          other_dy.set_row(place, dy.row(place));
          return identical(
              kernel.backward(other_z, in.gain(), in.eps(), other_dy).dz.row(place),
              kernel.backward(z, in.gain(), in.eps(), dy).dz.row(place), "dz");
        });

}  // namespace
}  // namespace lnverify
