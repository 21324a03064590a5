/* Fault: mean and variance are taken over the whole batch instead of each row. */
#include "body.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  if (rows == 0) return 0;
  const Moments moments = honest_moments(rows * d, z, eps);
  for (size_t t = 0; t < rows; ++t) normalize_row(moments, d, z + t * d, gain, bias, y + t * d);
  return 0;
}
