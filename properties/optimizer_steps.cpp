// R5: gradient descent never moves the mean of the bias before a normalization, nor the column means of the
// weights; Adam, being elementwise, may, and the output does not notice.
//
// For d = 2 the gradient is antisymmetric and so is Adam's step. The first step of Adam without eta is -alpha
// sign(g), whose mean is the difference of two counts: not 0 for most gradients with d >= 3.
#include <layer_norm/adam.hpp>
#include <layer_norm/affine_map.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "reference_room.hpp"

namespace lnverify {
namespace {

template <class W>
W mean_of(const layer_norm::Row<W>& row) {
  return layer_norm::sum(row) / W(static_cast<double>(row.size()));
}

template <class W>
int sign_sum(const layer_norm::Row<W>& row) {
  int total = 0;
  for (const W& value : row) total += value > W(0) ? 1 : value < W(0) ? -1 : 0;
  return total;
}

// One row x of the layer's input: dL/dW = dz x^T.
template <class W>
layer_norm::Matrix<W> outer(const layer_norm::Row<W>& dz, const layer_norm::Row<W>& x) {
  layer_norm::Matrix<W> result(dz.size(), x.size());
  for (std::size_t i = 0; i < dz.size(); ++i) result.set_row(i, x * W(dz[i]));
  return result;
}

const bool registered = law(
    {.id = "optimizer_steps",
     .claims = "R4 R5",
     .says = "gradient descent keeps mean(b) and the column means of W; Adam moves mean(b) by -alpha mean "
             "sign(g), unseen by the output",
     .inputs = {matrix("W", "d", "n"), vector("b", "d"), vector("x", "n"), gradient("dy"), epsilon()},
     .exercises = Exercises::library,
     .scalars = {Scalar::f32, Scalar::f64, Scalar::mp50, Scalar::exact},
     .families = {"gentle"}},
    [](const auto&, const auto& in) -> Verdict {
      using W = std::decay_t<decltype(in.eps())>;
      using Layer = layer_norm::AffineMap<W>;
      const Layer layer{in.matrix("W"), in["b"]};
      const auto x = in["x"];
      const auto z = layer(x);
      const auto s = layer_norm::statistics(z, in.eps());
      if (s.sigma == W(0)) return discard("the row is singular");
      const auto dz = layer_norm::backward_row<W>(z, {}, in.eps(), in["dy"]);
      const W d(static_cast<double>(z.size()));
      const W rate = W(1) / W(8);
      // dz is a difference of terms of at most |dy| (1 + |u|^2) / sigma, off by as much as the core is
      const W of_dz = (core_room(s) * (W(1) + layer_norm::max_abs(s.core)) + W(8) * working_roundoff<W>()) *
                      W(4) * d * layer_norm::max_abs(in["dy"]) / s.sigma;
      const auto moved_bias = layer.bias - dz * rate;
      const auto weight_gradient = outer(dz, x);
      const W room = of_dz + W(4) * d * working_roundoff<W>() * layer_norm::max_abs(moved_bias);
      Verdict verdict = within(mean_of(moved_bias), mean_of(layer.bias), room, "mean(b) after descent");
      for (std::size_t j = 0; j < x.size(); ++j)
        verdict = worse(
            std::move(verdict), within(
                                    mean_of(weight_gradient.column(j)), W(0),
                                    W(of_dz * layer_norm::magnitude(x[j])), "column mean of dL/dW"));
      // where roundoff decides the sign of a gradient, the step says nothing
      for (const W& value : dz)
        if (layer_norm::magnitude(value) <= d * of_dz && !(is_exact<W> && value == W(0))) return verdict;
      layer_norm::Adam<W> adam(z.size(), {.alpha = rate, .beta1 = W(0.5), .beta2 = W(0.75), .eta = W(0)});
      const auto step = adam.step(dz);
      const W tiny = W(32) * d * working_roundoff<W>();
      const W expected = -rate * W(sign_sum(dz)) / d;
      verdict = worse(std::move(verdict), within(mean_of(step), expected, tiny, "the mean of Adam's step"));
      if (z.size() == 2)
        verdict = worse(std::move(verdict), within(mean_of(step), W(0), tiny, "Adam's step for d = 2"));
      const Layer moved{layer.weight, layer.bias + step};
      const Layer centered{layer.weight, layer.bias + (step - expected)};
      const auto after = layer_norm::statistics(moved(x), in.eps());
      const auto same = layer_norm::statistics(centered(x), in.eps());
      if (after.sigma == W(0) || same.sigma == W(0)) return verdict;
      const W n(static_cast<double>(x.size()));
      const W sums = layer_norm::max_abs(z) + (n + W(1)) * layer_norm::max_abs(layer.weight.values()) *
                                                  (layer_norm::max_abs(x) + W(1));
      const W carried =
          W(8) * d * (n + W(4)) * working_roundoff<W>() * (sums + W(1)) / (after.sigma + same.sigma);
      return worse(
          std::move(verdict),
          within(
              after.core, same.core,
              layer_norm::Row<W>(z.size(), W(core_room(after) + core_room(same) + carried)),
              "the output after Adam's step"));
    });

}  // namespace
}  // namespace lnverify
