// Shrinking: from a failing case to the simplest one that fails in the same way.
#pragma once

#include <rapidcheck/Seq.h>
#include <rapidcheck/Shrinkable.h>

#include "engine/case.hpp"
#include "engine/grid.hpp"

namespace lnverify {

// All cases one step simpler than c, the boldest steps first: fewer indices along an axis, optional arrays
// left out, a simpler epsilon, whole arrays of integers or powers of two, then single values. Each is
// strictly smaller by complexity(), so following any path ends. Every value stays on the grid.
rc::Seq<Case> simpler_cases(const Case& c, const Grid& grid);

// The case with the tree of all its simplifications.
rc::Shrinkable<Case> shrinkable_case(const Case& c, const Grid& grid);

}  // namespace lnverify
