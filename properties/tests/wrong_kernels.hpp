// The wrong formulas as kernels: float functions of the C interface, or what stands for a kernel in `exact`.
#pragma once

#include <vector>

#include "engine/subject.hpp"
#include "wrong_formulas.hpp"

namespace lnverify::wrong {

// A float kernel with this fault, both passes; sums in double.
KernelFunctions float_functions(Fault fault);

// While it lives, `exact` is evaluated with the fault.
class ExactFault {
 public:
  explicit ExactFault(Fault fault);
  ~ExactFault();
  ExactFault(const ExactFault&) = delete;
  ExactFault& operator=(const ExactFault&) = delete;
};

}  // namespace lnverify::wrong
