/* The honest body that the faulty libraries beside it share: double sums, two passes. A library takes it as
 * it is but for one deliberate fault, so that what the suite finds is that fault and nothing else. */
#ifndef FAULTY_BODY_H
#define FAULTY_BODY_H

#include <layer_norm/kernel.h>
#include <math.h>
#include <string.h>

typedef struct {
  double mean, rstd;
} Moments;

typedef Moments (*MomentsOf)(size_t d, const float* z, double eps);

static inline Moments honest_moments(size_t d, const float* z, double eps) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < d; ++i) sum += z[i];
  const double mean = sum / (double)d;
  for (size_t i = 0; i < d; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const Moments moments = {mean, 1 / sqrt(squares / (double)d + eps)};
  return moments;
}

static inline void normalize_row(
    Moments m, size_t d, const float* z, const float* gain, const float* bias, float* y) {
  for (size_t i = 0; i < d; ++i)
    y[i] = (float)((gain ? gain[i] : 1) * ((z[i] - m.mean) * m.rstd) + (bias ? bias[i] : 0));
}

static inline int forward_with(
    MomentsOf moments_of, size_t rows, size_t d, const float* z, const float* gain, const float* bias,
    float eps, float* y) {
  for (size_t t = 0; t < rows; ++t)
    normalize_row(moments_of(d, z + t * d, eps), d, z + t * d, gain, bias, y + t * d);
  return 0;
}

static inline void gradient_row(
    Moments m, size_t d, const float* z, const float* gain, const float* dy, float* dz, float* dgain,
    float* dbias) {
  double sum_g = 0, sum_gu = 0;
  for (size_t i = 0; i < d; ++i) {
    const double u = (z[i] - m.mean) * m.rstd, g = (double)(gain ? gain[i] : 1) * dy[i];
    sum_g += g;
    sum_gu += g * u;
    if (dgain) dgain[i] += (float)(dy[i] * u);
    if (dbias) dbias[i] += dy[i];
  }
  for (size_t i = 0; dz && i < d; ++i) {
    const double u = (z[i] - m.mean) * m.rstd, g = (double)(gain ? gain[i] : 1) * dy[i];
    dz[i] = (float)((g - sum_g / (double)d - u * (sum_gu / (double)d)) * m.rstd);
  }
}

static inline int backward_with(
    MomentsOf moments_of, size_t rows, size_t d, const float* z, const float* gain, float eps,
    const float* dy, float* dz, float* dgain, float* dbias) {
  if (dgain) memset(dgain, 0, d * sizeof *dgain);
  if (dbias) memset(dbias, 0, d * sizeof *dbias);
  for (size_t t = 0; t < rows; ++t)
    gradient_row(
        moments_of(d, z + t * d, eps), d, z + t * d, gain, dy + t * d, dz ? dz + t * d : NULL, dgain, dbias);
  return 0;
}

#endif /* FAULTY_BODY_H */
