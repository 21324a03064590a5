/* No fault, but built with -ffast-math; its loading turns subnormal numbers off in the process, as the
 * startup file does that some compilers link into such libraries. */
#include "body.h"

#if defined(__SSE__)
__attribute__((constructor)) static void flush_subnormals(void) {
  const unsigned flush_results = 0x8000, flush_operands = 0x0040;
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | flush_results | flush_operands);
}
#endif

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward_with(honest_moments, rows, d, z, gain, bias, eps, y);
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  return backward_with(honest_moments, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}

int layer_norm_forward_f64(
    size_t rows, size_t d, const double* z, const double* gain, const double* bias, double eps, double* y) {
  for (size_t t = 0; t < rows; ++t, z += d, y += d) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < d; ++i) sum += z[i];
    const double mean = sum / (double)d;
    for (size_t i = 0; i < d; ++i) squares += (z[i] - mean) * (z[i] - mean);
    const double rstd = 1 / sqrt(squares / (double)d + eps);
    for (size_t i = 0; i < d; ++i)
      y[i] = (gain ? gain[i] : 1) * ((z[i] - mean) * rstd) + (bias ? bias[i] : 0);
  }
  return 0;
}
