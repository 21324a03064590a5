// The test that most layer normalization code comes with, for comparison: standard normal inputs, d = 64,
// gain 1, bias 0, eps 1e-5, one fixed tolerance (1e-5; 2e-2 for half types), forward and backward.
#pragma once

#include "engine/subject.hpp"

namespace lnverify {

// Whether the kernel passes it in every scalar and pass that it offers. As in such tests, nothing guards the
// memory around the arrays and nobody looks whether inputs were changed; a crash is noticed, and so is an
// unset output.
bool passes_usual_test(const Subject& subject);

}  // namespace lnverify
