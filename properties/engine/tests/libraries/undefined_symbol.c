/* A kernel that was linked without a library it needs. */
#include "layer_norm/kernel.h"

int function_that_nobody_defines(void);

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  (void)rows, (void)d, (void)z, (void)gain, (void)bias, (void)eps, (void)y;
  return function_that_nobody_defines();
}
