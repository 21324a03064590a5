/* Fault: epsilon is ignored. */
#include "body.h"

static Moments moments_without_epsilon(size_t d, const float* z, double eps) {
  (void)eps;
  return honest_moments(d, z, 0);
}

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward_with(moments_without_epsilon, rows, d, z, gain, bias, eps, y);
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  return backward_with(moments_without_epsilon, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}
