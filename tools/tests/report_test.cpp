// `lnverify report`: the results of runs become one document in each form; what is no results file is refused
// in one line; and in a real browser the page works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "process.hpp"

namespace program_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class Report : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    run("honest_serial", "honest");
    run("naive_variance", "naive");
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static void run(const std::string& library, const std::string& name) {
    run_program(
        {"run", "--kernel", faulty_library(library), "--scalar", "f32", "--property",
         "accuracy,memory,repeatability,whole_range", "--cases", "300", "--jobs", "1", "--regressions",
         *folder_ / "saved", "--json", *folder_ / (name + ".json"), "--probe"});
  }
  static Outcome report(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"report", *folder_ / "honest.json", *folder_ / "naive.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  static std::unique_ptr<TemporaryFolder> folder_;
};
std::unique_ptr<TemporaryFolder> Report::folder_;

TEST_F(Report, ProbeMeasuresEveryFigure) {
  const Json samples = json_file(*folder_ / "naive.json")["samples"]["f32"];
  EXPECT_GE(samples["kappa"]["points"].size(), 20U);
  EXPECT_GE(samples["d"]["points"].size(), 15U);
  EXPECT_EQ(samples["range"]["cells"].size(), samples["range"]["eps"].size());
  // The mean of squares minus the squared mean cancels: its error grows with the condition number.
  const Json& points = samples["kappa"]["points"];
  EXPECT_GT(points.back()[1].get<double>(), 40.0);
  const Json honest = json_file(*folder_ / "honest.json")["samples"]["f32"];
  for (const Json& point : honest["kappa"]["points"]) EXPECT_LE(point[1].get<double>(), 40.0);
}

TEST_F(Report, TextNamesKernelsAndFindings) {
  const Outcome outcome = report({});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("falsified laws"));
  EXPECT_THAT(outcome.out, HasSubstr("accuracy (f32)"));
  EXPECT_THAT(outcome.out, HasSubstr("reproduce "));
}

TEST_F(Report, MarkdownIsATable) {
  const Outcome outcome = report({"--format", "markdown"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("| kernel | f16 | bf16 | f32 | f64 |"));
  EXPECT_THAT(outcome.out, HasSubstr("|---|---|"));
}

TEST_F(Report, HtmlIsOneFileThatAsksForNothing) {
  const std::string page = *folder_ / "report.html";
  const Outcome outcome = report({"-o", page});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string text = file_text(page);
  EXPECT_THAT(text, HasSubstr("<!doctype html>"));
  EXPECT_THAT(text, Not(HasSubstr("http")));
  EXPECT_THAT(text, Not(HasSubstr("src=")));
  EXPECT_THAT(text, HasSubstr("aria-sort"));
}

TEST_F(Report, WorksInABrowser) {
  const std::string page = *folder_ / "report.html";
  ASSERT_EQ(report({"-o", page}).status, 0);
  const Outcome outcome = run_command({"python3", LNVERIFY_SOURCE_DIR "/tools/tests/browser.py", page});
  if (outcome.status == 77) GTEST_SKIP() << outcome.out;
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST_F(Report, KernelNamesAreText) {
  Json results = json_file(*folder_ / "honest.json");
  results["kernel"]["name"] = "<script>alert(1)</script>|";
  write_file(*folder_ / "odd.json", results.dump());
  EXPECT_THAT(
      run_program({"report", *folder_ / "odd.json", "--format", "html"}).out,
      Not(HasSubstr("<script>alert(1)")));
  EXPECT_THAT(run_program({"report", *folder_ / "odd.json", "--format", "markdown"}).out, HasSubstr("\\|"));
}

void expect_refused(const std::string& file, const std::string& words) {
  const Outcome outcome = run_program({"report", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr(file + ": " + words));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Report, RefusesWhatIsNoResultsFile) {
  const std::string file = *folder_ / "bad.json";
  expect_refused(*folder_ / "absent.json", "can't be read: No such file or directory");
  write_file(file, "# no JSON");
  expect_refused(file, "at line 1, column 1: expected JSON");
  write_file(file, "{}");
  expect_refused(file, "expected a member 'schema'");
  Json results = json_file(*folder_ / "naive.json");
  for (const auto& [pointer, words] : std::map<std::string, std::string>{
           {"/schema", "schema: expected 1"},
           {"/kernel/name", "kernel.name: expected a string"},
           {"/results/0/outcome", "results[0].outcome: expected a string"},
           {"/results/0/minimal/arrays", "results[0].minimal.arrays: expected an object"},
           {"/samples/f32/kappa/points/3", "samples.f32.kappa.points: expected pairs of numbers"},
           {"/samples/f32/range/cells/0", "samples.f32.range.cells: expected one letter"}}) {
    Json broken = results;
    broken[Json::json_pointer(pointer)] = 7;
    write_file(file, broken.dump());
    expect_refused(file, words);
  }
}

}  // namespace
}  // namespace program_tests
