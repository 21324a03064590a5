// When u_eps(az) = u_{eps/a^2}(z) can be asked of a kernel.
#pragma once

#include <layer_norm/array.hpp>
#include <optional>
#include <string>

namespace lnverify {

// Why the two sides can't be compared: a is not positive, or az or eps/a^2 is no number that the kernel can
// be given exactly, or its epsilon does not follow. None where they can.
template <class K, class W>
std::optional<std::string> inexact_scaling(
    const K& kernel, const layer_norm::Row<W>& z, const W& a, const W& eps) {
  if (!(a > 0)) return "the scale is not positive";
  const layer_norm::Row<W> scaled = z * a;
  const W smaller = eps / (a * a);
  if (!(kernel.round(scaled) == scaled)) return "the scaled row is not representable";
  if (!(kernel.round_epsilon(smaller) == smaller)) return "the scaled epsilon is not representable";
  if (smaller * a * a != eps) return "the scaled epsilon is not representable";
  if (kernel.epsilon(smaller) * a * a != kernel.epsilon(eps))
    return "not supported: the kernel's epsilon is fixed";
  return std::nullopt;
}

}  // namespace lnverify
