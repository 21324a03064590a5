#include "engine/kernel.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "engine/exact_formulas.hpp"

namespace lnverify {
namespace {

using layer_norm::mp100;
using layer_norm::mp50;

layer_norm::Precision precision_for(Scalar scalar) {
  const layer_norm::Format storage = format_of(scalar);
  const bool half = scalar == Scalar::f16 || scalar == Scalar::bf16;
  return {storage, half ? layer_norm::f32_format() : storage};
}

// A number from W onto a binary format no wider than double.
double to_grid(double x, const layer_norm::Format& format) { return layer_norm::nearest_value(x, format); }
template <class W>
double to_grid(const W& x, const layer_norm::Format&) {
  return static_cast<double>(x);  // W is used for f64 alone, and the conversion rounds to nearest
}

// The doubles of a call; every value must be on the grid already.
template <class W>
std::vector<double> call_values(
    const layer_norm::Row<W>& row, const layer_norm::Format& format, const char* name) {
  std::vector<double> values(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    values[i] = to_grid(row[i], format);
    if (W(values[i]) != row[i] && row[i] == row[i])
      throw std::logic_error(std::string("a law passed a value off the kernel's grid as ") + name);
  }
  return values;
}

template <class W>
layer_norm::Row<W> widened(const std::vector<double>& values) {
  layer_norm::Row<W> row(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) row[i] = W(values[i]);
  return row;
}

// Evaluation in this process, for scalars without a C interface.
template <class To, class From>
layer_norm::Row<To> converted(const layer_norm::Row<From>& row) {
  layer_norm::Row<To> result(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) result[i] = To(row[i]);
  return result;
}
template <class To, class From>
layer_norm::Matrix<To> converted(const layer_norm::Matrix<From>& m) {
  return layer_norm::Matrix<To>(m.rows(), m.cols(), converted<To>(m.values()));
}
template <class To, class From>
MaybeRow<To> converted(const MaybeRow<From>& row) {
  return row ? MaybeRow<To>(converted<To>(*row)) : std::nullopt;
}

template <class W>
struct InProcess {};
template <>
struct InProcess<mp100> {
  using type = mp50;
};
template <>
struct InProcess<layer_norm::exact> {
  using type = layer_norm::exact;
};
template <class W>
constexpr bool in_process = requires {
  typename InProcess<W>::type;
};

template <class W>
W not_a_number() {
  return W(std::numeric_limits<double>::quiet_NaN());
}

// The formulas that a test has put in the place of the reference's, applied to each row.
layer_norm::Matrix<layer_norm::exact> replaced_forward(
    const layer_norm::Matrix<layer_norm::exact>& z, const MaybeRow<layer_norm::exact>& gain,
    const MaybeRow<layer_norm::exact>& bias, const layer_norm::exact& eps) {
  auto y = z;
  for (std::size_t t = 0; t < z.rows(); ++t)
    y.set_row(t, exact_formulas().forward(z.row(t), gain, bias, eps));
  return y;
}

}  // namespace

ExactFormulas& exact_formulas() {
  static ExactFormulas formulas;
  return formulas;
}

template <class W>
Kernel<W>::Kernel(Scalar scalar, KernelHost* host)
    : grid_(grid_of(scalar)), precision_(precision_for(scalar)), host_(host) {}

template <class W>
bool Kernel<W>::supports(Operation operation) const {
  if (in_process<W>) return operation == Operation::forward || operation == Operation::backward;
  return host_->info().has(operation, scalar());
}

template <class W>
W Kernel<W>::round(const W& x) const {
  if constexpr (in_process<W>)
    return W(typename InProcess<W>::type(x));
  else
    return W(to_grid(x, grid_.values));
}

template <class W>
auto Kernel<W>::round(Row x) const -> Row {
  for (W& value : x) value = round(value);
  return x;
}

template <class W>
auto Kernel<W>::round(Matrix x) const -> Matrix {
  for (W& value : x.values()) value = round(value);
  return x;
}

template <class W>
W Kernel<W>::round_epsilon(const W& eps) const {
  if constexpr (in_process<W>)
    return round(eps);
  else
    return W(to_grid(eps, grid_.epsilon));
}

template <class W>
W Kernel<W>::epsilon(const W& eps) const {
  if constexpr (in_process<W>)
    return eps;
  else
    return W(host_->added_epsilon(static_cast<double>(eps)));
}

template <class W>
void Kernel<W>::begin(Placement placement) const {
  placement_ = placement;
  record_ = {};
}

template <class W>
void Kernel<W>::note(CallStatus status, const std::string& detail) const {
  ++record_.calls;
  if (status <= record_.worst) return;
  record_.worst = status;
  record_.detail = detail;
}

template <class W>
Reply Kernel<W>::call(
    Operation operation, const Matrix& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps,
    const Matrix* dy) const {
  if (!supports(operation)) return {.status = CallStatus::unsupported, .detail = "not offered"};
  if (record_.worst >= CallStatus::crashed) return {.status = record_.worst, .detail = record_.detail};
  const layer_norm::Format& format = grid_.values;
  const std::vector<double> z_values = call_values(z.values(), format, "z");
  const std::vector<double> gain_values = gain ? call_values(*gain, format, "gain") : std::vector<double>();
  const std::vector<double> bias_values = bias ? call_values(*bias, format, "bias") : std::vector<double>();
  const std::vector<double> dy_values = dy ? call_values(dy->values(), format, "dy") : std::vector<double>();
  Call request;
  request.operation = operation;
  request.scalar = scalar();
  request.rows = z.rows();
  request.d = z.cols();
  request.z = z_values.data();
  request.gain = gain ? gain_values.data() : nullptr;
  request.bias = bias ? bias_values.data() : nullptr;
  request.dy = dy ? dy_values.data() : nullptr;
  request.eps = call_values(Row{eps}, grid_.epsilon, "eps")[0];
  request.placement = placement_;
  return host_->call(request);
}

template <class W>
auto Kernel<W>::forward(
    const Matrix& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps,
    Operation operation) const -> Matrix {
  if constexpr (in_process<W>) {
    using T = typename InProcess<W>::type;
    note(CallStatus::done, "");
    if constexpr (is_exact)
      if (exact_formulas().forward) return replaced_forward(z, gain, bias, eps);
    return converted<W>(layer_norm::forward(converted<T>(z), converted<T>(gain), converted<T>(bias), T(eps)));
  } else {
    const Reply reply = call(operation, z, gain, bias, eps, nullptr);
    note(reply.status, reply.detail);
    if (reply.status != CallStatus::done)
      return Matrix(z.rows(), z.cols(), Row(z.rows() * z.cols(), not_a_number<W>()));
    return Matrix(z.rows(), z.cols(), widened<W>(reply.y));
  }
}

template <class W>
auto Kernel<W>::forward_two_threads(
    const Matrix& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps) const
    -> std::pair<Matrix, Matrix> {
  if constexpr (in_process<W>) {
    note(CallStatus::unsupported, "not offered");
    return {z, z};
  } else {
    const Reply reply = call(Operation::forward_two_threads, z, gain, bias, eps, nullptr);
    note(reply.status, reply.detail);
    if (reply.status != CallStatus::done) return {z, z};
    return {
        Matrix(z.rows(), z.cols(), widened<W>(reply.y)),
        Matrix(z.rows(), z.cols(), widened<W>(reply.second_y))};
  }
}

template <class W>
auto Kernel<W>::backward(const Matrix& z, const MaybeRow<W>& gain, const W& eps, const Matrix& dy) const
    -> Gradients {
  if constexpr (in_process<W>) {
    using T = typename InProcess<W>::type;
    note(CallStatus::done, "");
    auto result = layer_norm::backward(converted<T>(z), converted<T>(gain), T(eps), converted<T>(dy));
    if constexpr (is_exact)
      for (std::size_t t = 0; exact_formulas().backward && t < z.rows(); ++t)
        result.dz.set_row(t, exact_formulas().backward(z.row(t), gain, eps, dy.row(t)));
    return {converted<W>(result.dz), converted<W>(result.dgain), converted<W>(result.dbias)};
  } else {
    const Reply reply = call(Operation::backward, z, gain, std::nullopt, eps, &dy);
    note(reply.status, reply.detail);
    if (reply.status != CallStatus::done)
      return {
          Matrix(z.rows(), z.cols(), Row(z.rows() * z.cols(), not_a_number<W>())),
          Row(z.cols(), not_a_number<W>()), Row(z.cols(), not_a_number<W>())};
    return {
        Matrix(z.rows(), z.cols(), widened<W>(reply.dz)), widened<W>(reply.dgain), widened<W>(reply.dbias)};
  }
}

template <class W>
auto Kernel<W>::core(const Row& z, const W& eps) const -> Row {
  return forward(z, std::nullopt, std::nullopt, eps);
}

template <class W>
auto Kernel<W>::forward(const Row& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps) const
    -> Row {
  return forward(Matrix::of_row(z), gain, bias, eps).values();
}

template <class W>
auto Kernel<W>::backward(const Row& z, const MaybeRow<W>& gain, const W& eps, const Row& dy) const -> Row {
  return backward(Matrix::of_row(z), gain, eps, Matrix::of_row(dy)).dz.values();
}

template <class W>
layer_norm::Statistics<W> Kernel<W>::statistics(const Row& z, const W& eps) const {
  return layer_norm::statistics(z, epsilon(eps));
}

template <class W>
auto Kernel<W>::bound(const Row& z, const W& eps, int rounded_inputs) const -> Row {
  return bound(z, std::nullopt, std::nullopt, eps, rounded_inputs);
}

template <class W>
auto Kernel<W>::bound(
    const Row& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps, int rounded_inputs,
    layer_norm::Range range) const -> Row {
  // A rounding to half storage is many roundoffs of the float that the statistics are computed in.
  const double in_roundoffs =
      precision_.is_mixed() ? precision_.storage.unit_roundoff / precision_.compute.unit_roundoff : 1;
  const double c = layer_norm::roundoff_count(z.size()) + rounded_inputs * in_roundoffs;
  return layer_norm::forward_bound(statistics(z, eps), gain, bias, precision_, c, range);
}

template <class W>
layer_norm::BackwardBound<W> Kernel<W>::backward_bound(
    const Matrix& z, const MaybeRow<W>& gain, const W& eps, const Matrix& dy, layer_norm::Range range) const {
  const double c = layer_norm::roundoff_count(z.cols());
  return layer_norm::backward_bound(z, gain, epsilon(eps), dy, precision_, c, range);
}

template class Kernel<double>;
template class Kernel<mp50>;
template class Kernel<mp100>;
template class Kernel<layer_norm::exact>;

}  // namespace lnverify
