#include "lnverify/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "lnverify/options.hpp"

namespace lnverify {
namespace {

class Checker {
 public:
  explicit Checker(std::string path) : path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& place, const std::string& expected) const {
    throw UsageError(path_ + ": " + (place.empty() ? "" : place + ": ") + "expected " + expected);
  }
  const Json& member(const Json& object, const char* name, const std::string& place) const {
    if (!object.is_object() || !object.contains(name))
      fail(place, std::string("a member '") + name + "', as `lnverify run --json` writes it");
    return object[name];
  }
  void text(const Json& object, const char* name, const std::string& place) const {
    if (!member(object, name, place).is_string()) fail(place + "." + name, "a string");
  }
  void number(const Json& object, const char* name, const std::string& place) const {
    const Json& value = member(object, name, place);
    if (!value.is_number() && !value.is_string()) fail(place + "." + name, "a number");
  }
  void list(const Json& object, const char* name, const std::string& place) const {
    if (!member(object, name, place).is_array()) fail(place + "." + name, "a list");
  }
  void object(const Json& object, const char* name, const std::string& place) const {
    if (!member(object, name, place).is_object()) fail(place + "." + name, "an object");
  }

 private:
  std::string path_;
};

void check_finding(const Checker& checker, const Json& minimal, const std::string& place) {
  checker.object(minimal, "sizes", place);
  checker.object(minimal, "arrays", place);
  for (const auto& [name, values] : minimal["arrays"].items())
    checker.list(minimal["arrays"], name.c_str(), place + ".arrays");
  for (const char* name : {"placement", "what"}) checker.text(minimal, name, place);
  for (const char* name : {"expected", "got"}) checker.list(minimal, name, place);
  for (const char* name : {"error", "limit", "ratio"}) checker.number(minimal, name, place);
}

void check_result(const Checker& checker, const Json& result, const std::string& place) {
  for (const char* name : {"property", "scalar", "kind", "says", "outcome"})
    checker.text(result, name, place);
  checker.list(result, "claims", place);
  if (!checker.member(result, "counts", place).is_boolean()) checker.fail(place + ".counts", "true or false");
  if (!checker.member(result, "cases", place).is_number_unsigned())
    checker.fail(place + ".cases", "a whole number");
  if (result["outcome"] != "falsified") return;
  for (const char* name : {"failure", "reproduce"}) checker.text(result, name, place);
  check_finding(checker, checker.member(result, "minimal", place), place + ".minimal");
  checker.number(checker.member(result, "worst", place), "ratio", place + ".worst");
}

void check_curve(const Checker& checker, const Json& samples, const char* name, const std::string& place) {
  const Json& curve = checker.member(samples, name, place);
  checker.list(curve, "points", place + "." + name);
  for (const Json& point : curve["points"])
    if (!point.is_array() || point.size() != 2 || !point[0].is_number() ||
        !(point[1].is_number() || point[1].is_null()))
      checker.fail(place + "." + name + ".points", "pairs of numbers");
}

void check_samples(const Checker& checker, const Json& samples, const std::string& place) {
  check_curve(checker, samples, "kappa", place);
  checker.number(samples["kappa"], "limit", place + ".kappa");
  check_curve(checker, samples, "d", place);
  const Json& range = checker.member(samples, "range", place);
  for (const char* name : {"z", "eps", "cells"}) checker.list(range, name, place + ".range");
  for (const Json& cells : range["cells"])
    if (!cells.is_string() || cells.get<std::string>().size() != range["z"].size() ||
        range["cells"].size() != range["eps"].size())
      checker.fail(place + ".range.cells", "one letter for each exponent");
}

void check_results(const Checker& checker, const Json& report) {
  if (!report.is_object()) checker.fail("", "an object, as `lnverify run --json` writes it");
  if (checker.member(report, "schema", "") != results_schema)
    checker.fail("schema", fmt::format("{}, found {}", results_schema, report["schema"].dump()));
  checker.text(checker.member(report, "kernel", ""), "name", "kernel");
  checker.object(report["kernel"], "grade", "kernel");
  checker.member(report, "seed", "");
  checker.list(report, "results", "");
  for (std::size_t i = 0; i < report["results"].size(); ++i)
    check_result(checker, report["results"][i], fmt::format("results[{}]", i));
  if (!report.contains("samples")) return;
  checker.object(report, "samples", "");
  for (const auto& [scalar, samples] : report["samples"].items())
    check_samples(checker, samples, "samples." + scalar);
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> falsified_scalars(const std::vector<const Json*>& results) {
  std::vector<std::string> scalars;
  for (const Json* result : results)
    if ((*result)["outcome"] == "falsified") scalars.push_back((*result)["scalar"]);
  return scalars;
}

}  // namespace

Json load_results(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) throw UsageError(path + ": can't be read: " + std::strerror(errno));
  Json report;
  try {
    report = Json::parse(stream);
  } catch (const Json::parse_error& error) {
    std::string words = error.what();
    const std::size_t start = words.find("at line");
    words = start == std::string::npos ? "" : words.substr(start, words.find(':', start) - start) + ": ";
    throw UsageError(path + ": " + words + "expected JSON, as `lnverify run --json` writes it");
  }
  check_results(Checker(path), report);
  return report;
}

