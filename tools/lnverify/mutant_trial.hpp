// One mutant against the laws.
#pragma once

#include <vector>

#include "lnverify/result_json.hpp"
#include "mutants/mutant.hpp"

namespace lnverify {

struct TrialOptions {
  bool all_laws = false;
  std::size_t seeds = 1;
  std::optional<std::size_t> cases;
};

// The soonest kill for each seed and the law it came from; the minimal case of the first seed; with all_laws,
// every law that kills it with the first seed.
Json mutant_trial(const mutants::Mutant& mutant, const TrialOptions& options);

// Every law over all cases and seeds; which of them accuse the control, and the number of cases decided.
Json control_trial(const mutants::Mutant& control, const TrialOptions& options);

// The seed of trial number k: the default one, and then its successors.
std::uint64_t trial_seed(std::size_t k);

// The median of the counts; of an even number of them, the larger middle one.
std::uint64_t median(std::vector<std::uint64_t> counts);

// Whether every number of the case is an integer or a power of two.
bool is_simple(const Case& c);

}  // namespace lnverify
