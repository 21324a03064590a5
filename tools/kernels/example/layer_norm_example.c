/* The smallest kernel that holds every law: copy it, and put your own computation in its place.
 *
 * Build it into a shared library and point the suite at it; nothing has to be linked or registered:
 *   cc -O2 -shared -fPIC -I lib tools/kernels/example/layer_norm_example.c -o libmine.so -lm
 *   tools/verify --kernel ./libmine.so
 * Only f32 is offered here; the other functions of the interface are simply absent, and so not tested.
 */
#include <layer_norm/kernel.h>
#include <math.h>
#include <string.h>

typedef struct {
  double mean, rstd;
} RowMoments;

/* Two passes: deviations first, squares after. mean(z^2) - mean(z)^2 would cancel for rows far from zero. */
static RowMoments row_moments(size_t d, const float* z, double eps) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < d; ++i) sum += z[i];
  const double mean = sum / (double)d;
  for (size_t i = 0; i < d; ++i) squares += (z[i] - mean) * (z[i] - mean);
  return (RowMoments){mean, 1 / sqrt(squares / (double)d + eps)};
}

/* z[i] is read for the last time just before y[i] is written, so y may be z. */
int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  for (size_t t = 0; t < rows; ++t, z += d, y += d) {
    const RowMoments m = row_moments(d, z, eps);
    for (size_t i = 0; i < d; ++i) {
      const double u = (z[i] - m.mean) * m.rstd;
      y[i] = (float)((gain ? gain[i] : 1) * u + (bias ? bias[i] : 0));
    }
  }
  return 0;
}

/* dgain and dbias are zeroed first, which is all there is to do when rows is 0. */
int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  if (dgain) memset(dgain, 0, d * sizeof *dgain);
  if (dbias) memset(dbias, 0, d * sizeof *dbias);
  for (size_t t = 0; t < rows; ++t) {
    const float *z_t = z + t * d, *dy_t = dy + t * d;
    const RowMoments m = row_moments(d, z_t, eps);
    double sum_g = 0, sum_gu = 0;
    for (size_t i = 0; i < d; ++i) {
      const double u = (z_t[i] - m.mean) * m.rstd, g = (double)(gain ? gain[i] : 1) * dy_t[i];
      sum_g += g;
      sum_gu += g * u;
      if (dgain) dgain[i] += (float)(dy_t[i] * u);
      if (dbias) dbias[i] += dy_t[i];
    }
    for (size_t i = 0; dz && i < d; ++i) {
      const double u = (z_t[i] - m.mean) * m.rstd, g = (double)(gain ? gain[i] : 1) * dy_t[i];
      dz[t * d + i] = (float)((g - sum_g / (double)d - u * (sum_gu / (double)d)) * m.rstd);
    }
  }
  return 0;
}

const char* layer_norm_kernel_name(void) { return "example"; }

/* No state between calls: two threads may call at once. */
unsigned layer_norm_kernel_traits(void) { return LAYER_NORM_TRAIT_IN_PLACE | LAYER_NORM_TRAIT_THREADS; }
