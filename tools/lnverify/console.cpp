#include "lnverify/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace lnverify {
namespace {

constexpr std::size_t most_values = 16;

std::string number_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  const double number = value.get<double>();
  return fmt::format("{}", number == 0 ? 0.0 : number);
}

std::string short_number(const Json& value) {
  return value.is_number() ? fmt::format("{:.3g}", value.get<double>()) : number_text(value);
}

std::string list_text(const Json& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(most_values, values.size()); ++i)
    text += (i == 0 ? "" : ", ") + number_text(values[i]);
  if (values.size() > most_values) text += fmt::format(", ... {} more", values.size() - most_values);
  return text + "]";
}

std::string failure_words(const std::string& failure) {
  if (failure == "wrong-value") return "wrong value";
  if (failure == "not-finite") return "not finite";
  if (failure == "not-written") return "output not written";
  if (failure == "scribbled") return "input scribbled on";
  if (failure == "out-of-bounds") return "memory access out of bounds";
  if (failure == "crashed") return "the kernel crashed";
  if (failure == "hung") return "the kernel did not return";
  return "the kernel reported failure";
}

bool is_value_failure(const std::string& failure) {
  return failure == "wrong-value" || failure == "not-finite";
}

struct Cell {
  std::string text;
  const char* colour;
};

Cell cell(const Json& result) {
  const std::string outcome = result["outcome"];
  const bool is_law = result["kind"] == "law";
  if (outcome == "holds") return {is_law ? "holds" : "yes", "32"};
  if (outcome == "falsified")
    return {result["counts"].get<bool>() ? "FALSE" : "no", result["counts"].get<bool>() ? "1;31" : "33"};
  if (outcome == "not-exercised") return {"?", "35"};
  return {"-", "2"};
}

std::string padded(const Cell& cell, std::size_t width, bool colour) {
  const std::string text = fmt::format("{:<{}}", cell.text, width);
  return colour ? fmt::format("\033[{}m{}\033[0m", cell.colour, text) : text;
}

}  // namespace

bool use_colour(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  return ::isatty(::fileno(stream)) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

std::string case_text(const Json& finding, const std::string& indent) {
  std::string text = indent;
  for (const auto& [axis, size] : finding["sizes"].items())
    text += fmt::format("{} = {}, ", axis, size.dump());
  text += fmt::format("arrays at {}\n", finding["placement"].get<std::string>());
  for (const auto& [name, values] : finding["arrays"].items())
    text += fmt::format(
        "{}{} = {}\n", indent, name, values.size() == 1 ? number_text(values[0]) : list_text(values));
  return text;
}

std::string failure_text(const Json& result, const std::string& kernel) {
  const Json& minimal = result["minimal"];
  const std::string failure = result["failure"];
  std::string text = fmt::format(
      "\n{}/{} falsified on {}: {}\n  law       {}\n  claims    {}\n", result["property"].get<std::string>(),
      result["scalar"].get<std::string>(), kernel, failure_words(failure), result["says"].get<std::string>(),
      fmt::join(result["claims"].get<std::vector<std::string>>(), " "));
  text += "  minimal case\n" + case_text(minimal, "            ");
  text += fmt::format("  where     {}\n", minimal["what"].get<std::string>());
  if (is_value_failure(failure)) {
    text += fmt::format(
        "  expected  {}\n  got       {}\n", list_text(minimal["expected"]), list_text(minimal["got"]));
    text += fmt::format(
        "  error     {} where {} is allowed: {} times the limit (worst of the cases as drawn: {} times, key "
        "{})\n",
        short_number(minimal["error"]), short_number(minimal["limit"]), short_number(minimal["ratio"]),
        short_number(result["worst"]["ratio"]),
        result["worst"]["key"].is_null() ? "-" : result["worst"]["key"].get<std::string>());
  }
  if (result.contains("diagnosis"))
    text += fmt::format("  looks like {}\n", result["diagnosis"].get<std::string>());
  if (result.contains("regression"))
    text += fmt::format("  saved in  {}\n", result["regression"].get<std::string>());
  if (result.contains("save_error"))
    text += fmt::format("  NOT SAVED {}\n", result["save_error"].get<std::string>());
  text += fmt::format("  reproduce {}\n", result["reproduce"].get<std::string>());
  return text;
}

std::string result_line(const Json& result) {
  const std::string label = result["property"].get<std::string>() + "/" + result["scalar"].get<std::string>();
  const std::string outcome = result["outcome"];
  if (outcome == "holds")
    return fmt::format(
        "{} holds ({} cases, {} discarded, worst error {} of the limit)", label, result["cases"].dump(),
        result["discarded"].dump(), short_number(result["worst_ratio"]));
  if (outcome == "falsified")
    return fmt::format(
        "{} {} ({})", label, result["counts"].get<bool>() ? "falsified" : "lacks the trait",
        failure_words(result["failure"]));
  return fmt::format(
      "{} {}: {}", label, outcome == "not-supported" ? "not supported" : "not exercised",
      result.value("reason", std::string()));
}

std::string table_text(const Json& report, bool colour) {
  const Json& results = report["results"];
  std::vector<std::string> scalars;
  std::vector<std::pair<std::string, std::string>> rows;  // kind, property
  std::size_t width = 8;
  for (const Json& result : results) {
    const std::string scalar = result["scalar"];
    if (std::find(scalars.begin(), scalars.end(), scalar) == scalars.end()) scalars.push_back(scalar);
    const std::pair<std::string, std::string> row{result["kind"], result["property"]};
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    width = std::max(width, row.second.size());
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (const char* kind : {"law", "trait"}) {
    if (std::none_of(rows.begin(), rows.end(), [&](const auto& row) { return row.first == kind; })) continue;
    text += fmt::format("\n{:<{}}  ", kind, width);
    for (const std::string& scalar : scalars) text += fmt::format("{:<7}", scalar);
    while (text.back() == ' ') text.pop_back();
    text += "\n";
    for (const auto& [row_kind, property] : rows) {
      if (row_kind != kind) continue;
      text += fmt::format("{:<{}}  ", property, width);
      for (const std::string& scalar : scalars) {
        Cell content{"", "0"};
        for (const Json& result : results)
          if (result["property"] == property && result["scalar"] == scalar) content = cell(result);
        text += padded(content, 7, colour);
      }
      while (text.back() == ' ') text.pop_back();
      text += "\n";
    }
  }
  const Json& grades = report["kernel"]["grade"];
  if (!grades.empty()) {
    text += fmt::format("\n{:<{}}  ", "grade", width);
    for (const std::string& scalar : scalars)
      text += fmt::format("{:<7}", grades.value(scalar, std::string("-")));
    while (text.back() == ' ') text.pop_back();
    text += "\n";
  }
  return text;
}

}  // namespace lnverify
