/* Fault: rows of more than 1024 coordinates are reported as failed. */
#include "body.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  if (d > 1024) return -1;
  return forward_with(honest_moments, rows, d, z, gain, bias, eps, y);
}
