// G1: the backward pass is the transposed Jacobian, to the last digit.
//
// dz is compared with the dense matrix sigma^3 J = sigma^2 P - v v^T / d times gain dy, which shares no step
// with the backward pass; dgain and dbias of one row are dy u and dy. gradient_accuracy checks the same in
// the scalars that round.
#include <layer_norm/jacobian.hpp>

#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "gradient_formula",
         .claims = "G1 J1",
         .says = "dz = J (gain dy), dgain = dy u, dbias = dy, in exact arithmetic",
         .inputs = {row("z"), gain(), gradient("dy"), epsilon()},
         .exercises = Exercises::backward,
         .scalars = {Scalar::exact}},
        [](const auto& kernel, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          using Matrix = layer_norm::Matrix<W>;
          const auto z = in["z"];
          const auto dy = in["dy"];
          const auto s = kernel.statistics(z, in.eps());
          if (s.sigma == W(0)) return discard("the row is singular");
          const auto g = in.gain() ? *in.gain() * dy : dy;
          const auto got = kernel.backward(Matrix::of_row(z), in.gain(), in.eps(), Matrix::of_row(dy));
          const auto scaled = layer_norm::scaled_jacobian(z, kernel.epsilon(in.eps()));
          return all_of(
              {identical(got.dz.row(0) * W(s.sigma * s.sigma * s.sigma), scaled * g, "sigma^3 dz"),
               identical(got.dgain, dy * s.core, "dgain"), identical(got.dbias, dy, "dbias")});
        });

}  // namespace
}  // namespace lnverify
