// G6, X8: a row's dz is that of the row alone, and dgain and dbias add over the rows.
//
// Batches are short here, so that every row is given alone as well; gradient_accuracy has the long ones.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "gradient_batching",
         .claims = "G6 X8",
         .says = "dz of a batch is dz of each row; dgain and dbias are the sums over the rows",
         .inputs = {batch("z"), gain(), gradients("dy"), epsilon()},
         .exercises = Exercises::backward,
         .scalars = rounded_scalars()},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          using Matrix = layer_norm::Matrix<W>;
          const auto z = in.matrix("z");
          const auto dy = in.matrix("dy");
          if (z.rows() > 8) return discard("the batch is long");
          const auto together = kernel.backward(z, in.gain(), in.eps(), dy);
          const auto bound = kernel.backward_bound(z, in.gain(), in.eps(), dy);
          layer_norm::Row<W> dgain(z.cols());
          layer_norm::Row<W> dbias(z.cols());
          layer_norm::Row<W> dgain_room = bound.dgain;
          layer_norm::Row<W> dbias_room = bound.dbias;
          Verdict verdict = discard("outside the range of the bound");
          for (std::size_t t = 0; t < z.rows(); ++t) {
            const auto row = Matrix::of_row(z.row(t));
            const auto row_dy = Matrix::of_row(dy.row(t));
            const auto alone = kernel.backward(row, in.gain(), in.eps(), row_dy);
            const auto room = kernel.backward_bound(row, in.gain(), in.eps(), row_dy);
            verdict = worse(
                std::move(verdict),
                within(together.dz.row(t), alone.dz.row(0), bound.dz.row(t) + room.dz.row(0), "dz"));
            dgain = dgain + alone.dgain;
            dbias = dbias + alone.dbias;
            dgain_room = dgain_room + room.dgain;
            dbias_room = dbias_room + room.dbias;
          }
          verdict = worse(std::move(verdict), within(together.dgain, dgain, dgain_room, "dgain"));
          return worse(std::move(verdict), within(together.dbias, dbias, dbias_room, "dbias"));
        });

}  // namespace
}  // namespace lnverify
