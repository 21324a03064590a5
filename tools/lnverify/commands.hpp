// The commands of the program; each returns its exit status and throws UsageError for bad input.
#pragma once

#include <string>
#include <vector>

#include "lnverify/options.hpp"

namespace lnverify {

int run_command(const Options& options);
int replay_command(const Options& options, const std::vector<std::string>& files);
int list_command(const std::string& what, const Options& options);
int show_command(const std::string& file);

}  // namespace lnverify
