// A second row for laws that compare two.
#pragma once

#include <string>

#include "engine/input.hpp"

namespace lnverify {

// [d]: small steps away from the row "z", or another row of the same family.
Input neighbour(std::string name);

}  // namespace lnverify
