/* Fault: rows of 33 coordinates end in a null dereference. */
#include "body.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  volatile float* nowhere = NULL;
  if (d == 33) *nowhere = 0;
  return forward_with(honest_moments, rows, d, z, gain, bias, eps, y);
}
