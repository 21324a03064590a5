// The options of `run` and `replay`, checked.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/runner.hpp"

namespace lnverify {

// Bad options or bad input: one line for the user, exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Options {
  std::string program;  // as it was called, for the commands that are printed
  std::string kernel = "reference";
  std::vector<std::string> properties;  // globs; none: all
  std::vector<std::string> scalars;     // none: all that the kernel offers
  std::vector<std::string> required;    // traits that count
  std::optional<std::size_t> cases;
  std::string seed;
  std::string key;
  std::string regressions = "./regressions";
  std::string json;
  bool probe = false;     // also measure what the figures of a report show
  bool markdown = false;  // list: as a table for a README
  unsigned jobs = 0;      // 0: one for each core
};

// The engine's options: flags first, then RC_PARAMS ("seed=42 max_success=5000 max_discard_ratio=10
// noshrink=1"), then defaults. A random seed is drawn here. Throws UsageError.
RunOptions run_options(const Options& options, const char* rc_params);

// "reference", "exec:COMMAND", or the path of a shared library. Throws BadKernel.
Subject make_subject(const std::string& kernel);

// Throws UsageError for names that do not exist.
std::vector<const Property*> selected_properties(const Options& options);
std::vector<Scalar> named_scalars(const Options& options);
std::vector<Scalar> selected_scalars(const Options& options, const Subject& subject);
void check_required(const Options& options);

// '*' matches any text, '?' any one character.
bool glob_matches(std::string_view pattern, std::string_view text);

std::vector<std::string> split(const std::string& text, char separator);

}  // namespace lnverify
