/* Fault: the sums run over blocks of eight and forget the tail of the row. */
#include "body.h"

static Moments moments_of_whole_blocks(size_t d, const float* z, double eps) {
  const size_t whole = d - d % 8;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < whole; ++i) sum += z[i];
  const double mean = sum / (double)d;
  for (size_t i = 0; i < whole; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const Moments moments = {mean, 1 / sqrt(squares / (double)d + eps)};
  return moments;
}

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward_with(moments_of_whole_blocks, rows, d, z, gain, bias, eps, y);
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  return backward_with(moments_of_whole_blocks, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}
