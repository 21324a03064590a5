// Where the arrays of a call lie in memory relative to guard pages.
#pragma once

#include <optional>
#include <string_view>

namespace lnverify {

enum class Placement {
  end,    // the last byte of each array is the last before a guard page
  begin,  // the first byte of each array is the first after a guard page
  odd,    // one element after `begin`: aligned to the element and to no vector
};

std::string_view name(Placement placement);
std::optional<Placement> placement_from_name(std::string_view text);

}  // namespace lnverify
