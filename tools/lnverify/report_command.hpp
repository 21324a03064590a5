// `lnverify report`: the results of one or more runs as one document.
#pragma once

#include <string>
#include <vector>

namespace lnverify {

struct ReportOptions {
  std::vector<std::string> files;
  std::string output;  // "": standard output
  std::string format;  // html, text or markdown; "": by the name of the output, else text
};

// Returns the exit status of the program. Throws UsageError.
int report_command(const ReportOptions& options);

}  // namespace lnverify
