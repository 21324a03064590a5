// lnverify: verifies layer normalization kernels against the laws of layer normalization.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "engine/kernel_host.hpp"
#include "engine/regression.hpp"
#include "lnverify/commands.hpp"
#include "lnverify/exit_status.hpp"
#include "lnverify/mutants_command.hpp"
#include "lnverify/plot_command.hpp"
#include "lnverify/report_command.hpp"

namespace lnverify {
namespace {

constexpr const char* exit_statuses =
    "Exit status: 0 all hold; 1 something falsified and saved; 2 bad usage or bad input; 3 falsified and not "
    "saved; "
    "4 something not exercised.";

// An unsigned option would take "-5" for a very large number.
std::string whole_number(const std::string& text) {
  const bool digits =
      !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? "" : "expected a whole number below 10^18, found '" + text + "'";
}

void add_kernel_options(CLI::App& command, Options& options) {
  command
      .add_option(
          "--kernel", options.kernel,
          "'reference', a shared library with the functions of kernel.h, or 'exec:COMMAND': a program in any "
          "language, such as 'exec:python3 my_kernel.py' (tools/kernels/python)")
      ->capture_default_str();
  command
      .add_option(
          "--scalar", options.scalars, "f16, bf16, f32, f64, mp50; default: all that the kernel offers")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_run_options(CLI::App& command, Options& options) {
  add_kernel_options(command, options);
  command
      .add_option("--property", options.properties, "Only properties whose id matches this glob; repeatable")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option(
          "--cases", options.cases, "Cases of each law and scalar (default 2000; mp50: 500; exact: 200)")
      ->check(whole_number, "");
  command.add_option("--seed", options.seed, "A whole number, or 'random'");
  command.add_option(
      "--key", options.key, "Run one case alone, no saved ones: seed:index, as failures print it");
  command.add_option("--require", options.required, "A trait that must hold where it is run; repeatable")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option(
          "--regressions", options.regressions, "Folder of saved cases, replayed first and written to")
      ->capture_default_str();
  command.add_option("--json", options.json, "Also write all results to this file");
  command.add_flag(
      "--probe", options.probe, "With --json: also measure error against condition number, size and range");
  command.add_option("--jobs", options.jobs, "Processes to use; default: one for each core")
      ->check(whole_number, "");
  command.footer(
      "RC_PARAMS=\"seed=42 max_success=5000 max_discard_ratio=10 noshrink=1\" in the environment works "
      "too.\n" +
      std::string(exit_statuses));
}

void add_mutants_options(CLI::App& command, MutantsOptions& options) {
  command.add_option("--mutant", options.mutants, "Only mutants whose id matches this glob; repeatable")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag(
      "--controls", options.controls, "The honest kernels instead, none of which may be accused");
  command.add_flag("--all-laws", options.all_laws, "The whole matrix: every law that kills each mutant");
  command.add_option("--seeds", options.seeds, "Seeds to try")->capture_default_str();
  command.add_option("--cases", options.cases, "Cases of each law and scalar (default 2000)")
      ->check(whole_number, "");
  command.add_option("--json", options.json, "Also write all results to this file");
  command.add_option("--jobs", options.jobs, "Processes to use; default: one for each core")
      ->check(whole_number, "");
  command.footer("Exit status: 0 all mutants killed (no control accused); 1 otherwise; 2 bad usage.");
}

void add_plot_options(CLI::App& command, PlotOptions& options) {
  command.add_option("what", options.what, "response or sensitivity")
      ->required()
      ->check(CLI::IsMember({"response", "sensitivity"}));
  command.add_option("-o,--output", options.output, "The SVG file to write; needs gnuplot");
  command.add_flag("--data", options.data, "Print the numbers instead of drawing them");
}

void add_report_options(CLI::App& command, ReportOptions& options) {
  command.add_option("files", options.files, "Results that `lnverify run --json` wrote")->required();
  command.add_option("-o,--output", options.output, "The file to write; default: standard output");
  command
      .add_option("--format", options.format, "html, text or markdown; default: by the name of the output")
      ->check(CLI::IsMember({"html", "text", "markdown"}));
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Verifies layer normalization kernels against the laws of layer normalization.");
  app.require_subcommand(1);
  app.footer(exit_statuses);
  Options options;
  options.program = argv[0];
  std::vector<std::string> files;
  std::string what = "properties";

  CLI::App* run = app.add_subcommand("run", "Check every law on a kernel; save what fails");
  add_run_options(*run, options);
  CLI::App* replay = app.add_subcommand("replay", "Check saved cases on a kernel");
  add_kernel_options(*replay, options);
  replay->add_option("files", files, "Saved cases (JSON files)")->required();
  CLI::App* list = app.add_subcommand("list", "List properties, claims, families, or what a kernel offers");
  list->add_option(
          "what", what, "properties, claims, families, kernel, or tests (one line for each ctest entry)")
      ->check(CLI::IsMember({"properties", "claims", "families", "kernel", "tests"}))
      ->capture_default_str();
  add_kernel_options(*list, options);
  list->add_flag("--markdown", options.markdown, "claims: as a table in Markdown");
  CLI::App* report = app.add_subcommand("report", "Turn the results of runs into one document");
  ReportOptions report_options;
  add_report_options(*report, report_options);
  CLI::App* plot = app.add_subcommand("plot", "Draw how the core and its Jacobian respond");
  PlotOptions plot_options;
  add_plot_options(*plot, plot_options);
  CLI::App* show = app.add_subcommand("show", "Explain a saved case");
  show->add_option("file", files, "A saved case (JSON file)")->required()->expected(1);
  CLI::App* mutants =
      app.add_subcommand("mutants", "Check that the laws kill every kernel that is wrong on purpose");
  MutantsOptions mutants_options;
  add_mutants_options(*mutants, mutants_options);

  for (CLI::App* command : app.get_subcommands({}))
    if (command->get_footer().empty()) command->footer(exit_statuses);
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  const std::vector<CLI::App*> commands = app.get_subcommands({});
  if (argc > 1 && argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), is_named))
    throw UsageError(fmt::format("'{}' is no command; `lnverify --help` names all", argv[1]));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw UsageError(error.what());
  }
  if (run->parsed()) return run_command(options);
  if (replay->parsed()) return replay_command(options, files);
  if (report->parsed()) return report_command(report_options);
  if (plot->parsed()) return plot_command(plot_options);
  if (list->parsed()) return list_command(what, options);
  if (mutants->parsed()) return mutants_command(mutants_options);
  return show_command(files.front());
}

}  // namespace
}  // namespace lnverify

int main(int argc, char** argv) {
  try {
    return lnverify::parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "lnverify: {}\n", error.what());
    return lnverify::bad_usage;
  }
}
