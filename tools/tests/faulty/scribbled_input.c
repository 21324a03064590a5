/* Fault: the input is centered in place. */
#include "body.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  forward_with(honest_moments, rows, d, z, gain, bias, eps, y);
  float* input = (float*)(uintptr_t)z;
  for (size_t t = 0; t < rows; ++t) {
    const float mean = (float)honest_moments(d, z + t * d, eps).mean;
    for (size_t i = 0; i < d; ++i) input[t * d + i] -= mean;
  }
  return 0;
}
