#include "lnverify/usual_test.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace lnverify {
namespace {

constexpr std::size_t rows = 8;
constexpr std::size_t d = 64;

// Box-Muller on a generator whose stream the standard fixes.
template <class W>
layer_norm::Matrix<W> standard_normal(const Kernel<W>& kernel, std::mt19937_64& generator) {
  const auto uniform = [&] { return (static_cast<double>(generator() >> 11) + 0.5) * 0x1p-53; };
  layer_norm::Matrix<W> values(rows, d);
  for (W& value : values.values()) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    value = kernel.round(
        W(static_cast<double>(static_cast<float>(radius * std::cos(2 * std::numbers::pi * uniform())))));
  }
  return values;
}

template <class W>
bool close(const layer_norm::Row<W>& got, const layer_norm::Row<W>& expected, double tolerance) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(layer_norm::magnitude(W(got[i] - expected[i])) <=
          W(tolerance) * (W(1) + layer_norm::magnitude(expected[i]))))
      return false;
  return true;
}

bool goes_unnoticed(CallStatus status) {
  return status == CallStatus::scribbled || status == CallStatus::out_of_bounds;
}

template <class W>
bool passes(const Kernel<W>& kernel) {
  std::mt19937_64 generator(1);
  const bool half = kernel.scalar() == Scalar::f16 || kernel.scalar() == Scalar::bf16;
  const double tolerance = half ? 2e-2 : 1e-5;
  const W eps = kernel.round_epsilon(W(1e-5));
  const auto z = standard_normal(kernel, generator);
  const auto dy = standard_normal(kernel, generator);
  const layer_norm::Row<W> ones(d, W(1));
  const layer_norm::Row<W> zeros(d);
  if (kernel.supports(Operation::forward)) {
    kernel.begin(Placement::begin);
    const auto y = kernel.forward(z, ones, zeros, eps);
    for (std::size_t t = 0; t < rows; ++t)
      if (!goes_unnoticed(kernel.record().worst) &&
          !close(y.row(t), layer_norm::statistics(z.row(t), eps).core, tolerance))
        return false;
  }
  if (kernel.supports(Operation::backward)) {
    kernel.begin(Placement::begin);
    const auto got = kernel.backward(z, ones, eps, dy);
    const auto expected = layer_norm::backward(z, MaybeRow<W>(ones), eps, dy);
    if (!goes_unnoticed(kernel.record().worst) &&
        !(close(got.dz.values(), expected.dz.values(), tolerance) &&
          close(got.dgain, expected.dgain, tolerance) && close(got.dbias, expected.dbias, tolerance)))
      return false;
  }
  return true;
}

}  // namespace

bool passes_usual_test(const Subject& subject) {
  for (const Scalar scalar : subject.scalars())
    if (!std::visit([](const auto* kernel) { return passes(*kernel); }, subject.kernel(scalar))) return false;
  return true;
}

}  // namespace lnverify
