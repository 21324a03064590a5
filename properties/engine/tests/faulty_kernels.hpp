// Float kernels with one fault each, around one honest body: what a law must be
// able to convict.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "engine/kernel_functions.hpp"

namespace lnverify::faulty {

enum class Fault {
  none,
  divisor_d_minus_1,
  epsilon_ignored,
  epsilon_outside_root,
  epsilon_has_a_floor,  // max(eps, 1e-3)
  no_centering,         // z / sigma
  folded_multiply_add,  // z r - mean r, fused
  float_squares,        // sums of squares over- and underflow
  flushes_subnormals,   // inputs below the smallest normal number are 0
  rounds_upward,        // one ulp up, at every sign
  bias_forgotten,
  statistics_of_first_row,  // for the whole batch
  statistics_of_batch,      // NaN in one row reaches all
  differs_in_batches,       // by one ulp when there is more than one row
  depends_on_companions,    // by one ulp when another row holds a large number
  hides_specials,           // NaN and infinity count as 0
  every_other_call,         // differs by one ulp
  second_thread,            // differs by one ulp when not called on the first thread
  reads_after_writing,      // wrong when y is z
  fails_on_no_rows,
  overruns_y,
  overruns_dgain,
  gradient_mean_missing,
  gradient_projection_missing,
  gradient_of_empty_batch,  // dgain = 1
  parameter_gradient_every_other_call,
};

struct Moments {
  double mean = 0;
  double sigma = 0;
};

inline float ulp_up(float x) { return std::nextafter(x, std::numeric_limits<float>::infinity()); }

template <Fault fault>
float loaded(float x) {
  if constexpr (fault == Fault::hides_specials) return std::isfinite(x) ? x : 0;
  if constexpr (fault == Fault::flushes_subnormals)
    return std::fabs(x) < std::numeric_limits<float>::min() ? 0 : x;
  return x;
}

// The same deviations as the body's, so that a constant row has none.
template <Fault fault>
Moments moments(std::size_t count, const float* z, float eps) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(loaded<fault>(z[i]));
  Moments m;
  m.mean = sum / static_cast<double>(count);
  double squares = 0;
  float float_squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double v = static_cast<double>(loaded<fault>(z[i])) - m.mean;
    squares += v * v;
    float_squares += static_cast<float>(v) * static_cast<float>(v);
  }
  if (fault == Fault::float_squares) squares = static_cast<double>(float_squares);
  const double divisor =
      static_cast<double>(count) - (fault == Fault::divisor_d_minus_1 && count > 1 ? 1 : 0);
  double added = static_cast<double>(eps);
  if (fault == Fault::epsilon_has_a_floor) added = std::max(added, 1e-3);
  if (fault == Fault::epsilon_ignored) added = 0;
  m.sigma = fault == Fault::epsilon_outside_root ? std::sqrt(squares / divisor) + added
                                                 : std::sqrt(squares / divisor + added);
  return m;
}

inline std::atomic<unsigned> calls{0};

template <Fault fault>
bool off_by_one_ulp(std::size_t rows, std::size_t d, std::size_t row, const float* z) {
  if constexpr (fault == Fault::rounds_upward) return true;
  if constexpr (fault == Fault::differs_in_batches) return rows > 1;
  if constexpr (fault == Fault::every_other_call) return calls % 2 == 1;
  if constexpr (fault == Fault::second_thread) {
    static const std::thread::id first = std::this_thread::get_id();
    return std::this_thread::get_id() != first;
  }
  if constexpr (fault == Fault::depends_on_companions)
    for (std::size_t i = 0; i < rows * d; ++i)
      if (i / d != row && std::fabs(z[i]) > 3) return true;
  return false;
}

