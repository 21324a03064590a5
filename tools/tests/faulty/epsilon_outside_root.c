/* Fault: epsilon is added to the standard deviation, outside the root. */
#include "body.h"

static Moments moments_with_epsilon_outside(size_t d, const float* z, double eps) {
  const double mean = honest_moments(d, z, 1).mean;
  double squares = 0;
  for (size_t i = 0; i < d; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const Moments moments = {mean, 1 / (sqrt(squares / (double)d) + eps)};
  return moments;
}

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward_with(moments_with_epsilon_outside, rows, d, z, gain, bias, eps, y);
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  return backward_with(moments_with_epsilon_outside, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}
