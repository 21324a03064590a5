// A few hundred calls on a fixed grid of inputs, for the figures of a report: how the error of a kernel
// depends on the condition number, on d, and on the exponents of the row and of epsilon.
#pragma once

#include "engine/subject.hpp"
#include "lnverify/result_json.hpp"

namespace lnverify {

// For each of f16, bf16, f32 and f64 that the kernel has a forward function in:
//
//   {"f32": {"kappa": {"d": 32, "limit": 40, "points": [[kappa, ratio], ...]},
//            "d": {"points": [[d, ratio], ...]},
//            "range": {"d": 8, "z": [exponents], "eps": [exponents, null for 0], "cells": ["rriw", ...]}}}
//
// ratio: the largest error over the derived bound with c = 1 (the limit is d + 8), null where the result is
// not finite or there is none. A cell, one string for each epsilon: r right, i inaccurate (beyond the bound,
// yet within a hundredth of the largest output), w wrong, n not finite, u not supported, c crashed, hung or
// failed, x not judged (no bound there).
Json probe_json(const Subject& subject);

}  // namespace lnverify
