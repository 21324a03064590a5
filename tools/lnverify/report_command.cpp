#include "lnverify/report_command.hpp"

#include <fmt/format.h>

#include <fstream>

#include "lnverify/exit_status.hpp"
#include "lnverify/options.hpp"
#include "lnverify/report_data.hpp"
#include "lnverify/report_html.hpp"
#include "lnverify/report_text.hpp"

namespace lnverify {
namespace {

std::string chosen_format(const ReportOptions& options) {
  if (!options.format.empty()) return options.format;
  if (options.output.ends_with(".html") || options.output.ends_with(".htm")) return "html";
  return options.output.ends_with(".md") ? "markdown" : "text";
}

std::string document(const std::vector<Json>& reports, const std::string& format) {
  if (format == "html") return html_report(reports);
  return format == "markdown" ? markdown_report(reports) : text_report(reports);
}

}  // namespace

int report_command(const ReportOptions& options) {
  std::vector<Json> reports;
  for (const std::string& file : options.files) reports.push_back(load_results(file));
  const std::string text = document(reports, chosen_format(options));
  if (options.output.empty()) {
    fmt::print("{}", text);
    return all_hold;
  }
  std::ofstream stream(options.output);
  stream << text;
  if (!stream.flush()) throw UsageError("--output: " + options.output + " can't be written");
  return all_hold;
}

}  // namespace lnverify
