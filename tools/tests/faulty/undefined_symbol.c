/* A shared library that can't be loaded: nobody defines a function that it calls. */
#include <layer_norm/kernel.h>

void defined_nowhere(void);

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  (void)rows, (void)d, (void)z, (void)gain, (void)bias, (void)eps, (void)y;
  defined_nowhere();
  return 0;
}
