// Results that `lnverify run --json` wrote, read back and checked, and the counts that every form of report
// shows.
#pragma once

#include <string>
#include <vector>

#include "lnverify/result_json.hpp"

namespace lnverify {

// Throws UsageError, in one line naming the file, the place and what was expected there, for anything but the
// results of a finished run.
Json load_results(const std::string& path);

std::string kernel_name(const Json& report);

// Scalars in the order of the results.
std::vector<std::string> scalars_of(const Json& report);
// The results of one property, one for each scalar; empty when the run did not include it.
std::vector<const Json*> results_of(const Json& report, const std::string& property);

// The scalars that get a grade.
inline const std::vector<std::string> graded = {"f16", "bf16", "f32", "f64"};

// One property as the tables list it.
struct PropertyRow {
  std::string id;
  std::string kind;  // "law" or "trait"
  std::string says;
};
// The properties of all reports, laws first, by id.
std::vector<PropertyRow> property_rows(const std::vector<Json>& reports);

// What the results of one property in all scalars come to.
enum class Cell { absent, not_supported, not_exercised, holds, mixed, falsified };
Cell cell_of(const std::vector<const Json*>& results);
// "holds", "false", "false in f16, f32", "-", "?"; "yes", "no", "no in f16" for a trait.
std::string cell_text(const std::vector<const Json*>& results);

struct Totals {
  std::size_t laws_holding = 0;  // in every scalar in which they were decided
  std::size_t laws_decided = 0;
  std::size_t traits_had = 0;
  std::size_t traits_decided = 0;
  std::size_t cases = 0;
  std::vector<std::string> falsified;  // laws, "accuracy (f16, f32)"
};
Totals totals_of(const Json& report);
// "none", or the first few of the falsified laws and how many more there are.
std::string falsified_text(const Totals& totals);

}  // namespace lnverify
