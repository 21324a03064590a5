// The figures of a report, as inline SVG in the colours of the page around it.
#pragma once

#include <string>

#include "lnverify/result_json.hpp"

namespace lnverify {

// Text for HTML and SVG.
std::string escaped(const std::string& text);

// All from the samples of one kernel (probe.hpp); `id` makes the ids inside unique on the page.
std::string kappa_figure(const Json& samples, const std::string& id);
std::string size_figure(const Json& samples, const std::string& id);
// One map for each scalar.
std::string range_figures(const Json& samples, const std::string& id);

}  // namespace lnverify
