/* Fault: the variance is E[z^2] - E[z]^2 in float, which cancels for rows far from zero. */
#include "body.h"

static Moments cancelling_moments(size_t d, const float* z, double eps) {
  float sum = 0, squares = 0;
  for (size_t i = 0; i < d; ++i) {
    sum += z[i];
    squares += z[i] * z[i];
  }
  const float mean = sum / (float)d;
  const float variance = squares / (float)d - mean * mean;
  const Moments moments = {mean, 1 / sqrt(fmax(variance, 0) + eps)};
  return moments;
}

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward_with(cancelling_moments, rows, d, z, gain, bias, eps, y);
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  return backward_with(cancelling_moments, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}
