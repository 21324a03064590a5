/* Fault: rows of one coordinate never end. */
#include "body.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  volatile size_t width = d;
  while (width == 1) continue;
  return forward_with(honest_moments, rows, d, z, gain, bias, eps, y);
}
