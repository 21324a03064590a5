#include "lnverify/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lnverify/console.hpp"
#include "lnverify/report_data.hpp"

namespace lnverify {
namespace {

std::string grade(const Json& report, const std::string& scalar) {
  return report["kernel"]["grade"].value(scalar, std::string("-"));
}

using Table = std::vector<std::vector<std::string>>;

Table summary_table(const std::vector<Json>& reports) {
  Table table = {{"kernel"}};
  table[0].insert(table[0].end(), graded.begin(), graded.end());
  for (const char* head : {"laws that hold", "traits", "falsified laws"}) table[0].emplace_back(head);
  for (const Json& report : reports) {
    const Totals totals = totals_of(report);
    std::vector<std::string> row = {kernel_name(report)};
    for (const std::string& scalar : graded) row.push_back(grade(report, scalar));
    row.push_back(fmt::format("{} of {}", totals.laws_holding, totals.laws_decided));
    row.push_back(fmt::format("{} of {}", totals.traits_had, totals.traits_decided));
    row.push_back(falsified_text(totals));
    table.push_back(row);
  }
  return table;
}

// Only what differs between kernels, or fails, is worth a line of a summary.
Table difference_table(const std::vector<Json>& reports) {
  Table table = {{"property"}};
  for (std::size_t i = 0; i < reports.size(); ++i) table[0].push_back(fmt::format("{}", i + 1));
  for (const PropertyRow& property : property_rows(reports)) {
    std::vector<std::string> row = {property.id + (property.kind == "trait" ? " (trait)" : "")};
    bool fails = false;
    for (const Json& report : reports) {
      const auto results = results_of(report, property.id);
      const Cell cell = cell_of(results);
      fails = fails || cell == Cell::mixed || cell == Cell::falsified || cell == Cell::not_exercised;
      row.push_back(cell_text(results));
    }
    if (fails) table.push_back(row);
  }
  return table;
}

std::string aligned(const Table& table) {
  std::vector<std::size_t> widths(table[0].size(), 0);
  for (const auto& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : table) {
    for (std::size_t i = 0; i < row.size(); ++i) text += fmt::format("{:<{}}  ", row[i], widths[i]);
    while (text.back() == ' ') text.pop_back();
    text += "\n";
  }
  return text;
}

std::string markdown_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string markdown_table(const Table& table) {
  std::string text;
  for (std::size_t r = 0; r < table.size(); ++r) {
    text += "|";
    for (const std::string& value : table[r]) text += " " + markdown_cell(value) + " |";
    text += "\n";
    if (r > 0) continue;
    text += "|";
    for (std::size_t i = 0; i < table[r].size(); ++i) text += "---|";
    text += "\n";
  }
  return text;
}

std::string numbered_kernels(const std::vector<Json>& reports, const char* separator) {
  std::string text;
  for (std::size_t i = 0; i < reports.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : separator, i + 1, kernel_name(reports[i]));
  return text;
}

std::string findings(const Json& report) {
  std::string text;
  for (const Json& result : report["results"])
    if (result["outcome"] == "falsified" && result["counts"].get<bool>())
      text += failure_text(result, kernel_name(report));
  return text;
}

}  // namespace

std::string text_report(const std::vector<Json>& reports) {
  std::string text = aligned(summary_table(reports));
  const Table differences = difference_table(reports);
  if (differences.size() > 1)
    text += fmt::format(
        "\nWhat does not hold everywhere ({}):\n{}", numbered_kernels(reports, ", "), aligned(differences));
  for (const Json& report : reports) text += findings(report);
  return text;
}

std::string markdown_report(const std::vector<Json>& reports) {
  std::string text = markdown_table(summary_table(reports));
  const Table differences = difference_table(reports);
  if (differences.size() > 1)
    text += fmt::format(
        "\nWhat does not hold everywhere ({}):\n\n{}", numbered_kernels(reports, ", "),
        markdown_table(differences));
  for (const Json& report : reports) {
    const std::string found = findings(report);
    if (!found.empty())
      text += fmt::format(
          "\n<details><summary>Findings of {}</summary>\n\n```\n{}```\n\n</details>\n", kernel_name(report),
          found.substr(1));
  }
  return text;
}

}  // namespace lnverify
