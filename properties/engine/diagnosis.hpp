// Diagnosis: what the error of a failing case looks like, in words.
//
// Each hypothesis is a known fault, evaluated in the working type. A fault is named when it alone reproduces
// what the kernel gives on the failing cases and on a few fixed probes, and differs from the truth on some of
// them.
#pragma once

#include <string>
#include <vector>

#include "engine/property.hpp"

namespace lnverify {

// Such as "the divisor d - 1"; empty when no fault, or more than one, explains it. Only cases with the arrays
// z and eps (and dy, for a law of the backward pass) are looked at; the kernel is called anew.
std::string diagnose(const LawInfo& law, const std::vector<Case>& failing, const AnyKernel& kernel);

}  // namespace lnverify
