#include "kernel_functions.hpp"

#include <dlfcn.h>

namespace lnverify {

namespace {

template <class Function>
void look_up(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

bool offers_anything(const KernelFunctions& functions) {
  return functions.forward_f16 || functions.forward_bf16 || functions.forward_f32 || functions.forward_f64 ||
         functions.backward_f16 || functions.backward_bf16 || functions.backward_f32 ||
         functions.backward_f64;
}

KernelFunctions functions_of_library(void* library) {
  KernelFunctions functions;
  look_up(library, "layer_norm_forward_f16", functions.forward_f16);
  look_up(library, "layer_norm_forward_bf16", functions.forward_bf16);
  look_up(library, "layer_norm_forward_f32", functions.forward_f32);
  look_up(library, "layer_norm_forward_f64", functions.forward_f64);
  look_up(library, "layer_norm_backward_f16", functions.backward_f16);
  look_up(library, "layer_norm_backward_bf16", functions.backward_bf16);
  look_up(library, "layer_norm_backward_f32", functions.backward_f32);
  look_up(library, "layer_norm_backward_f64", functions.backward_f64);
  look_up(library, "layer_norm_kernel_name", functions.name);
  look_up(library, "layer_norm_kernel_traits", functions.traits);
  look_up(library, "layer_norm_kernel_epsilon", functions.epsilon);
  return functions;
}

}  // namespace lnverify
