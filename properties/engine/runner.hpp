// The runner: one law on one kernel in one scalar, over many cases.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engine/subject.hpp"

namespace lnverify {

constexpr std::uint64_t default_seed = 20160721;

struct RunOptions {
  std::uint64_t seed = default_seed;
  std::optional<std::size_t> cases;         // default: by the cost of the scalar
  std::optional<std::uint64_t> only_index;  // run this one case
  bool shrink = true;
  bool stop_at_first = false;    // do not look for worse cases after the first failure
  double max_discard_ratio = 9;  // discarded cases for each decided one
  std::size_t shrink_evaluations = 3000;
  double shrink_seconds = 20;
};

// 2000 for f16 ... f64, 500 for mp50, 200 for exact.
std::size_t default_cases(Scalar scalar);

enum class Conclusion { holds, falsified, not_exercised, not_supported };
std::string_view name(Conclusion conclusion);  // "holds", "falsified", "not-exercised", "not-supported"

// A case with what the law said of it.
struct Finding {
  Case input;
  Verdict verdict;
  std::optional<CaseKey> key;  // none for a case from a file
  std::string file = {};       // the saved case that it is, or was shrunk from
};

struct PropertyResult {
  const Property* property = nullptr;
  Scalar scalar = Scalar::f32;
  Conclusion conclusion = Conclusion::not_exercised;
  std::string reason;  // why it is not exercised or not supported
  std::size_t decided = 0;
  std::size_t discarded = 0;
  std::size_t failures = 0;
  std::size_t slow_failures = 0;                // crashes and hangs among them
  std::size_t replayed = 0;                     // saved cases among the decided
  std::map<std::string, std::size_t> families;  // decided cases of each
  std::map<std::string, std::size_t> discards;  // reasons
  double worst_ratio = 0;                       // largest error / limit seen
  std::optional<CaseKey> worst_ratio_key;
  double unit_ratio = 0;  // largest error / bound of one roundoff
  std::optional<CaseKey> unit_ratio_key;
  std::optional<std::uint64_t> first_failure;  // number of cases up to and including the first that failed
  std::optional<Finding> minimal;              // the simplest failing case
  std::optional<Finding> worst;                // the failing case with the largest error ratio
  std::string diagnosis;   // in words, where the error of the minimal case has a known shape
  std::string regression;  // the file that holds the minimal case: replayed from it or saved in it
  std::string save_error;  // why it could not be saved
  double seconds = 0;
};

// Called now and then with the number of cases done so far.
using Progress = std::function<void(std::size_t done, std::size_t of)>;

// The saved cases are tried before any random one.
PropertyResult run_property(
    const Property& property, const Subject& subject, Scalar scalar, const RunOptions& options,
    const std::vector<Finding>& saved = {}, const Progress& progress = {});

// The simplest case that fails in the same kind as the given finding, within the budget of the options.
Finding simplest(
    const Property& property, const AnyKernel& kernel, Scalar scalar, Finding finding,
    const RunOptions& options);

// Whether every value of the case is on the grid of the scalar.
bool can_represent(const Case& c, Scalar scalar);

}  // namespace lnverify
