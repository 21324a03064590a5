#include "wrong_kernels.hpp"

#include <utility>

#include "engine/exact_formulas.hpp"

namespace lnverify::wrong {
namespace {

using Row = layer_norm::Row<double>;

Row row_of(const float* values, std::size_t d) { return Row(values, values + d); }
std::optional<Row> maybe_row_of(const float* values, std::size_t d) {
  return values == nullptr ? std::nullopt : std::optional<Row>(row_of(values, d));
}
void store(const Row& row, float* to) {
  for (std::size_t i = 0; to != nullptr && i < row.size(); ++i) to[i] = static_cast<float>(row[i]);
}

template <Fault fault>
int forward_f32(
    std::size_t rows, std::size_t d, const float* z, const float* gain, const float* bias, float eps,
    float* y) {
  for (std::size_t t = 0; t < rows; ++t)
    store(
        forward<double>(row_of(z + t * d, d), maybe_row_of(gain, d), maybe_row_of(bias, d), eps, fault),
        y + t * d);
  return 0;
}

template <Fault fault>
int backward_f32(
    std::size_t rows, std::size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  Row of_gain(d);
  Row of_bias(d);
  for (std::size_t t = 0; t < rows; ++t) {
    const Row row = row_of(z + t * d, d);
    const Row row_dy = row_of(dy + t * d, d);
    of_gain = of_gain + row_dy * normalized<double>(row, eps, fault).u;
    of_bias = of_bias + row_dy;
    if (dz != nullptr) store(backward<double>(row, maybe_row_of(gain, d), eps, row_dy, fault), dz + t * d);
  }
  store(of_gain, dgain);
  store(of_bias, dbias);
  return 0;
}

template <std::size_t... Indices>
KernelFunctions pick(std::size_t wanted, std::index_sequence<Indices...>) {
  KernelFunctions functions;
  const auto consider = [&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
    if (Index != wanted) return;
    functions.forward_f32 = forward_f32<static_cast<Fault>(Index)>;
    functions.backward_f32 = backward_f32<static_cast<Fault>(Index)>;
  };
  (consider(std::integral_constant<std::size_t, Indices>{}), ...);
  return functions;
}

}  // namespace

KernelFunctions float_functions(Fault fault) {
  return pick(static_cast<std::size_t>(fault), std::make_index_sequence<count>{});
}

ExactFault::ExactFault(Fault fault) {
  using layer_norm::exact;
  using Rows = ExactFormulas;
  exact_formulas().forward = [fault](
                                 const Rows::Row& z, const Rows::MaybeRow& gain, const Rows::MaybeRow& bias,
                                 const exact& eps) { return forward<exact>(z, gain, bias, eps, fault); };
  exact_formulas().backward = [fault](
                                  const Rows::Row& z, const Rows::MaybeRow& gain, const exact& eps,
                                  const Rows::Row& dy) { return backward<exact>(z, gain, eps, dy, fault); };
}
ExactFault::~ExactFault() { exact_formulas() = {}; }

}  // namespace lnverify::wrong
