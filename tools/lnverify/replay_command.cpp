#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/regression.hpp"
#include "lnverify/commands.hpp"
#include "lnverify/console.hpp"
#include "lnverify/exit_status.hpp"
#include "lnverify/warm_up.hpp"

namespace lnverify {
namespace {

// What became of one file in one scalar.
struct Replay {
  Scalar scalar;
  Verdict verdict;
};

// A case saved for a crash, a hang or a stray access holds as soon as its calls end well, whatever their
// values.
bool is_about_values(const std::string& failure) {
  return failure != name(Failure::crashed) && failure != name(Failure::hung) &&
         failure != name(Failure::failed) && failure != name(Failure::out_of_bounds) &&
         failure != name(Failure::scribbled) && failure != name(Failure::not_written);
}

std::vector<Replay> replays(
    const SavedCase& saved, const Subject& subject, const std::vector<Scalar>& scalars) {
  const Property& property = *find_property(saved.property);
  std::vector<Replay> result;
  for (const Scalar scalar : scalars) {
    const auto& served = property.info.scalars;
    if (std::find(served.begin(), served.end(), scalar) == served.end()) continue;
    if (!can_represent(saved.input, scalar) || !subject.offers(property.info, scalar)) continue;
    Verdict verdict = evaluate(property, subject.kernel(scalar), saved.input);
    const bool undecided = verdict.outcome == Outcome::discarded && !verdict.not_supported;
    if (undecided && !is_about_values(saved.failure)) verdict = holds();
    result.push_back({scalar, std::move(verdict)});
  }
  return result;
}

std::string outcome_text(const SavedCase& saved, const Replay& replay) {
  const std::string label = fmt::format("{} {}/{}", saved.path, saved.property, name(replay.scalar));
  const Verdict& verdict = replay.verdict;
  if (verdict.outcome == Outcome::holds) return label + " holds\n";
  if (verdict.outcome == Outcome::discarded) return fmt::format("{} not decided: {}\n", label, verdict.what);
  const Json finding = finding_json({saved.input, verdict, std::nullopt, saved.path});
  std::string text = fmt::format("{} falsified: {}, {}\n", label, name(verdict.failure), verdict.what);
  text += case_text(finding, "    ");
  if (!verdict.got.empty())
    text += fmt::format(
        "    expected {}\n    got      {}\n    error {} where {} is allowed\n", finding["expected"].dump(),
        finding["got"].dump(), finding["error"].dump(), finding["limit"].dump());
  return text;
}

}  // namespace

int replay_command(const Options& options, const std::vector<std::string>& files) {
  const Subject subject = make_subject(options.kernel);
  const std::vector<Scalar> scalars = selected_scalars(options, subject);
  std::vector<SavedCase> cases;
  for (const std::string& file : files) cases.push_back(load_regression(file));
  warm_up(subject);
  bool decided = false;
  bool falsified = false;
  for (const SavedCase& saved : cases) {
    const std::vector<Replay> results = replays(saved, subject, scalars);
    if (results.empty()) fmt::print("{} not supported by {}\n", saved.path, subject.name());
    for (const Replay& replay : results) {
      fmt::print("{}", outcome_text(saved, replay));
      decided = decided || replay.verdict.outcome != Outcome::discarded;
      falsified = falsified || replay.verdict.falsified();
    }
  }
  if (falsified) return falsified_and_saved;
  return decided ? all_hold : not_exercised;
}

}  // namespace lnverify