std::string kernel_name(const Json& report) { return report["kernel"]["name"]; }

std::vector<std::string> scalars_of(const Json& report) {
  std::vector<std::string> scalars;
  for (const Json& result : report["results"]) {
    const std::string scalar = result["scalar"];
    if (std::find(scalars.begin(), scalars.end(), scalar) == scalars.end()) scalars.push_back(scalar);
  }
  return scalars;
}

std::vector<const Json*> results_of(const Json& report, const std::string& property) {
  std::vector<const Json*> results;
  for (const Json& result : report["results"])
    if (result["property"] == property) results.push_back(&result);
  return results;
}

std::vector<PropertyRow> property_rows(const std::vector<Json>& reports) {
  std::vector<PropertyRow> rows;
  for (const Json& report : reports)
    for (const Json& result : report["results"]) {
      const std::string id = result["property"];
      if (std::none_of(rows.begin(), rows.end(), [&](const PropertyRow& row) { return row.id == id; }))
        rows.push_back({id, result["kind"], result["says"]});
    }
  std::sort(rows.begin(), rows.end(), [](const PropertyRow& a, const PropertyRow& b) {
    return std::tie(a.kind, a.id) < std::tie(b.kind, b.id);
  });
  return rows;
}

Cell cell_of(const std::vector<const Json*>& results) {
  bool held = false;
  bool failed = false;
  bool missed = false;
  for (const Json* result : results) {
    const std::string outcome = (*result)["outcome"];
    held = held || outcome == "holds";
    failed = failed || outcome == "falsified";
    missed = missed || outcome == "not-exercised";
  }
  if (failed) return held ? Cell::mixed : Cell::falsified;
  if (held) return Cell::holds;
  if (missed) return Cell::not_exercised;
  return results.empty() ? Cell::absent : Cell::not_supported;
}

std::string cell_text(const std::vector<const Json*>& results) {
  const bool is_law = !results.empty() && (*results.front())["kind"] == "law";
  switch (cell_of(results)) {
    case Cell::holds:
      return is_law ? "holds" : "yes";
    case Cell::falsified:
      return is_law ? "false" : "no";
    case Cell::mixed:
      return (is_law ? "false in " : "no in ") + joined(falsified_scalars(results));
    case Cell::not_exercised:
      return "?";
    case Cell::not_supported:
    case Cell::absent:
      break;
  }
  return "-";
}

std::string falsified_text(const Totals& totals) {
  constexpr std::size_t most = 4;
  const auto& all = totals.falsified;
  if (all.empty()) return "none";
  if (all.size() <= most) return joined(all);
  return fmt::format(
      "{} and {} more", joined({all.begin(), all.begin() + (most - 1)}), all.size() - (most - 1));
}

Totals totals_of(const Json& report) {
  Totals totals;
  for (const PropertyRow& row : property_rows({report})) {
    const auto results = results_of(report, row.id);
    for (const Json* result : results) totals.cases += (*result)["cases"].get<std::size_t>();
    const Cell cell = cell_of(results);
    if (cell != Cell::holds && cell != Cell::mixed && cell != Cell::falsified) continue;
    const bool is_law = row.kind == "law";
    ++(is_law ? totals.laws_decided : totals.traits_decided);
    if (cell == Cell::holds) ++(is_law ? totals.laws_holding : totals.traits_had);
    if (cell != Cell::holds && is_law)
      totals.falsified.push_back(fmt::format("{} ({})", row.id, joined(falsified_scalars(results))));
  }
  return totals;
}

}  // namespace lnverify
