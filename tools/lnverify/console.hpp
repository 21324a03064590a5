// What a person reads: a failure explained, the table of results, the summary.
#pragma once

#include <cstdio>
#include <string>

#include "lnverify/result_json.hpp"

namespace lnverify {

// Colour only on a terminal and not under NO_COLOR.
bool use_colour(std::FILE* stream);

// The law in words, the minimal case, expected and given, how bad it is, where it was saved, how to reproduce
// it.
std::string failure_text(const Json& result, const std::string& kernel);

// Properties x scalars, laws before traits.
std::string table_text(const Json& report, bool colour);

// One line: "accuracy/f32 holds (2000 cases, worst error 0.21 of the limit)".
std::string result_line(const Json& result);

// A case as numbers that can be read and pasted.
std::string case_text(const Json& finding, const std::string& indent);

}  // namespace lnverify
