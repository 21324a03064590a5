#include "engine/runner.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "engine/diagnosis.hpp"
#include "engine/family.hpp"
#include "engine/generate.hpp"
#include "engine/regression.hpp"
#include "engine/shrink.hpp"

namespace lnverify {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool is_slow(Failure failure) { return failure == Failure::hung || failure == Failure::crashed; }

bool is_value_failure(Failure failure) {
  return failure == Failure::wrong_value || failure == Failure::not_finite;
}

// Failures beyond these many only repeat what is known.
constexpr std::size_t enough_failures = 200;
constexpr std::size_t enough_slow_failures = 3;

void count(PropertyResult& result, const Finding& finding) {
  const Verdict& verdict = finding.verdict;
  if (verdict.outcome == Outcome::discarded) {
    ++result.discarded;
    ++result.discards[verdict.what];
    return;
  }
  ++result.decided;
  // Replayed cases do not count: one saved case must not stand in for a family's random ones.
  if (finding.file.empty()) ++result.families[finding.input.family];
  if (verdict.ratio > result.worst_ratio) {
    result.worst_ratio = verdict.ratio;
    result.worst_ratio_key = finding.key;
  }
  if (verdict.unit_ratio > result.unit_ratio) {
    result.unit_ratio = verdict.unit_ratio;
    result.unit_ratio_key = finding.key;
  }
}

// One evaluation; an exception out of a law is a fault of the law, and says which case showed it.
Verdict checked(const Property& property, const AnyKernel& kernel, Scalar scalar, const Finding& finding) {
  try {
    return evaluate(property, kernel, finding.input);
  } catch (const BadKernel&) {
    throw;
  } catch (const std::exception& error) {
    throw std::runtime_error(
        "internal error in " + property.info.id + "/" + std::string(name(scalar)) +
        (finding.key            ? ", case " + to_string(*finding.key)
         : finding.file.empty() ? ""
                                : ", " + finding.file) +
        ": " + error.what());
  }
}

// A kernel without gain or bias is tested without them. False where the case has none.
bool without_optional_arrays(Case& c) {
  return std::erase_if(c.arrays, [](const Array& array) { return array.optional; }) > 0;
}

void conclude(PropertyResult& result, const RunOptions& options) {
  const LawInfo& law = result.property->info;
  if (result.failures > 0) {
    result.conclusion = Conclusion::falsified;
    return;
  }
  result.conclusion = Conclusion::holds;
  const std::size_t decided = result.decided - result.replayed;
  if (decided == 0) {
    result.conclusion = Conclusion::not_exercised;
    const auto commonest = std::max_element(
        result.discards.begin(), result.discards.end(),
        [](const auto& a, const auto& b) { return a.second < b.second; });
    result.reason =
        "no case was decided" + (commonest == result.discards.end() ? "" : "; " + commonest->first);
    if (commonest != result.discards.end() && commonest->first.starts_with("not supported"))
      result.conclusion = Conclusion::not_supported;
    return;
  }
  if (options.only_index) return;
  for (const std::string& family : law.required)
    if (result.families.find(family) == result.families.end()) {
      result.conclusion = Conclusion::not_exercised;
      result.reason = "no case of the family " + family + " was decided";
    }
  if (!law.rare_by_nature &&
      static_cast<double>(result.discarded) > options.max_discard_ratio * static_cast<double>(decided)) {
    result.conclusion = Conclusion::not_exercised;
    result.reason = std::to_string(result.discarded) + " of " + std::to_string(result.discarded + decided) +
                    " cases were discarded";
  }
}

}  // namespace

std::string_view name(Conclusion conclusion) {
  constexpr std::array<std::string_view, 4> names = {"holds", "falsified", "not-exercised", "not-supported"};
  return names[static_cast<std::size_t>(conclusion)];
}

std::size_t default_cases(Scalar scalar) {
  if (scalar == Scalar::exact) return 200;
  return scalar == Scalar::mp50 ? 500 : 2000;
}

