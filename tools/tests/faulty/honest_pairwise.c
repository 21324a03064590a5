/* No fault: two passes, float sums of halves. */
#include "float_body.h"

static float pairwise_sum(size_t n, const float* left, const float* right, float shift) {
  if (n == 1) return product(0, left, right, shift);
  const size_t half = n / 2;
  return pairwise_sum(half, left, right, shift) +
         pairwise_sum(n - half, left ? left + half : NULL, right ? right + half : NULL, shift);
}

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return float_forward(pairwise_sum, rows, d, z, gain, bias, eps, y);
}
