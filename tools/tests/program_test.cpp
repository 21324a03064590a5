// The program as people and scripts see it: help, lists, seeds, keys, the results as JSON, what goes to which
// stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "process.hpp"

namespace program_tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

struct Help {
  std::vector<std::string> command;
  std::vector<std::string> words;
};

TEST(Help, NamesEveryOptionAndTheExitStatuses) {
  const std::vector<Help> helps = {
      {{"--help"}, {"run", "replay", "list", "show"}},
      {{"run", "--help"},
       {"--kernel", "--property", "--scalar", "--cases", "--seed", "--key", "--require", "--regressions",
        "--json", "--jobs", "RC_PARAMS"}},
      {{"replay", "--help"}, {"files", "--kernel", "--scalar"}},
      {{"list", "--help"}, {"properties", "claims", "families", "kernel", "tests", "--scalar"}},
      {{"show", "--help"}, {"file"}}};
  for (const Help& help : helps) {
    const Outcome outcome = run_program(help.command);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    for (const std::string& word : help.words) EXPECT_THAT(outcome.out, HasSubstr(word)) << help.command[0];
    for (const char* status :
         {"0 all hold", "1 something falsified and saved", "2 bad usage or bad input",
          "3 falsified and not saved", "4 something not exercised"})
      EXPECT_THAT(outcome.out, HasSubstr(status)) << help.command[0];
  }
}

class Run : public testing::Test {
 protected:
  // On the library, with the results as JSON.
  Json run(
      const std::string& library, std::vector<std::string> options,
      const std::vector<std::string>& environment = {}) {
    const std::vector<std::string> all = {
        "run",
        "--kernel",
        faulty_library(library),
        "--scalar",
        "f32",
        "--regressions",
        folder_ / "saved",
        "--json",
        folder_ / "results.json"};
    options.insert(options.begin(), all.begin(), all.end());
    outcome_ = run_program(options, environment);
    return json_file(folder_ / "results.json");
  }

  TemporaryFolder folder_;
  Outcome outcome_;
};

Json without_times(Json report) {
  report.erase("seconds");
  for (Json& result : report["results"]) result.erase("seconds");
  return report;
}

TEST_F(Run, SameSeedGivesTheSameResultsInOneProcessAndInTwo) {
  const std::vector<std::string> options = {
      "--property", "accuracy,lipschitz_bound,bounded_core,batching", "--cases", "300"};
  const auto results = [&](const std::string& seed, const std::string& jobs) {
    const TemporaryFolder fresh;
    std::vector<std::string> all = options;
    all.insert(all.end(), {"--seed", seed, "--jobs", jobs});
    return without_times(run("honest_pairwise", all));
  };
  const Json one = results("5", "1");
  EXPECT_EQ(one, results("5", "1"));
  EXPECT_EQ(one, results("5", "2"));
  EXPECT_NE(one, results("6", "1"));
  EXPECT_EQ(one["seed"], 5);
}

TEST_F(Run, RandomSeedIsTold) {
  const std::vector<std::string> options = {"--property", "shift_invariance", "--cases",
                                            "50",         "--seed",           "random"};
  const Json first = run("honest_double", options);
  EXPECT_THAT(outcome_.out, HasSubstr("seed " + first["seed"].dump()));
  EXPECT_NE(first["seed"], run("honest_double", options)["seed"]);
}

TEST_F(Run, KeyReproducesOneCase) {
  const Json all = result_of(run("naive_variance", {"--property", "accuracy", "--cases", "500"}), "accuracy");
  ASSERT_EQ(all["outcome"], "falsified");
  const std::string key = all["worst"]["key"];
  fs::remove_all(folder_ / "saved");
  const Json one = result_of(run("naive_variance", {"--property", "accuracy", "--key", key}), "accuracy");
  EXPECT_EQ(one["outcome"], "falsified");
  EXPECT_EQ(one["cases"], 1);
  EXPECT_EQ(one["worst"]["key"], key);
  EXPECT_EQ(one["worst"]["ratio"], all["worst"]["ratio"]);
}

