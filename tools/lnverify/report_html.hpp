// A report as one HTML file that needs nothing else: no network, no script to be read.
#pragma once

#include <string>
#include <vector>

#include "lnverify/result_json.hpp"

namespace lnverify {

std::string html_report(const std::vector<Json>& reports);

}  // namespace lnverify
