/* No fault: the body as it is, with double sums. */
#include "body.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward_with(honest_moments, rows, d, z, gain, bias, eps, y);
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  return backward_with(honest_moments, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}
