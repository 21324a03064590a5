#include "lnverify/mutant_trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/family.hpp"
#include "lnverify/usual_test.hpp"

namespace lnverify {
namespace {

struct TrialPair {
  const Property* property;
  Scalar scalar;
};

struct Kill {
  TrialPair pair{};
  std::uint64_t cases = 0;
};

// The laws that most faults die of come first, so that the others need few cases.
int rank(const LawInfo& law, const std::string& trait) {
  static const std::vector<std::string> first = {
      "accuracy", "gradient_accuracy", "memory", "gradient_memory"};
  if (law.id == trait) return -1;
  return static_cast<int>(std::find(first.begin(), first.end(), law.id) - first.begin());
}

// The laws, and the trait that the mutant breaks, in every scalar that it offers.
std::vector<TrialPair> pairs_of(const Subject& subject, const std::string& trait) {
  std::vector<TrialPair> pairs;
  for (const Property& property : properties()) {
    const LawInfo& law = property.info;
    if (law.exercises == Exercises::library || (law.kind == Kind::trait && law.id != trait)) continue;
    for (const Scalar scalar : law.scalars)
      if (subject.offers(law, scalar)) pairs.push_back({&property, scalar});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](const TrialPair& a, const TrialPair& b) {
    return rank(a.property->info, trait) < rank(b.property->info, trait);
  });
  return pairs;
}

RunOptions to_first_failure(std::uint64_t seed, std::size_t cases) {
  RunOptions options;
  options.seed = seed;
  options.cases = cases;
  options.stop_at_first = true;
  options.shrink = false;
  return options;
}

std::size_t most_cases(const TrialPair& pair, const TrialOptions& options) {
  return options.cases.value_or(default_cases(pair.scalar));
}

// The fewest cases over the laws. Budgets grow in stages, and a kill caps the budget of the laws after it.
std::optional<Kill> soonest_kill(
    const std::vector<TrialPair>& pairs, const Subject& subject, std::uint64_t seed,
    const TrialOptions& options) {
  std::optional<Kill> kill;
  for (const std::size_t stage : {std::size_t{20}, std::size_t{200}, std::size_t{1000000}}) {
    for (const TrialPair& pair : pairs) {
      const std::size_t budget =
          kill ? static_cast<std::size_t>(kill->cases - 1) : std::min(stage, most_cases(pair, options));
      if (budget == 0) return kill;
      const PropertyResult result =
          run_property(*pair.property, subject, pair.scalar, to_first_failure(seed, budget));
      if (result.conclusion == Conclusion::falsified) kill = Kill{pair, *result.first_failure};
    }
    if (kill) return kill;
  }
  return std::nullopt;
}

Json minimal_json(const Kill& kill, const Subject& subject, std::uint64_t seed) {
  RunOptions options = to_first_failure(seed, static_cast<std::size_t>(kill.cases));
  options.shrink = true;
  options.shrink_seconds = 5;  // batches of 65,537 rows would use all of the usual time
  const PropertyResult result = run_property(*kill.pair.property, subject, kill.pair.scalar, options);
  if (!result.minimal) return nullptr;
  Json json = finding_json(*result.minimal);
  const Case& c = result.minimal->input;
  json["failure"] = name(result.minimal->verdict.failure);
  json["d"] = c.sizes.count("d") != 0 ? c.size("d") : 0;
  json["simple"] = is_simple(c);
  if (!result.diagnosis.empty()) json["diagnosis"] = result.diagnosis;
  return json;
}

std::string label(const TrialPair& pair) {
  return pair.property->info.id + "/" + std::string(name(pair.scalar));
}

Json entry_json(const mutants::Entry& entry) {
  return {{"id", entry.id}, {"fault", entry.fault}, {"wrong", entry.wrong}, {"report", entry.report}};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_integer_or_power(double value) {
  int exponent = 0;
  return !std::isfinite(value) || value == std::trunc(value) ||
         std::fabs(std::frexp(value, &exponent)) == 0.5;
}

}  // namespace

std::uint64_t trial_seed(std::size_t k) { return default_seed + k; }

std::uint64_t median(std::vector<std::uint64_t> counts) {
  if (counts.empty()) return 0;
  std::sort(counts.begin(), counts.end());
  return counts[counts.size() / 2];
}

bool is_simple(const Case& c) {
  return std::all_of(c.arrays.begin(), c.arrays.end(), [](const Array& array) {
    return std::all_of(array.values.begin(), array.values.end(), is_integer_or_power);
  });
}

Json mutant_trial(const mutants::Mutant& mutant, const TrialOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Subject subject = Subject::functions(mutant.functions, mutant.entry.id);
  const std::vector<TrialPair> pairs = pairs_of(subject, mutant.entry.trait);
  Json json = entry_json(mutant.entry);
  json["can_be_simple"] = mutant.entry.simple;
  std::vector<std::uint64_t> counts;
  std::optional<Kill> first;
  std::size_t survived = 0;
  for (std::size_t k = 0; k < options.seeds; ++k) {
    const std::optional<Kill> kill = soonest_kill(pairs, subject, trial_seed(k), options);
    if (k == 0) first = kill;
    kill ? counts.push_back(kill->cases) : static_cast<void>(++survived);
  }
  json["survived"] = survived;
  json["counts"] = counts;
  json["cases"] = survived == 0 ? Json(median(counts)) : Json(nullptr);
  json["killed_by"] = Json::array();
  if (first) {
    json["minimal"] = minimal_json(*first, subject, trial_seed(0));
    json["soonest"] = label(first->pair);
    json["killed_by"].push_back(label(first->pair));
  }
  if (options.all_laws) {
    json["killed_by"] = Json::array();
    for (const TrialPair& pair : pairs) {
      const PropertyResult result = run_property(
          *pair.property, subject, pair.scalar, to_first_failure(trial_seed(0), most_cases(pair, options)));
      if (result.conclusion == Conclusion::falsified) json["killed_by"].push_back(label(pair));
    }
  }
  json["passes_usual_test"] = passes_usual_test(subject);
  json["seconds"] = seconds_since(start);
  return json;
}

Json control_trial(const mutants::Mutant& control, const TrialOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Subject subject = Subject::functions(control.functions, control.entry.id);
  Json json = entry_json(control.entry);
  json["accused_by"] = Json::array();
  std::size_t decided = 0;
  for (std::size_t k = 0; k < options.seeds; ++k)
    for (const TrialPair& pair : pairs_of(subject, "")) {
      RunOptions run = to_first_failure(trial_seed(k), most_cases(pair, options));
      const PropertyResult result = run_property(*pair.property, subject, pair.scalar, run);
      decided += result.decided;
      if (result.conclusion != Conclusion::falsified) continue;
      Json accusation = finding_json(*result.minimal);
      accusation["law"] = label(pair);
      json["accused_by"].push_back(accusation);
    }
  json["cases"] = decided;
  json["passes_usual_test"] = passes_usual_test(subject);
  json["seconds"] = seconds_since(start);
  return json;
}

}  // namespace lnverify