bool can_represent(const Case& c, Scalar scalar) {
  const Grid grid = grid_of(scalar);
  for (const Array& array : c.arrays)
    for (const double value : array.values) {
      if (std::isnan(value) || std::isinf(value)) {
        if (scalar == Scalar::exact) return false;
        continue;
      }
      if (scalar == Scalar::exact || scalar == Scalar::mp50) continue;
      const double rounded = is_epsilon(array) ? grid.round_epsilon(value) : grid.round(value);
      if (rounded != value) return false;
    }
  return true;
}

Finding simplest(
    const Property& property, const AnyKernel& kernel, Scalar scalar, Finding finding,
    const RunOptions& options) {
  const Clock::time_point start = Clock::now();
  std::size_t evaluations = 0;
  rc::Shrinkable<Case> current = shrinkable_case(finding.input, grid_of(scalar));
  for (bool simpler_found = true; simpler_found;) {
    simpler_found = false;
    rc::Seq<rc::Shrinkable<Case>> candidates = current.shrinks();
    while (rc::Maybe<rc::Shrinkable<Case>> candidate = candidates.next()) {
      if (++evaluations > options.shrink_evaluations || seconds_since(start) > options.shrink_seconds)
        return finding;
      Finding simpler{candidate->value(), {}, finding.key, finding.file};
      simpler.verdict = checked(property, kernel, scalar, simpler);
      if (!simpler.verdict.falsified() || simpler.verdict.failure != finding.verdict.failure) continue;
      finding = std::move(simpler);
      current = std::move(*candidate);
      simpler_found = true;
      break;
    }
  }
  return finding;
}

namespace {

// Counts one finding; true when there is nothing more to learn from further ones.
bool take(PropertyResult& result, Finding finding, const AnyKernel& kernel, const RunOptions& options) {
  count(result, finding);
  if (!finding.file.empty() && finding.verdict.outcome != Outcome::discarded) ++result.replayed;
  if (!finding.verdict.falsified()) return false;
  ++result.failures;
  if (!result.minimal) {
    result.first_failure = result.decided + result.discarded;
    result.minimal =
        options.shrink ? simplest(*result.property, kernel, result.scalar, finding, options) : finding;
    // A saved case is minimal for the kernel that it was found on; another may fail on a simpler one.
    // Told by what would be written: a NaN does not equal itself, and -0 equals 0.
    const std::string& id = result.property->info.id;
    if (regression_name(id, result.minimal->input) == regression_name(id, finding.input))
      result.regression = finding.file;
    if (options.shrink && is_value_failure(finding.verdict.failure))
      result.diagnosis = diagnose(result.property->info, {result.minimal->input, finding.input}, kernel);
  }
  const Failure failure = finding.verdict.failure;
  if (!result.worst || finding.verdict.ratio > result.worst->verdict.ratio) result.worst = std::move(finding);
  if (is_slow(failure)) ++result.slow_failures;
  return options.stop_at_first || result.failures >= enough_failures ||
         result.slow_failures >= enough_slow_failures;
}

}  // namespace

PropertyResult run_property(
    const Property& property, const Subject& subject, Scalar scalar, const RunOptions& options,
    const std::vector<Finding>& saved, const Progress& progress) {
  const Clock::time_point start = Clock::now();
  PropertyResult result;
  result.property = &property;
  result.scalar = scalar;
  if (!subject.offers(property.info, scalar)) {
    result.conclusion = Conclusion::not_supported;
    result.reason = "the kernel does not offer it";
    return result;
  }
  const AnyKernel kernel = subject.kernel(scalar);
  bool done = false;
  for (std::size_t i = 0; i < saved.size() && !done; ++i) {
    Finding finding = saved[i];
    finding.verdict = checked(property, kernel, scalar, finding);
    done = take(result, std::move(finding), kernel, options);
  }
  const std::size_t cases = options.only_index ? 1 : options.cases.value_or(default_cases(scalar));
  for (std::size_t i = 0; i < cases && !done; ++i) {
    if (progress && i % 64 == 0) progress(i, cases);
    const CaseKey key{options.seed, options.only_index.value_or(i)};
    Finding finding{generate(property.info, scalar, key), {}, key};
    finding.verdict = checked(property, kernel, scalar, finding);
    if (finding.verdict.not_supported && without_optional_arrays(finding.input))
      finding.verdict = checked(property, kernel, scalar, finding);
    done = take(result, std::move(finding), kernel, options);
  }
  conclude(result, options);
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace lnverify
