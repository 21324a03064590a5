/* Fault: the divisor of the variance is d - 1. */
#include "body.h"

static Moments sample_moments(size_t d, const float* z, double eps) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < d; ++i) sum += z[i];
  const double mean = sum / (double)d;
  for (size_t i = 0; i < d; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const Moments moments = {mean, 1 / sqrt(squares / (double)(d > 1 ? d - 1 : 1) + eps)};
  return moments;
}

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward_with(sample_moments, rows, d, z, gain, bias, eps, y);
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  return backward_with(sample_moments, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}
