// A report as plain text, and as Markdown for the summary of a CI job.
#pragma once

#include <string>
#include <vector>

#include "lnverify/result_json.hpp"

namespace lnverify {

std::string text_report(const std::vector<Json>& reports);
std::string markdown_report(const std::vector<Json>& reports);

}  // namespace lnverify
