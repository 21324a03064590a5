// The C functions of one kernel, as found in a library or as compiled in. All may be null: not offered.
#pragma once

#include "layer_norm/kernel.h"

namespace lnverify {

struct KernelFunctions {
  decltype(&layer_norm_forward_f16) forward_f16 = nullptr;
  decltype(&layer_norm_forward_bf16) forward_bf16 = nullptr;
  decltype(&layer_norm_forward_f32) forward_f32 = nullptr;
  decltype(&layer_norm_forward_f64) forward_f64 = nullptr;
  decltype(&layer_norm_backward_f16) backward_f16 = nullptr;
  decltype(&layer_norm_backward_bf16) backward_bf16 = nullptr;
  decltype(&layer_norm_backward_f32) backward_f32 = nullptr;
  decltype(&layer_norm_backward_f64) backward_f64 = nullptr;
  decltype(&layer_norm_kernel_name) name = nullptr;
  decltype(&layer_norm_kernel_traits) traits = nullptr;
  decltype(&layer_norm_kernel_epsilon) epsilon = nullptr;
};

// True when at least one forward or backward function is there.
bool offers_anything(const KernelFunctions& functions);

// Looks every name of layer_norm/kernel.h up in a library that dlopen returned. What is absent stays null.
KernelFunctions functions_of_library(void* library);

}  // namespace lnverify
