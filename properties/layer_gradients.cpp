// R4: whatever the loss, its gradients by the layer before the normalization have no common part.
//
// With z_t = W x_t + b the gradients are sum_t dz_t and sum_t dz_t x_t^T; each column of them sums to 0.
#include <layer_norm/affine_map.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "layer_gradients",
         .claims = "R4 G2",
         .says = "1^T dL/db = 0 and 1^T dL/dW = 0",
         .inputs =
             {matrix("W", "d", "n"), vector("b", "d"), matrix("x", "rows", "n"), gradients("dy"), gain(),
              epsilon()},
         .exercises = Exercises::backward,
         .families = {"gentle"}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          const layer_norm::AffineMap<W> layer{in.matrix("W"), in["b"]};
          const auto x = in.matrix("x");
          const auto dy = in.matrix("dy");
          if (x.rows() > 8) return discard("the batch is long");
          layer_norm::Matrix<W> z(x.rows(), layer.bias.size());
          for (std::size_t t = 0; t < x.rows(); ++t) z.set_row(t, kernel.round(layer(x.row(t))));
          const auto bound = kernel.backward_bound(z, in.gain(), in.eps(), dy).dz;
          layer_norm::Matrix<W> dz(z.rows(), z.cols());
          if constexpr (std::decay_t<decltype(kernel)>::is_exact) {
            // row by row: the parameters' gradients of a batch would mix the radicands of its rows
            for (std::size_t t = 0; t < z.rows(); ++t)
              dz.set_row(t, kernel.backward(z.row(t), in.gain(), in.eps(), dy.row(t)));
          } else {
            dz = kernel.backward(z, in.gain(), in.eps(), dy).dz;
          }
          W of_bias(0);
          W bias_room(0);
          layer_norm::Row<W> of_weight(x.cols());
          layer_norm::Row<W> weight_room(x.cols());
          for (std::size_t t = 0; t < z.rows(); ++t) {
            const W total = layer_norm::sum(dz.row(t));
            const W room = layer_norm::sum(bound.row(t));
            of_bias += total;
            bias_room += room;
            for (std::size_t j = 0; j < x.cols(); ++j) {
              of_weight[j] += x(t, j) * total;
              weight_room[j] += layer_norm::magnitude(x(t, j)) * room;
            }
          }
          return worse(
              within(of_bias, W(0), bias_room, "1^T dL/db"),
              within(of_weight, layer_norm::Row<W>(x.cols()), weight_room, "1^T dL/dW"));
        });

}  // namespace
}  // namespace lnverify
