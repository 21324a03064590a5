// `lnverify mutants`: whether the laws kill every kernel that is wrong on purpose, how soon, and by which
// law.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lnverify {

struct MutantsOptions {
  std::vector<std::string> mutants;  // globs of ids; none: all
  bool controls = false;             // the honest kernels instead: none may be accused
  bool all_laws = false;             // which laws kill each mutant, not just the soonest
  std::size_t seeds = 1;
  std::optional<std::size_t> cases;  // of each law and scalar; default: as in `run`
  unsigned jobs = 0;                 // 0: one for each core
  std::string json;
};

// Exit status 0 when all mutants are killed, or no control is accused; 1 otherwise. Throws UsageError.
int mutants_command(const MutantsOptions& options);

}  // namespace lnverify