TEST_F(Run, KeyLeavesSavedCasesOut) {
  run("divisor_d_minus_1", {"--property", "accuracy", "--cases", "100"});
  ASSERT_EQ(files_below(folder_ / "saved").size(), 1U);
  const Json one = result_of(run("honest_double", {"--property", "accuracy", "--key", "5:3"}), "accuracy");
  EXPECT_EQ(one["cases"].get<int>() + one["discarded"].get<int>(), 1);
  EXPECT_EQ(one["replayed"], 0);
}

TEST_F(Run, RcParamsWorkAndFlagsOutrankThem) {
  const std::vector<std::string> environment = {"RC_PARAMS=seed=42 max_success=60 noshrink=1"};
  const Json report = run("divisor_d_minus_1", {"--property", "accuracy"}, environment);
  EXPECT_EQ(report["seed"], 42);
  const Json result = result_of(report, "accuracy");
  EXPECT_EQ(result["cases"].get<int>() + result["discarded"].get<int>(), 60);
  EXPECT_EQ(result["minimal"]["key"], result["key"]);
  fs::remove_all(folder_ / "saved");
  const Json flagged =
      run("honest_double", {"--property", "accuracy", "--seed", "7", "--cases", "40"}, environment);
  EXPECT_EQ(flagged["seed"], 7);
  EXPECT_EQ(
      result_of(flagged, "accuracy")["cases"].get<int>() +
          result_of(flagged, "accuracy")["discarded"].get<int>(),
      40);
}

TEST_F(Run, NotSupportedIsNotPassed) {
  const Json report = run("honest_serial", {"--property", "gradient_accuracy"});
  EXPECT_EQ(result_of(report, "gradient_accuracy")["outcome"], "not-supported");
  EXPECT_EQ(outcome_.status, 4);
}

TEST_F(Run, WhatIsAskedForByNameMustBeExercised) {
  run("honest_serial", {"--property", "accuracy,two_threads", "--cases", "50", "--require", "two_threads"});
  EXPECT_EQ(outcome_.status, 4);
  run("honest_serial", {"--property", "accuracy,two_threads", "--cases", "50"});
  EXPECT_EQ(outcome_.status, 0);
  run("honest_serial", {"--property", "accuracy", "--cases", "50", "--scalar", "f32,f64"});
  EXPECT_EQ(outcome_.status, 4);
}

TEST_F(Run, InterruptedLeavesTheOldResultsWhole) {
  write_file(folder_ / "results.json", "an older report");
  const Outcome outcome = run_command(
      {"timeout", "--preserve-status", "-s", "INT", "0.3", LNVERIFY_PROGRAM, "run", "--kernel",
       faulty_library("honest_double"), "--json", folder_ / "results.json", "--cases", "100000",
       "--regressions", folder_ / "saved"});
  EXPECT_EQ(outcome.status, 128 + 2);
  EXPECT_EQ(file_text(folder_ / "results.json"), "an older report");
  EXPECT_EQ(files_below(folder_.path()).size(), 1U);
}

TEST_F(Run, TraitCountsOnlyWhenRequired) {
  const std::vector<std::string> options = {"--property", "whole_range", "--cases", "100"};
  EXPECT_EQ(result_of(run("honest_serial", options), "whole_range")["outcome"], "falsified");
  EXPECT_EQ(outcome_.status, 0) << outcome_.out;
  EXPECT_FALSE(fs::exists(folder_ / "saved"));
  std::vector<std::string> requiring = options;
  requiring.insert(requiring.end(), {"--require", "whole_range"});
  run("honest_serial", requiring);
  EXPECT_EQ(outcome_.status, 1);
  EXPECT_EQ(files_below(folder_ / "saved").size(), 1U);
}

TEST_F(Run, WorkerThatDiesLeavesItsWorkNotExercised) {
  const Json report = run("kills_parent", {"--property", "accuracy,memory", "--jobs", "2"});
  EXPECT_EQ(outcome_.status, 4) << outcome_.out << outcome_.err;
  for (const char* property : {"accuracy", "memory"}) {
    EXPECT_EQ(result_of(report, property)["outcome"], "not-exercised");
    EXPECT_THAT(result_of(report, property)["reason"].get<std::string>(), HasSubstr("died"));
  }
}

