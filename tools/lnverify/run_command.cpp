#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <thread>

#include "engine/regression.hpp"
#include "engine/server.hpp"
#include "lnverify/commands.hpp"
#include "lnverify/console.hpp"
#include "lnverify/exit_status.hpp"
#include "lnverify/jobs.hpp"
#include "lnverify/probe.hpp"
#include "lnverify/warm_up.hpp"

namespace lnverify {
namespace {

struct Pair {
  const Property* property;
  Scalar scalar;
};

// Everything the work on one pair needs; read-only once made.
struct Plan {
  const Options& options;
  RunOptions run;
  Subject subject;
  std::vector<Pair> pairs;
  std::vector<SavedCase> saved;
};

bool counts(const Plan& plan, const LawInfo& law) {
  const auto& required = plan.options.required;
  return law.kind == Kind::law || std::find(required.begin(), required.end(), law.id) != required.end();
}

bool listed(const std::vector<Scalar>& scalars, Scalar scalar) {
  return std::find(scalars.begin(), scalars.end(), scalar) != scalars.end();
}

std::vector<Pair> selected_pairs(const Options& options, const Subject& subject) {
  std::vector<Pair> pairs;
  const std::vector<Scalar> scalars = selected_scalars(options, subject);
  for (const Property* property : selected_properties(options)) {
    if (property->info.exercises == Exercises::library && !subject.is_reference()) continue;
    for (const Scalar scalar : scalars)
      if (listed(property->info.scalars, scalar)) pairs.push_back({property, scalar});
  }
  return pairs;
}

// A word of a command as a shell takes it.
std::string quoted(const std::string& word) {
  const bool plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-") ==
      std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string reproduce_command(const Plan& plan, const PropertyResult& result) {
  const Options& options = plan.options;
  const std::string program = quoted(options.program);
  const std::string kernel = options.kernel == "reference" ? "" : " --kernel " + quoted(options.kernel);
  // Where the minimal case is in no file, the saved case that it came from fails in the same kind.
  const std::string& file = result.regression.empty() ? result.minimal->file : result.regression;
  if (!file.empty())
    return fmt::format("{} replay{} --scalar {} {}", program, kernel, name(result.scalar), quoted(file));
  return fmt::format(
      "{} run{} --property {} --scalar {} --key {}", program, kernel, result.property->info.id,
      name(result.scalar), to_string(result.minimal->key.value_or(CaseKey{})));
}

// The command that repeats the whole run; the seed may have been drawn.
std::string run_again_command(const Plan& plan) {
  const Options& options = plan.options;
  std::string command = fmt::format(
      "{} run --kernel {} --seed {}", quoted(options.program), quoted(options.kernel), plan.run.seed);
  const auto add = [&](const char* flag, const std::vector<std::string>& words) {
    if (!words.empty())
      command += fmt::format(" {} {}", flag, quoted(fmt::format("{}", fmt::join(words, ","))));
  };
  add("--property", options.properties);
  add("--scalar", options.scalars);
  add("--require", options.required);
  if (plan.run.cases) command += fmt::format(" --cases {}", *plan.run.cases);
  return command;
}

std::vector<Finding> saved_findings(const Plan& plan, const Pair& pair) {
  std::vector<Finding> findings;
  for (const SavedCase& saved : plan.saved)
    if (saved.property == pair.property->info.id && can_represent(saved.input, pair.scalar))
      findings.push_back({saved.input, {}, std::nullopt, saved.path});
  return findings;
}

Json work_on(const Plan& plan, const Subject& subject, const Pair& pair) {
  const auto saved = plan.run.only_index ? std::vector<Finding>{} : saved_findings(plan, pair);
  PropertyResult result = run_property(*pair.property, subject, pair.scalar, plan.run, saved);
  const bool is_fault = counts(plan, pair.property->info);
  if (result.minimal && result.regression.empty() && is_fault) {
    try {
      result.regression = save_regression(result, plan.subject.name(), plan.options.regressions);
    } catch (const std::runtime_error& error) {
      result.save_error = error.what();
    }
  }
  Json json = result_json(result, is_fault, result.minimal ? reproduce_command(plan, result) : "");
  if (!result.save_error.empty()) json["unsaved"] = regression_text(result, plan.subject.name());
  return json;
}

Json died(const Pair& pair, bool is_fault) {
  PropertyResult result;
  result.property = pair.property;
  result.scalar = pair.scalar;
  result.reason = "the process that checked it died";
  return result_json(result, is_fault, "");
}

void show_progress(std::size_t done, std::size_t of, const Json& result) {
  if (::isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "\r\033[K[{}/{}] {}", done, of, result_line(result).substr(0, 90));
    if (done == of) fmt::print(stderr, "\r\033[K");
  } else {
    fmt::print(stderr, "[{}/{}] {}\n", done, of, result_line(result));
  }
  std::fflush(stderr);
}

// A scalar or trait that was asked for by name and of which nothing was decided.
bool something_named_is_missing(const Options& options, const Json& results) {
  const auto missing = [&](const char* member, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      bool run = false;
      for (const Json& result : results) {
        if (result[member] != name) continue;
        run = true;
        if (result["outcome"] == "holds" || result["outcome"] == "falsified") return false;
      }
      return run;
    });
  };
  return missing("scalar", options.scalars) || missing("property", options.required);
}

