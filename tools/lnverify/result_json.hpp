// The result of one law on one kernel as JSON: what reports, the console and --json are all made from.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/runner.hpp"

namespace lnverify {

using Json = nlohmann::ordered_json;

constexpr int results_schema = 1;

// `counts`: whether a falsified result is a fault (a law, or a required trait).
Json result_json(const PropertyResult& result, bool counts, const std::string& reproduce);

// {"sizes", "placement", "arrays", "what", "expected", "got", "error", "limit", "ratio", "key"}
Json finding_json(const Finding& finding);

// The letter for each scalar, from the accuracy results among `results`: {"f32": "A", ...}.
Json grades_json(const Json& results);

}  // namespace lnverify
