#include "lnverify/report_html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lnverify/console.hpp"
#include "lnverify/report_data.hpp"
#include "lnverify/report_figures.hpp"
#include "lnverify/report_page.hpp"

namespace lnverify {
namespace {

std::string kernel_id(std::size_t index) { return fmt::format("kernel-{}", index + 1); }

std::string finding_id(std::size_t index, const Json& result) {
  return fmt::format(
      "{}-{}-{}", kernel_id(index), result["property"].get<std::string>(),
      result["scalar"].get<std::string>());
}

std::string grade_cell(const Json& report, const std::string& scalar) {
  const std::string grade = report["kernel"]["grade"].value(scalar, std::string());
  if (grade.empty())
    return "<td data-sort=\"Z\"><span class=\"dim\" title=\"not offered\">\xE2\x80\x93</span></td>";
  const char* style = grade == "F" ? "bad" : grade == "C" ? "warn" : "good";
  return fmt::format("<td data-sort=\"{0}\"><span class=\"grade {1}\">{0}</span></td>", grade, style);
}

std::string summary_row(const Json& report, std::size_t index) {
  const Totals totals = totals_of(report);
  std::string text = fmt::format(
      "<tr{}><th scope=\"row\"><a href=\"#{}\">{}</a></th>",
      totals.falsified.empty() ? "" : " data-fails=\"yes\"", kernel_id(index), escaped(kernel_name(report)));
  for (const std::string& scalar : graded) text += grade_cell(report, scalar);
  text += fmt::format(
      "<td data-sort=\"{0}\">{0} of {1}</td><td data-sort=\"{2}\">{2} of {3}</td>", totals.laws_holding,
      totals.laws_decided, totals.traits_had, totals.traits_decided);
  text +=
      totals.falsified.empty()
          ? "<td class=\"good\"><span class=\"mark\" aria-hidden=\"true\">\xE2\x9C\x93</span>none</td></tr>\n"
          : fmt::format(
                "<td><span class=\"mark bad\" aria-hidden=\"true\">\xE2\x9C\x97</span>{}</td></tr>\n",
                escaped(falsified_text(totals)));
  return text;
}

std::string controls(const char* table, const char* what, const char* failing) {
  return fmt::format(
      "<div class=\"controls\" data-table=\"{}\" hidden><label>Filter {}: <input type=\"search\"></label>"
      "<label><input type=\"checkbox\"> {}</label><span class=\"dim\" role=\"status\"></span></div>\n",
      table, what, failing);
}

std::string summary(const std::vector<Json>& reports) {
  std::string text =
      controls("kernels", "kernels", "only kernels with a falsified law") +
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Kernels\"><table id=\"kernels\" "
      "class=\"sortable\"><caption>Kernels, with a grade for each scalar</caption>"
      "<thead><tr><th scope=\"col\">kernel</th>";
  for (const std::string& scalar : graded) text += fmt::format("<th scope=\"col\">{}</th>", scalar);
  text +=
      "<th scope=\"col\">laws that hold</th><th scope=\"col\">traits</th><th scope=\"col\">falsified "
      "laws</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < reports.size(); ++i) text += summary_row(reports[i], i);
  return text +
         "</tbody></table></div>\n<p class=\"dim\">Grades come from the error of outputs and gradients, in "
         "units of "
         "the derived bound with c = 1: A within it, B within 8 times that, C within the bound itself (d + "
         "8), F "
         "beyond.</p>\n";
}

std::string matrix_cell(const Json& report, std::size_t index, const std::string& property) {
  const auto results = results_of(report, property);
  const bool is_law = !results.empty() && (*results.front())["kind"] == "law";
  const std::string words = cell_text(results);
  switch (cell_of(results)) {
    case Cell::holds:
      return fmt::format(
          "<td data-sort=\"3\"><span class=\"good\"><span class=\"mark\" "
          "aria-hidden=\"true\">\xE2\x9C\x93</span>{}"
          "</span></td>",
          words);
    case Cell::falsified:
    case Cell::mixed: {
      const auto failed = std::find_if(results.begin(), results.end(), [](const Json* result) {
        return (*result)["outcome"] == "falsified";
      });
      return fmt::format(
          "<td data-sort=\"{}\"><a class=\"{}\" href=\"#{}\"><span class=\"mark\" "
          "aria-hidden=\"true\">{}</span>{}</a>"
          "</td>",
          is_law ? 0 : 1, is_law ? "bad" : "warn", finding_id(index, **failed),
          is_law ? "\xE2\x9C\x97" : "\xE2\x97\x8B", words);
    }
    case Cell::not_exercised:
      return "<td data-sort=\"2\"><span class=\"warn\"><span class=\"mark\" aria-hidden=\"true\">?</span>not "
             "exercised</span></td>";
    case Cell::not_supported:
    case Cell::absent:
      break;
  }
  return "<td data-sort=\"4\"><span class=\"dim\" title=\"not supported\">\xE2\x80\x93</span></td>";
}

// A long name may be broken after an underscore.
std::string breakable(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '_' ? std::string("_<wbr>") : std::string(1, c);
  return text;
}

std::string matrix_row(const std::vector<Json>& reports, const PropertyRow& property) {
  std::string cells;
  bool fails = false;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Cell cell = cell_of(results_of(reports[i], property.id));
    fails = fails || cell == Cell::falsified || cell == Cell::mixed || cell == Cell::not_exercised;
    cells += matrix_cell(reports[i], i, property.id);
  }
  return fmt::format(
      "<tr{}><th scope=\"row\" title=\"{}\">{}</th><td>{}</td>{}</tr>\n", fails ? " data-fails=\"yes\"" : "",
      escaped(property.says), breakable(property.id), property.kind, cells);
}

std::string matrix(const std::vector<Json>& reports) {
  std::string text =
      "<h2 id=\"matrix\">Laws and traits</h2>\n<p>A kernel that breaks a law is wrong. A trait is a quality "
      "that good "
      "kernels may lack. Each \xE2\x9C\x97 and \xE2\x97\x8B leads to the smallest case that shows it.</p>\n" +
      controls("properties", "laws and traits", "only what fails somewhere") +
      "<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"Laws and traits\"><table "
      "id=\"properties\" class=\"sortable matrix\"><caption>Laws and traits of each kernel, in all scalars "
      "that it "
      "offers.</caption><thead><tr><th scope=\"col\">property</th><th scope=\"col\">kind</th>";
  for (const Json& report : reports)
    text += fmt::format("<th scope=\"col\">{}</th>", escaped(kernel_name(report)));
  text += "</tr></thead><tbody>\n";
  for (const PropertyRow& property : property_rows(reports)) text += matrix_row(reports, property);
  return text + "</tbody></table></div>\n";
}

// The text that the program prints for a failure, without its title line, is what a person can read and
// paste.
std::string finding(const Json& report, const Json& result, std::size_t index) {
  const bool counts = result["counts"].get<bool>();
  std::string words = failure_text(result, kernel_name(report)).substr(1);
  words = words.substr(words.find('\n') + 1);
  const std::string failure = result["failure"];
  return fmt::format(
      "<details id=\"{}\"{}><summary>{}/{} <span class=\"{}\">{}: "
      "{}</span></summary>\n<pre>{}</pre></details>\n",
      finding_id(index, result), counts ? " class=\"finding\" open" : "",
      result["property"].get<std::string>(), result["scalar"].get<std::string>(), counts ? "bad" : "warn",
      counts ? "law falsified" : "trait missing", escaped(failure), escaped(words));
}

std::string findings(const Json& report, std::size_t index) {
  std::string laws;
  std::string traits;
  for (const Json& result : report["results"]) {
    if (result["outcome"] != "falsified") continue;
    (result["counts"].get<bool>() ? laws : traits) += finding(report, result, index);
  }
  return fmt::format(
      "<h3>Falsified laws</h3>\n{}\n<h3>Missing traits</h3>\n{}\n", laws.empty() ? "<p>None.</p>" : laws,
      traits.empty() ? "<p>None.</p>" : traits);
}

std::string facts(const Json& report) {
  const Totals totals = totals_of(report);
  std::string text = "<dl class=\"facts\">";
  const auto add = [&](const char* what, const std::string& value, bool code) {
    if (!value.empty())
      text += fmt::format(
          "<dt>{}</dt><dd>{}</dd>", what, code ? "<code>" + escaped(value) + "</code>" : escaped(value));
  };
  add("Kernel", kernel_name(report), false);
  add("From", report["kernel"].value("path", std::string()), true);
  add("Scalars", fmt::format("{}", fmt::join(scalars_of(report), ", ")), false);
  add("Seed", report["seed"].dump(), false);
  add("Cases decided", std::to_string(totals.cases), false);
  if (report.contains("seconds") && report["seconds"].is_number())
    add("Time", fmt::format("{:.1f} s", report["seconds"].get<double>()), false);
  if (report.contains("command") && report["command"].is_string())
    add("Repeat with", report["command"].get<std::string>(), true);
  return text + "</dl>\n";
}

std::string key() {
  std::string text = "<ul class=\"key\" aria-label=\"Letters of the range maps\">";
  for (const auto& [style, words] : std::vector<std::pair<const char*, const char*>>{
           {"right", "no letter: right"},
           {"inaccurate", "i: beyond the bound, within 1 %"},
           {"wrong", "w: wrong"},
           {"nonfinite", "n: not finite"},
           {"unsupported", "u: not supported"},
           {"crashed", "c: crashed or failed"}})
    text += fmt::format(
        "<li><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect class=\"{}\" width=\"12\" "
        "height=\"12\"/></svg> "
        "{}</li>",
        style, words);
  return text + "</ul>";
}

std::string figures(const Json& report, const std::string& id) {
  if (!report.contains("samples") || report["samples"].empty())
    return "<p class=\"dim\">No figures: the run was made without <code>--probe</code>.</p>\n";
  const Json& samples = report["samples"];
  return "<h3>Error and range</h3>\n<div class=\"figures curves\">" + kappa_figure(samples, id) +
         size_figure(samples, id) +
         "</div>\n<p>Range maps: one row of 8 coordinates, scaled, with every size of \xCE\xB5.</p>" + key() +
         "<div class=\"figures\">" + range_figures(samples, id) + "</div>\n";
}

std::string kernel_section(const Json& report, std::size_t index) {
  return fmt::format(
      "<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1}</h2>\n{2}{3}{4}<p><a href=\"#top\">Back to the "
      "tables</a></p></section>\n",
      kernel_id(index), escaped(kernel_name(report)), facts(report), figures(report, kernel_id(index)),
      findings(report, index));
}

}  // namespace

std::string html_report(const std::vector<Json>& reports) {
  std::string sections;
  std::size_t cases = 0;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    sections += kernel_section(reports[i], i);
    cases += totals_of(reports[i]).cases;
  }
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width,initial-scale=1\"><title>Layer normalization kernels under "
         "test</title>"
         "<link rel=\"icon\" href=\"data:,\"><style>" +
         std::string(report_style) +
         "</style></head>\n<body id=\"top\"><a class=\"skip\" href=\"#matrix\">Skip to laws and traits</a>"
         "<header><h1>Layer normalization kernels under test</h1>\n" +
         fmt::format(
             "<p>{} {}, {} cases decided. Every number here comes from the runs named below; every case can "
             "be "
             "repeated with the command beside it.</p></header>\n<main>\n",
             reports.size(), reports.size() == 1 ? "kernel" : "kernels", cases) +
         summary(reports) + matrix(reports) + sections + "</main>\n<script>" + report_script +
         "</script></body></html>\n";
}

}  // namespace lnverify