int exit_status(const Options& options, const Json& results) {
  bool unsaved = false;
  bool falsified = false;
  bool exercised = false;
  bool missed = false;
  for (const Json& result : results) {
    const std::string outcome = result["outcome"];
    const bool is_fault = result["counts"];
    exercised = exercised || outcome == "holds" || outcome == "falsified";
    missed = missed || (outcome == "not-exercised" && is_fault);
    falsified = falsified || (outcome == "falsified" && is_fault);
    unsaved = unsaved || result.contains("save_error");
  }
  if (unsaved) return falsified_not_saved;
  if (falsified) return falsified_and_saved;
  return missed || !exercised || something_named_is_missing(options, results) ? not_exercised : all_hold;
}

void print_summary(const Json& report, double seconds) {
  std::size_t cases = 0;
  std::size_t faults = 0;
  for (const Json& result : report["results"]) {
    cases += result["cases"].get<std::size_t>();
    if (result["outcome"] == "falsified" && result["counts"].get<bool>()) ++faults;
  }
  const std::string kernel = report["kernel"]["name"];
  fmt::print("\n{}: {} cases decided in {:.1f} s, seed {}", kernel, cases, seconds, report["seed"].dump());
  fmt::print("; {}\n", faults == 0 ? "no law falsified" : fmt::format("{} falsified", faults));
}

// Throws where the file can't be written; leaves what is there as it is.
void check_writable(const std::string& path) {
  std::error_code unknown;
  const bool is_new = !std::filesystem::exists(path, unknown);
  if (!std::ofstream(path, std::ios::app)) throw UsageError("--json: " + path + " can't be written");
  if (is_new) std::filesystem::remove(path, unknown);
}

bool write_file(const std::string& path, const Json& report) {
  std::ofstream stream(path);
  stream << report.dump(2) << "\n";
  return static_cast<bool>(stream.flush());
}

// An old report stays whole until the new one is. What is no regular file, or lies in a folder that takes no
// other file, is written as it is.
void write_report(const std::string& path, const Json& report) {
  std::error_code error;
  const bool replaceable =
      !std::filesystem::exists(path, error) || std::filesystem::is_regular_file(path, error);
  const std::string fresh = fmt::format("{}.{}", path, ::getpid());
  if (replaceable && write_file(fresh, report)) {
    std::filesystem::rename(fresh, path, error);
    if (!error) return;
  }
  if (replaceable) std::filesystem::remove(fresh, error);
  if (!write_file(path, report)) throw UsageError("--json: " + path + " can't be written");
}

}  // namespace

int run_command(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  check_required(options);
  Plan plan{options, run_options(options, std::getenv("RC_PARAMS")), make_subject(options.kernel), {}, {}};
  plan.pairs = selected_pairs(options, plan.subject);
  for (const std::string& file : regression_files(options.regressions))
    plan.saved.push_back(load_regression(file));
  if (!options.json.empty()) check_writable(options.json);
  fmt::print("kernel {}, seed {}\n", plan.subject.name(), plan.run.seed);
  std::fflush(stdout);

  std::vector<Json> results(plan.pairs.size());
  std::size_t done = 0;
  const unsigned processes =
      options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  run_jobs(
      plan.pairs.size(), processes,
      [&]() -> Work {
        const auto subject = std::make_shared<Subject>(make_subject(options.kernel));
        warm_up(*subject);
        return [&plan, subject](std::size_t i) { return work_on(plan, *subject, plan.pairs[i]); };
      },
      [&](std::size_t i, std::optional<Json> result) {
        const Pair& pair = plan.pairs[i];
        results[i] = result ? std::move(*result) : died(pair, counts(plan, pair.property->info));
        show_progress(++done, results.size(), results[i]);
      });

  Json report;
  report["schema"] = results_schema;
  report["seed"] = plan.run.seed;
  report["kernel"] = {{"name", plan.subject.name()}, {"path", options.kernel}};
  report["results"] = results;
  report["kernel"]["grade"] = grades_json(report["results"]);
  for (Json& result : report["results"]) {
    if (result["outcome"] == "falsified" && result["counts"].get<bool>())
      fmt::print("{}", failure_text(result, plan.subject.name()));
    if (result.contains("unsaved")) fmt::print("{}", result["unsaved"].get<std::string>());
    result.erase("unsaved");
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{}", table_text(report, use_colour(stdout)));
  print_summary(report, seconds);
  if (!options.json.empty()) {
    report["command"] = run_again_command(plan);
    report["seconds"] = seconds;
    if (options.probe) {
      warm_up(plan.subject);
      report["samples"] = probe_json(plan.subject);
    }
    write_report(options.json, report);
  }
  return exit_status(options, report["results"]);
}

}  // namespace lnverify
