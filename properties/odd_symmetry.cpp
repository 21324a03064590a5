// S7 bit for bit: changing every sign changes every sign.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered =
    law({.id = "odd_symmetry",
         .claims = "S7",
         .says = "u(-z) = -u(z) bit for bit",
         .inputs = {row("z"), epsilon()},
         .kind = Kind::trait},
        [](const auto& kernel, const auto& in) -> Verdict {
          const auto z = in["z"];
          return identical(kernel.core(-z, in.eps()), -kernel.core(z, in.eps()));
        });

}  // namespace
}  // namespace lnverify
