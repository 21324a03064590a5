#include "engine/reference_kernel.hpp"

#include <layer_norm/backward.hpp>
#include <layer_norm/core.hpp>
#include <layer_norm/scalar.hpp>
#include <optional>

#include "engine/storage_types.hpp"

namespace lnverify {
namespace {

template <class Storage>
using RowOf = layer_norm::Row<typename Storage::arithmetic>;

template <class Storage>
RowOf<Storage> loaded(const typename Storage::element* values, std::size_t count) {
  RowOf<Storage> row(count);
  for (std::size_t i = 0; i < count; ++i) row[i] = Storage::load(values[i]);
  return row;
}

template <class Storage>
std::optional<RowOf<Storage>> loaded_if_given(const typename Storage::element* values, std::size_t count) {
  if (values == nullptr) return std::nullopt;
  return loaded<Storage>(values, count);
}

template <class Storage>
void store(const RowOf<Storage>& row, typename Storage::element* values) {
  if (values == nullptr) return;
  for (std::size_t i = 0; i < row.size(); ++i) values[i] = Storage::store(row[i]);
}

template <class Storage>
int forward(
    std::size_t rows, std::size_t d, const typename Storage::element* z,
    const typename Storage::element* gain, const typename Storage::element* bias,
    typename Storage::arithmetic eps, typename Storage::element* y) {
  const auto gain_row = loaded_if_given<Storage>(gain, d);
  const auto bias_row = loaded_if_given<Storage>(bias, d);
  for (std::size_t t = 0; t < rows; ++t)
    store<Storage>(layer_norm::forward(loaded<Storage>(z + t * d, d), gain_row, bias_row, eps), y + t * d);
  return 0;
}

template <class Storage>
int backward(
    std::size_t rows, std::size_t d, const typename Storage::element* z,
    const typename Storage::element* gain, typename Storage::arithmetic eps,
    const typename Storage::element* dy, typename Storage::element* dz, typename Storage::element* dgain,
    typename Storage::element* dbias) {
  using Matrix = layer_norm::Matrix<typename Storage::arithmetic>;
  const auto result = layer_norm::backward(
      Matrix(rows, d, loaded<Storage>(z, rows * d)), loaded_if_given<Storage>(gain, d), eps,
      Matrix(rows, d, loaded<Storage>(dy, rows * d)));
  store<Storage>(result.dz.values(), dz);
  store<Storage>(result.dgain, dgain);
  store<Storage>(result.dbias, dbias);
  return 0;
}

unsigned traits() { return LAYER_NORM_TRAIT_IN_PLACE | LAYER_NORM_TRAIT_THREADS; }

}  // namespace

KernelFunctions reference_functions() {
  KernelFunctions functions;
  functions.forward_f16 = forward<F16>;
  functions.forward_bf16 = forward<BF16>;
  functions.forward_f32 = forward<Float>;
  functions.forward_f64 = forward<Double>;
  functions.backward_f16 = backward<F16>;
  functions.backward_bf16 = backward<BF16>;
  functions.backward_f32 = backward<Float>;
  functions.backward_f64 = backward<Double>;
  functions.traits = traits;
  return functions;
}

}  // namespace lnverify
