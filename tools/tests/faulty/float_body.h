/* An honest kernel in float alone, two passes, for any way of summing. */
#ifndef FAULTY_FLOAT_BODY_H
#define FAULTY_FLOAT_BODY_H

#include <layer_norm/kernel.h>
#include <math.h>
#include <string.h>

/* The sum over i of left[i] * right[i], where an array that is NULL stands for ones and shift is taken off
 * each entry of one that is not. */
typedef float (*SumOf)(size_t n, const float* left, const float* right, float shift);

static inline float product(size_t i, const float* left, const float* right, float shift) {
  return (left ? left[i] - shift : 1) * (right ? right[i] - shift : 1);
}

typedef struct {
  float mean, rstd;
} FloatMoments;

static inline FloatMoments float_moments(SumOf sum, size_t d, const float* z, float eps) {
  const float mean = sum(d, z, NULL, 0) / (float)d;
  const FloatMoments moments = {mean, 1 / sqrtf(sum(d, z, z, mean) / (float)d + eps)};
  return moments;
}

static inline int float_forward(
    SumOf sum, size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps,
    float* y) {
  for (size_t t = 0; t < rows; ++t, z += d, y += d) {
    const FloatMoments m = float_moments(sum, d, z, eps);
    for (size_t i = 0; i < d; ++i)
      y[i] = (gain ? gain[i] : 1) * ((z[i] - m.mean) * m.rstd) + (bias ? bias[i] : 0);
  }
  return 0;
}

#endif /* FAULTY_FLOAT_BODY_H */
