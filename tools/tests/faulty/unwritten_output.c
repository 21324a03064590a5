/* Fault: the last coordinate of the last row is not written. */
#include "body.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  for (size_t t = 0; t < rows; ++t)
    normalize_row(
        honest_moments(d, z + t * d, eps), t + 1 < rows ? d : d - 1, z + t * d, gain, bias, y + t * d);
  return 0;
}