template <Fault fault>
void forward_row(
    std::size_t d, const float* z, const float* gain, const float* bias, const Moments& m, bool nudge,
    float* y) {
  for (std::size_t i = 0; i < d; ++i) {
    const double v = static_cast<double>(loaded<fault>(z[i])) - (fault == Fault::no_centering ? 0 : m.mean);
    double u = v / m.sigma;
    if (fault == Fault::folded_multiply_add) {
      const auto r = static_cast<float>(1 / m.sigma);
      u = static_cast<double>(std::fma(z[i], r, -(static_cast<float>(m.mean) * r)));
    }
    if (gain) u *= static_cast<double>(gain[i]);
    if (bias && fault != Fault::bias_forgotten) u += static_cast<double>(bias[i]);
    y[i] = nudge ? ulp_up(static_cast<float>(u)) : static_cast<float>(u);
  }
}

template <Fault fault>
int forward(
    std::size_t rows, std::size_t d, const float* z, const float* gain, const float* bias, float eps,
    float* y) {
  ++calls;
  if (fault == Fault::fails_on_no_rows && rows == 0) return -1;
  for (std::size_t t = 0; t < rows; ++t) {
    const float* row = z + t * d;
    Moments m = moments<fault>(d, row, eps);
    if (fault == Fault::statistics_of_first_row) m = moments<fault>(d, z, eps);
    if (fault == Fault::statistics_of_batch) m = moments<fault>(rows * d, z, eps);
    if (fault == Fault::reads_after_writing) {
      for (std::size_t i = 0; i < d; ++i) y[t * d + i] = 0;
    }
    forward_row<fault>(d, row, gain, bias, m, off_by_one_ulp<fault>(rows, d, t, z), y + t * d);
  }
  if (fault == Fault::overruns_y) reinterpret_cast<volatile float*>(y)[rows * d] = 0;
  return 0;
}

template <Fault fault>
void backward_row(
    std::size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    std::vector<double>& dgain, std::vector<double>& dbias) {
  const Moments m = moments<fault>(d, z, eps);
  std::vector<double> u(d), g(d);
  double mean_g = 0;
  double mean_gu = 0;
  for (std::size_t i = 0; i < d; ++i) {
    const auto gradient = static_cast<double>(loaded<fault>(dy[i]));
    u[i] = (static_cast<double>(loaded<fault>(z[i])) - m.mean) / m.sigma;
    g[i] = gradient * (gain ? static_cast<double>(gain[i]) : 1);
    mean_g += g[i] / static_cast<double>(d);
    mean_gu += g[i] * u[i] / static_cast<double>(d);
    dgain[i] += gradient * u[i];
    dbias[i] += gradient;
  }
  if (fault == Fault::gradient_mean_missing) mean_g = 0;
  if (fault == Fault::gradient_projection_missing) mean_gu = 0;
  const bool nudge = fault == Fault::every_other_call && calls % 2 == 1;
  for (std::size_t i = 0; dz && i < d; ++i) {
    const auto value = static_cast<float>((g[i] - mean_g - u[i] * mean_gu) / m.sigma);
    dz[i] = nudge ? ulp_up(value) : value;
  }
}

template <Fault fault>
int backward(
    std::size_t rows, std::size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  ++calls;
  std::vector<double> sum_gain(d), sum_bias(d);
  for (std::size_t t = 0; t < rows; ++t)
    backward_row<fault>(d, z + t * d, gain, eps, dy + t * d, dz ? dz + t * d : nullptr, sum_gain, sum_bias);
  const bool nudge = fault == Fault::parameter_gradient_every_other_call && calls % 2 == 1;
  for (std::size_t i = 0; i < d; ++i) {
    const auto value = static_cast<float>(sum_gain[i]);
    if (dgain) dgain[i] = nudge ? ulp_up(value) : value;
    if (dgain && fault == Fault::gradient_of_empty_batch && rows == 0) dgain[i] = 1;
    if (dbias) dbias[i] = static_cast<float>(sum_bias[i]);
  }
  if (dgain && fault == Fault::overruns_dgain) reinterpret_cast<volatile float*>(dgain)[d] = 0;
  return 0;
}

template <Fault fault>
KernelFunctions functions() {
  KernelFunctions result;
  result.forward_f32 = forward<fault>;
  result.backward_f32 = backward<fault>;
  result.traits = [] { return LAYER_NORM_TRAIT_IN_PLACE | LAYER_NORM_TRAIT_THREADS; };
  return result;
}

}  // namespace lnverify::faulty
