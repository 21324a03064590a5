/* Fault: each row of the output is written one coordinate too far. */
#include "body.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  for (size_t t = 0; t < rows; ++t) {
    normalize_row(honest_moments(d, z + t * d, eps), d, z + t * d, gain, bias, y + t * d);
    y[t * d + d] = 0;
  }
  return 0;
}
