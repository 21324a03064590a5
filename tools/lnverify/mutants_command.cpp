#include "lnverify/mutants_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "lnverify/exit_status.hpp"
#include "lnverify/jobs.hpp"
#include "lnverify/mutant_trial.hpp"
#include "lnverify/options.hpp"

namespace lnverify {
namespace {

using mutants::Mutant;

std::vector<Mutant> selected(const MutantsOptions& options) {
  std::vector<Mutant> chosen;
  for (const Mutant& mutant : options.controls ? mutants::all_controls() : mutants::all_mutants())
    if (options.mutants.empty() ||
        std::any_of(options.mutants.begin(), options.mutants.end(), [&](const std::string& pattern) {
          return glob_matches(pattern, mutant.entry.id);
        }))
      chosen.push_back(mutant);
  if (chosen.empty()) throw UsageError("--mutant: nothing matches");
  return chosen;
}

std::string text(const Json& json, const char* key) { return json.value(key, std::string("-")); }

bool is_survivor(const Json& mutant) { return !mutant.contains("cases") || mutant["cases"].is_null(); }

bool has_small_minimal(const Json& mutant) {
  if (!mutant.contains("minimal") || mutant["minimal"].is_null()) return false;
  return mutant["minimal"]["simple"].get<bool>() && mutant["minimal"]["d"].get<std::size_t>() <= 3;
}

void print_mutant(const Json& mutant) {
  if (is_survivor(mutant)) {
    fmt::print("{:<36} SURVIVES  {}\n", text(mutant, "id"), text(mutant, "wrong"));
    return;
  }
  const Json& minimal = mutant["minimal"];
  fmt::print(
      "{:<36} {:>5}  d {:>4}{}  {:>5.2f} s  {:<30}{}{}\n", text(mutant, "id"), mutant["cases"].dump(),
      minimal.is_null() ? "?" : minimal["d"].dump(), has_small_minimal(mutant) ? " simple" : "       ",
      mutant["seconds"].get<double>(), text(mutant, "soonest"),
      mutant["passes_usual_test"].get<bool>() ? "  passes the usual test" : "",
      minimal.is_null() || !minimal.contains("diagnosis")
          ? ""
          : "  (" + minimal["diagnosis"].get<std::string>() + ")");
  std::string laws;
  for (const Json& law : mutant["killed_by"]) laws += " " + law.get<std::string>();
  if (mutant["killed_by"].size() > 1) fmt::print("    killed by{}\n", laws);
}

// For each law, the mutants that no other law kills, whatever the scalar.
Json minimal_power(const Json& results) {
  std::map<std::string, std::vector<std::string>> alone;
  for (const Property& property : properties()) alone[property.info.id];
  for (const Json& mutant : results) {
    std::set<std::string> laws;
    for (const Json& law : mutant["killed_by"]) {
      const std::string label = law;
      laws.insert(label.substr(0, label.find('/')));
    }
    if (laws.size() == 1) alone[*laws.begin()].push_back(mutant["id"]);
  }
  return alone;
}

Json summary_of_mutants(const Json& results) {
  std::vector<std::uint64_t> counts;
  std::size_t killed = 0;
  std::size_t usual = 0;
  std::size_t small = 0;
  std::size_t can_be_small = 0;
  for (const Json& mutant : results) {
    usual += mutant.value("passes_usual_test", false) ? 1 : 0;
    can_be_small += mutant["can_be_simple"].get<bool>() ? 1 : 0;
    small += mutant["can_be_simple"].get<bool>() && has_small_minimal(mutant) ? 1 : 0;
    if (is_survivor(mutant)) continue;
    ++killed;
    counts.push_back(mutant["cases"]);
  }
  return {
      {"mutants", results.size()},
      {"killed", killed},
      {"median_cases", median(counts)},
      {"most_cases", counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end())},
      {"minimal_cases_small_and_simple", small},
      {"minimal_cases_that_can_be", can_be_small},
      {"survivors_of_usual_test", usual}};
}

int report_mutants(Json& report, bool all_laws) {
  for (const Json& mutant : report["mutants"]) print_mutant(mutant);
  const Json summary = summary_of_mutants(report["mutants"]);
  report["summary"] = summary;
  if (all_laws) {
    report["killed_alone"] = minimal_power(report["mutants"]);
    fmt::print("\nmutants that one law alone kills\n");
    for (const auto& [law, ids] : report["killed_alone"].items()) {
      std::string list;
      for (const Json& id : ids) list += " " + id.get<std::string>();
      fmt::print("  {:<34}{:>3} {}\n", law, ids.size(), list);
    }
  }
  fmt::print(
      "\n{} of {} mutants killed; cases to the first failure: median {}, most {}; {} of {} minimal cases "
      "that "
      "can be small and simple are\nthe usual test (standard normal, d = 64, gain 1, bias 0): {} of {} "
      "mutants pass it\n",
      summary["killed"].dump(), summary["mutants"].dump(), summary["median_cases"].dump(),
      summary["most_cases"].dump(), summary["minimal_cases_small_and_simple"].dump(),
      summary["minimal_cases_that_can_be"].dump(), summary["survivors_of_usual_test"].dump(),
      summary["mutants"].dump());
  return summary["killed"] == summary["mutants"] ? all_hold : falsified_and_saved;
}

int report_controls(const Json& report) {
  std::size_t accused = 0;
  for (const Json& control : report["controls"]) {
    const bool innocent = control.contains("cases") && control["accused_by"].empty();
    accused += innocent ? 0 : 1;
    fmt::print(
        "{:<24} {}  {} cases, {:.1f} s{}\n", text(control, "id"), innocent ? "holds  " : "ACCUSED",
        control.value("cases", 0), control.value("seconds", 0.0),
        control.value("passes_usual_test", true) ? "" : "  fails the usual test");
    for (const Json& finding : control["accused_by"])
      fmt::print("    {} {}\n", text(finding, "law"), finding.dump().substr(0, 600));
  }
  fmt::print("{} of {} controls accused\n", accused, report["controls"].size());
  return accused == 0 ? all_hold : falsified_and_saved;
}

}  // namespace

int mutants_command(const MutantsOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Mutant> chosen = selected(options);
  if (options.seeds == 0) throw UsageError("--seeds: expected at least 1, found 0");
  if (options.cases && *options.cases == 0) throw UsageError("--cases: expected at least 1, found 0");
  const TrialOptions trial{options.all_laws, options.seeds, options.cases};
  const unsigned processes =
      options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  std::vector<Json> results(chosen.size());
  run_jobs(
      chosen.size(), processes,
      [&]() -> Work {
        return [&](std::size_t i) {
          return options.controls ? control_trial(chosen[i], trial) : mutant_trial(chosen[i], trial);
        };
      },
      [&](std::size_t i, std::optional<Json> result) {
        results[i] = result ? std::move(*result)
                            : Json{
                                  {"id", chosen[i].entry.id},
                                  {"wrong", "the process that tried it died"},
                                  {"can_be_simple", false},
                                  {"killed_by", Json::array()},
                                  {"accused_by", Json::array()}};
      });
  Json report;
  report[options.controls ? "controls" : "mutants"] = results;
  report["seeds"] = options.seeds;
  const int status = options.controls ? report_controls(report) : report_mutants(report, options.all_laws);
  report["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{:.1f} s, {} seed(s)\n", report["seconds"].get<double>(), options.seeds);
  if (!options.json.empty()) {
    std::ofstream stream(options.json);
    stream << report.dump(2) << "\n";
    if (!stream.flush()) throw UsageError("--json: " + options.json + " can't be written");
  }
  return status;
}

}  // namespace lnverify
