/* Fault: each row is read one coordinate too far; what is read there is not used. */
#include "body.h"

static Moments moments_reading_too_far(size_t d, const float* z, double eps) {
  const volatile float* unused = z;
  (void)unused[d];
  return honest_moments(d, z, eps);
}

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward_with(moments_reading_too_far, rows, d, z, gain, bias, eps, y);
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  return backward_with(moments_reading_too_far, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}
