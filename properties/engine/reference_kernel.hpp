// The reference library behind the C interface, so that it is tested the way any kernel is.
#pragma once

#include "engine/kernel_functions.hpp"

namespace lnverify {

// f32 and f64 are the library's own; f16 and bf16 keep their statistics in float and round once on the way
// out.
KernelFunctions reference_functions();

}  // namespace lnverify
