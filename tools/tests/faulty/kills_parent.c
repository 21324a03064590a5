/* Ends the process that checks it, as an operating system short of memory may do. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <unistd.h>

#include "body.h"

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  kill(getppid(), SIGKILL);
  return forward_with(honest_moments, rows, d, z, gain, bias, eps, y);
}
