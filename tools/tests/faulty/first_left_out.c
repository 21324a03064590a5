/* Fault: the mean leaves out the first coordinate. */
#include "body.h"

static Moments moments_without_first(size_t d, const float* z, double eps) {
  double sum = 0, squares = 0;
  for (size_t i = 1; i < d; ++i) sum += z[i];
  const double mean = sum / (double)d;
  for (size_t i = 0; i < d; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const Moments moments = {mean, 1 / sqrt(squares / (double)d + eps)};
  return moments;
}

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward_with(moments_without_first, rows, d, z, gain, bias, eps, y);
}