TEST_F(Run, ProgressGoesToStderrInPlainLines) {
  run("divisor_d_minus_1", {"--property", "accuracy,memory", "--cases", "50"});
  EXPECT_THAT(outcome_.err, HasSubstr("[1/2] "));
  EXPECT_THAT(outcome_.err, HasSubstr("[2/2] "));
  EXPECT_THAT(outcome_.out, Not(HasSubstr("[1/2] ")));
  for (const std::string* text : {&outcome_.out, &outcome_.err}) {
    EXPECT_THAT(*text, Not(HasSubstr("\033"))) << "colour is for terminals";
    EXPECT_THAT(*text, Not(HasSubstr("\r")));
  }
  EXPECT_THAT(outcome_.out, Not(HasSubstr(" \n"))) << "no trailing blanks";
}

void expect_members(const Json& object, const std::vector<std::string>& names) {
  for (const std::string& name : names) EXPECT_TRUE(object.contains(name)) << name << " in " << object;
}

TEST_F(Run, JsonHasTheStatedShape) {
  const Json report = run("divisor_d_minus_1", {"--property", "accuracy,memory,in_place,gradient_accuracy"});
  EXPECT_EQ(report["schema"], 1);
  EXPECT_TRUE(report["seed"].is_number_unsigned());
  EXPECT_EQ(report["kernel"]["name"], "libdivisor_d_minus_1.so");
  EXPECT_EQ(report["kernel"]["grade"]["f32"], "F");
  for (const Json& result : report["results"]) {
    expect_members(
        result, {"property", "scalar", "kind", "claims", "outcome", "cases", "discarded", "families",
                 "worst_ratio", "seconds"});
    EXPECT_TRUE(result["claims"].is_array()) << result["claims"];
    EXPECT_EQ(result["kind"], result["property"] == "in_place" ? "trait" : "law");
  }
  const Json found = result_of(report, "accuracy");
  EXPECT_EQ(found["claims"], Json::array({"X1"}));
  expect_members(found, {"failure", "limit", "key", "minimal", "regression", "reproduce"});
  expect_members(found["minimal"], {"sizes", "placement", "arrays", "expected", "got", "error", "limit"});
  EXPECT_EQ(result_of(report, "memory")["outcome"], "holds");
  EXPECT_EQ(result_of(report, "in_place")["outcome"], "not-supported");
}

TEST(List, NamesWhatThereIs) {
  const std::vector<Help> lists = {
      {{"list"}, {"shift_invariance", "u(z + c1) = u(z)", "claims S1", "trait"}},
      {{"list", "properties"}, {"accuracy", "law"}},
      {{"list", "claims"}, {"S1 ", "shift_invariance", "X1 ", "accuracy"}},
      {{"list", "families"}, {"subnormal", "constant"}},
      {{"list", "kernel"}, {"reference", "f16", "mp50", "forward backward"}},
      {{"list", "tests", "--scalar", "f32,f64"},
       {"accuracy f32 law\n", "accuracy f64 law\n", "in_place f32 trait\n"}}};
  for (const Help& list : lists) {
    const Outcome outcome = run_program(list.command);
    EXPECT_EQ(outcome.status, 0);
    for (const std::string& word : list.words)
      EXPECT_THAT(outcome.out, HasSubstr(word)) << list.command.back();
  }
  EXPECT_THAT(run_program({"list", "tests", "--scalar", "f32"}).out, Not(HasSubstr("f64")));
}

TEST(List, OwnLawIsOneFile) {
  const std::string program = LNVERIFY_WITH_OWN_LAW;
  EXPECT_THAT(run_command({program, "list"}).out, HasSubstr("u(z reversed) = u(z) reversed"));
  EXPECT_THAT(run_program({"list"}).out, Not(HasSubstr("reversed")));
  const TemporaryFolder folder;
  const std::vector<std::string> options = {"--property", "reversal", "--regressions", folder / "saved"};
  const auto run_on = [&](const std::string& kernel, const std::string& scalar) {
    std::vector<std::string> command = {program, "run", "--kernel", kernel, "--scalar", scalar};
    command.insert(command.end(), options.begin(), options.end());
    return run_command(command);
  };
  EXPECT_EQ(run_on("reference", "f16,f32,f64,mp50").status, 0);
  const Outcome found = run_on(faulty_library("first_left_out"), "f32");
  EXPECT_EQ(found.status, 1) << found.out << found.err;
  EXPECT_EQ(files_below(folder / "saved/reversal").size(), 1U);
}

}  // namespace
}  // namespace program_tests
