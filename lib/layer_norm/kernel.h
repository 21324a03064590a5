/* The C interface of a layer normalization kernel under test.
 *
 * A kernel is a shared library that exports any of the functions below; each is found by its name, and a
 * function that is absent is simply not tested. The interface grows by new names, never by changed
 * signatures.
 *
 *   mean_t = (1/d) sum_i z_ti,  q_t = (1/d) sum_i (z_ti - mean_t)^2,  u_t = (z_t - mean_t) / sqrt(q_t + eps)
 *   forward:   y = gain * u + bias                                        (elementwise, row by row)
 *   backward:  g = gain * dy,  dz = (g - mean(g) - u * mean(g * u)) / sqrt(q + eps),
 *              dgain = sum over rows of dy * u,  dbias = sum over rows of dy
 *
 * Arrays  dense and row-major: z, y, dy, dz are rows x d; gain, bias, dgain, dbias have d entries. They are
 *         aligned to their element type and no further. f16 and bf16 are raw bits in uint16_t.
 * NULL    gain NULL means all ones, bias NULL means all zeros; dz, dgain, dbias NULL mean "not wanted".
 * Sizes   d >= 1. rows may be 0: then dgain and dbias are zeros, and nothing else is touched.
 * eps     finite and >= 0.
 * Return  0: done. > 0: these arguments are not supported (the case is skipped and counted).
 *         < 0: failed (counts against the kernel).
 * Threads one process, one thread, unless layer_norm_kernel_traits declares more.
 */
#ifndef LAYER_NORM_KERNEL_H
#define LAYER_NORM_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LAYER_NORM_EXPORT __attribute__((visibility("default")))
#else
#define LAYER_NORM_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

LAYER_NORM_EXPORT int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y);
LAYER_NORM_EXPORT int layer_norm_forward_f64(
    size_t rows, size_t d, const double* z, const double* gain, const double* bias, double eps, double* y);
LAYER_NORM_EXPORT int layer_norm_forward_f16(
    size_t rows, size_t d, const uint16_t* z, const uint16_t* gain, const uint16_t* bias, float eps,
    uint16_t* y);
LAYER_NORM_EXPORT int layer_norm_forward_bf16(
    size_t rows, size_t d, const uint16_t* z, const uint16_t* gain, const uint16_t* bias, float eps,
    uint16_t* y);

LAYER_NORM_EXPORT int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias);
LAYER_NORM_EXPORT int layer_norm_backward_f64(
    size_t rows, size_t d, const double* z, const double* gain, double eps, const double* dy, double* dz,
    double* dgain, double* dbias);
LAYER_NORM_EXPORT int layer_norm_backward_f16(
    size_t rows, size_t d, const uint16_t* z, const uint16_t* gain, float eps, const uint16_t* dy,
    uint16_t* dz, uint16_t* dgain, uint16_t* dbias);
LAYER_NORM_EXPORT int layer_norm_backward_bf16(
    size_t rows, size_t d, const uint16_t* z, const uint16_t* gain, float eps, const uint16_t* dy,
    uint16_t* dz, uint16_t* dgain, uint16_t* dbias);

/* Optional. Name and version, as reports show them; without it, the file's name. */
LAYER_NORM_EXPORT const char* layer_norm_kernel_name(void);

/* Optional. What else the kernel supports: a combination of the bits below; without it, none. */
#define LAYER_NORM_TRAIT_IN_PLACE 1u /* forward may be called with y == z */
#define LAYER_NORM_TRAIT_THREADS 2u  /* may be called from two threads at once */
LAYER_NORM_EXPORT unsigned layer_norm_kernel_traits(void);

/* Optional. The epsilon that is really added to the variance when eps is asked for, for kernels that store it
 * in a narrower type or have a fixed one; without it, eps itself. */
LAYER_NORM_EXPORT double layer_norm_kernel_epsilon(double eps);

#ifdef __cplusplus
}
#endif

#endif /* LAYER_NORM_KERNEL_H */
