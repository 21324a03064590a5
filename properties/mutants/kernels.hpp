// From the steps of a kernel to the functions of the kernel interface.
#pragma once

#include "mutants/body.hpp"
#include "mutants/mutant.hpp"

namespace lnverify::mutants {

template <class Steps, class Storage>
void add_forward(KernelFunctions& functions) {
  if constexpr (std::is_same_v<Storage, Float>) functions.forward_f32 = forward<Steps, Storage>;
  if constexpr (std::is_same_v<Storage, Double>) functions.forward_f64 = forward<Steps, Storage>;
  if constexpr (std::is_same_v<Storage, F16>) functions.forward_f16 = forward<Steps, Storage>;
  if constexpr (std::is_same_v<Storage, BF16>) functions.forward_bf16 = forward<Steps, Storage>;
}

template <class Steps, class Storage>
void add_backward(KernelFunctions& functions) {
  if constexpr (std::is_same_v<Storage, Float>) functions.backward_f32 = backward<Steps, Storage>;
  if constexpr (std::is_same_v<Storage, Double>) functions.backward_f64 = backward<Steps, Storage>;
  if constexpr (std::is_same_v<Storage, F16>) functions.backward_f16 = backward<Steps, Storage>;
  if constexpr (std::is_same_v<Storage, BF16>) functions.backward_bf16 = backward<Steps, Storage>;
}

// A mutant that offers its forward function alone, its backward function alone, or both.
template <class Steps, class... Storages>
Mutant wrong_forward() {
  Mutant mutant{Steps::entry, {}};
  (add_forward<Steps, Storages>(mutant.functions), ...);
  return mutant;
}
template <class Steps, class... Storages>
Mutant wrong_backward() {
  Mutant mutant{Steps::entry, {}};
  (add_backward<Steps, Storages>(mutant.functions), ...);
  return mutant;
}
template <class Steps, class... Storages>
Mutant both_passes() {
  Mutant mutant = wrong_forward<Steps, Storages...>();
  (add_backward<Steps, Storages>(mutant.functions), ...);
  return mutant;
}

inline unsigned declares_in_place() { return LAYER_NORM_TRAIT_IN_PLACE; }
inline unsigned declares_threads() { return LAYER_NORM_TRAIT_THREADS; }

}  // namespace lnverify::mutants
