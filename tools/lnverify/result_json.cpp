#include "lnverify/result_json.hpp"

#include <algorithm>
#include <cmath>

#include "engine/number_text.hpp"
#include "lnverify/options.hpp"

namespace lnverify {
namespace {

// JSON has no infinity; a report is read by programs that must not trip over one.
Json number(double value) {
  if (std::isfinite(value)) return value;
  return short_decimal(value);
}

Json decimals(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json key_json(const std::optional<CaseKey>& key) { return key ? Json(to_string(*key)) : Json(nullptr); }

}  // namespace

Json finding_json(const Finding& finding) {
  Json json;
  json["sizes"] = Json::object();
  for (const auto& [axis, size] : finding.input.sizes) json["sizes"][axis] = size;
  json["placement"] = name(finding.input.placement);
  json["arrays"] = Json::object();
  for (const Array& array : finding.input.arrays) json["arrays"][array.name] = decimals(array.values);
  json["what"] = finding.verdict.what;
  json["expected"] = decimals(finding.verdict.expected);
  json["got"] = decimals(finding.verdict.got);
  json["error"] = number(finding.verdict.error);
  json["limit"] = number(finding.verdict.limit);
  json["ratio"] = number(finding.verdict.ratio);
  json["key"] = key_json(finding.key);
  return json;
}

Json result_json(const PropertyResult& result, bool counts, const std::string& reproduce) {
  const LawInfo& law = result.property->info;
  Json json;
  json["property"] = law.id;
  json["scalar"] = name(result.scalar);
  json["kind"] = law.kind == Kind::law ? "law" : "trait";
  json["counts"] = counts;
  json["claims"] = split(law.claims, ' ');
  json["says"] = law.says;
  json["outcome"] = name(result.conclusion);
  if (!result.reason.empty()) json["reason"] = result.reason;
  json["cases"] = result.decided;
  json["discarded"] = result.discarded;
  json["replayed"] = result.replayed;
  json["families"] = result.families;
  json["worst_ratio"] = number(result.worst_ratio);
  json["worst_ratio_key"] = key_json(result.worst_ratio_key);
  if (result.unit_ratio > 0) {
    json["unit_ratio"] = number(result.unit_ratio);
    json["unit_ratio_key"] = key_json(result.unit_ratio_key);
  }
  if (result.minimal) {
    json["failure"] = name(result.minimal->verdict.failure);
    json["failures"] = result.failures;
    json["first_failure"] = *result.first_failure;
    json["limit"] = number(result.minimal->verdict.limit);
    json["key"] = key_json(result.minimal->key);
    json["minimal"] = finding_json(*result.minimal);
    json["worst"] = {{"ratio", number(result.worst->verdict.ratio)}, {"key", key_json(result.worst->key)}};
    if (!result.diagnosis.empty()) json["diagnosis"] = result.diagnosis;
    json["reproduce"] = reproduce;
    if (!result.regression.empty()) json["regression"] = result.regression;
    if (!result.save_error.empty()) json["save_error"] = result.save_error;
  }
  json["seconds"] = result.seconds;
  return json;
}

Json grades_json(const Json& results) {
  Json grades = Json::object();
  for (const Json& result : results) {
    const std::string property = result["property"];
    if (property != "accuracy" && property != "gradient_accuracy") continue;
    const std::string outcome = result["outcome"];
    if (outcome != "holds" && outcome != "falsified") continue;
    const double ratio = result.contains("unit_ratio") && result["unit_ratio"].is_number()
                             ? result["unit_ratio"].get<double>()
                             : 0;
    const std::string grade = outcome == "falsified" ? "F"
                              : ratio <= 1 + 0x1p-20 ? "A"
                              : ratio <= 8           ? "B"
                                                     : "C";
    const std::string scalar = result["scalar"];
    grades[scalar] = std::max(grades.value(scalar, std::string()), grade);
  }
  return grades;
}

}  // namespace lnverify
