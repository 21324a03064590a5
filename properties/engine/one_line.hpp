// Words that come from a kernel, made fit for a terminal and for JSON.
#pragma once

#include <string>
#include <string_view>

namespace lnverify {

// The text with a blank for each control character and '?' for each byte that is not valid UTF-8.
std::string one_line(std::string_view text);

}  // namespace lnverify
