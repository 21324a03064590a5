/* No fault: two passes, float sums from left to right. */
#include "float_body.h"

static float serial_sum(size_t n, const float* left, const float* right, float shift) {
  float sum = 0;
  for (size_t i = 0; i < n; ++i) sum += product(i, left, right, shift);
  return sum;
}

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return float_forward(serial_sum, rows, d, z, gain, bias, eps, y);
}
