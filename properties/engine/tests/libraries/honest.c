/* A correct kernel of one function; its name is left to the file's. */
#include <math.h>

#include "layer_norm/kernel.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  for (size_t t = 0; t < rows; ++t, z += d, y += d) {
    double mean = 0, q = 0;
    for (size_t i = 0; i < d; ++i) mean += z[i];
    mean /= (double)d;
    for (size_t i = 0; i < d; ++i) q += (z[i] - mean) * (z[i] - mean);
    const double scale = 1 / sqrt(q / (double)d + (double)eps);
    for (size_t i = 0; i < d; ++i)
      y[i] = (float)((gain ? gain[i] : 1) * (z[i] - mean) * scale + (bias ? bias[i] : 0));
  }
  return 0;
}
