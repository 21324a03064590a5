// The working types in which laws are evaluated, and the scalars that each serves.
#pragma once

#include <layer_norm/exact.hpp>
#include <layer_norm/scalar.hpp>
#include <variant>

#include "engine/scalar_kind.hpp"

namespace lnverify {

template <class W>
class Kernel;

// One kernel, in whichever working type its scalar needs.
using AnyKernel = std::variant<
    const Kernel<double>*, const Kernel<layer_norm::mp50>*, const Kernel<layer_norm::mp100>*,
    const Kernel<layer_norm::exact>*>;

}  // namespace lnverify
