// G5, J1: without gain the backward pass applies J, which is symmetric.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

template <class W>
layer_norm::Row<W> sizes(layer_norm::Row<W> row) {
  for (W& value : row) value = layer_norm::magnitude(value);
  return row;
}

const bool registered =
    law({.id = "self_adjoint_backward",
         .claims = "G5 J1",
         .says = "<J g, h> = <g, J h>",
         .inputs = {row("z"), gradient("g"), gradient("h"), epsilon()},
         .exercises = Exercises::backward},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          using Matrix = layer_norm::Matrix<W>;
          const auto z = in["z"];
          const auto g = in["g"];
          const auto h = in["h"];
          const auto bound = [&](const auto& dy) {
            return kernel.backward_bound(Matrix::of_row(z), {}, in.eps(), Matrix::of_row(dy)).dz.row(0);
          };
          return within(
              W(layer_norm::dot(kernel.backward(z, {}, in.eps(), g), h)),
              W(layer_norm::dot(g, kernel.backward(z, {}, in.eps(), h))),
              W(layer_norm::dot(bound(g), sizes(h)) + layer_norm::dot(sizes(g), bound(h))), "<J g, h>");
        });

}  // namespace
}  // namespace lnverify
