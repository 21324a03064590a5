#include "engine/expectation.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lnverify {
namespace {

// The largest |got - expected| / unit bound over the coordinates where the bound is finite.
template <class W>
double unit_ratio(
    const layer_norm::Row<W>& got, const layer_norm::Row<W>& expected, const layer_norm::Row<W>& limit,
    const layer_norm::Row<W>& unit) {
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!detail::finite(limit[i]) || !detail::finite(unit[i]) || !detail::finite(got[i])) continue;
    largest = std::max(largest, detail::ratio_of(layer_norm::magnitude(W(got[i] - expected[i])), unit[i]));
  }
  return largest;
}

template <class W>
Verdict judged(
    const layer_norm::Row<W>& got, const layer_norm::Row<W>& expected, const layer_norm::Row<W>& limit,
    const layer_norm::Row<W>& unit, const std::string& what) {
  Verdict verdict = within(got, expected, limit, what);
  if (verdict.outcome != Outcome::discarded) verdict.unit_ratio = unit_ratio(got, expected, limit, unit);
  return verdict;
}

template <class W>
layer_norm::Row<W> affine(const layer_norm::Row<W>& core, const MaybeRow<W>& gain, const MaybeRow<W>& bias) {
  layer_norm::Row<W> y = core;
  if (gain) y = std::move(y) * *gain;
  if (bias) y = std::move(y) + *bias;
  return y;
}

template <class W>
Verdict judged_row(
    const Kernel<W>& kernel, const layer_norm::Row<W>& got, const layer_norm::Row<W>& z,
    const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& added_eps, layer_norm::Range range,
    const std::string& what) {
  const layer_norm::Statistics<W> s = layer_norm::statistics(z, added_eps);
  const double c = layer_norm::roundoff_count(z.size());
  const auto bounds =
      layer_norm::forward_bounds(s, gain, bias, kernel.precision(), std::array{c, 1.0}, range);
  return judged(got, affine(s.core, gain, bias), bounds[0], bounds[1], what);
}

std::string row_name(const char* array, std::size_t row, std::size_t rows) {
  return rows == 1 ? array : std::string(array) + "[" + std::to_string(row) + "]";
}

}  // namespace

template <class W>
Verdict accurate(
    const Kernel<W>& kernel, const layer_norm::Matrix<W>& got, const layer_norm::Matrix<W>& z,
    const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps, layer_norm::Range range) {
  const W added_eps = kernel.epsilon(eps);
  Verdict verdict = discard("outside the range of the bound");
  for (std::size_t t = 0; t < z.rows(); ++t)
    verdict = worse(
        std::move(verdict),
        judged_row(kernel, got.row(t), z.row(t), gain, bias, added_eps, range, row_name("y", t, z.rows())));
  return verdict;
}

template <class W>
Verdict accurate(
    const Kernel<W>& kernel, const layer_norm::Row<W>& got, const layer_norm::Row<W>& z,
    const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps, layer_norm::Range range) {
  return judged_row(kernel, got, z, gain, bias, kernel.epsilon(eps), range, "y");
}

template <class W>
Verdict accurate_gradients(
    const Kernel<W>& kernel, const layer_norm::Gradients<W>& got, const layer_norm::Matrix<W>& z,
    const MaybeRow<W>& gain, const W& eps, const layer_norm::Matrix<W>& dy, layer_norm::Range range) {
  const W added_eps = kernel.epsilon(eps);
  const layer_norm::Gradients<W> expected = layer_norm::backward(z, gain, added_eps, dy);
  const double c = layer_norm::roundoff_count(z.cols());
  const auto bounds =
      layer_norm::backward_bounds(z, gain, added_eps, dy, kernel.precision(), std::array{c, 1.0}, range);
  const auto& limit = bounds[0];
  const auto& unit = bounds[1];
  Verdict verdict = judged(got.dgain, expected.dgain, limit.dgain, unit.dgain, "dgain");
  verdict = worse(std::move(verdict), within(got.dbias, expected.dbias, limit.dbias, "dbias"));
  for (std::size_t t = 0; t < z.rows(); ++t)
    verdict = worse(
        std::move(verdict),
        judged(
            got.dz.row(t), expected.dz.row(t), limit.dz.row(t), unit.dz.row(t), row_name("dz", t, z.rows())));
  return verdict;
}

LNVERIFY_EXPECTATIONS(, double)
LNVERIFY_EXPECTATIONS(, layer_norm::mp50)
LNVERIFY_EXPECTATIONS(, layer_norm::mp100)
LNVERIFY_EXPECTATIONS(, layer_norm::exact)

}  // namespace lnverify
