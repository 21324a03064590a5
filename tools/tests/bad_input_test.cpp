// Bad input: every mistake gets one line on stderr that names the thing and what was expected, the status
// that the README promises, and leaves nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "process.hpp"

namespace program_tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

void expect_refused(const Outcome& outcome, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.status, 2) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, StartsWith("lnverify: "));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (const std::string& word : words) EXPECT_THAT(outcome.err, HasSubstr(word));
}

// Arguments, what RC_PARAMS is set to, and words of the line.
struct Mistake {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> words;
  std::string rc_params = "";
};

class BadUsage : public testing::TestWithParam<Mistake> {};

TEST_P(BadUsage, IsRefusedInOneLine) {
  const TemporaryFolder folder;
  const Mistake& mistake = GetParam();
  expect_refused(
      run_program(mistake.arguments, {"RC_PARAMS=" + mistake.rc_params}, folder.path().string()),
      mistake.words);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

std::string mistake_name(const testing::TestParamInfo<Mistake>& mistake) { return mistake.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Options, BadUsage,
    testing::Values(
        Mistake{"no_command", {}, {"subcommand"}}, Mistake{"unknown_command", {"rum"}, {"rum"}},
        Mistake{"unknown_option", {"run", "--propety", "accuracy"}, {"--propety"}},
        Mistake{"unknown_property", {"run", "--property", "acuracy"}, {"--property", "acuracy", "list"}},
        Mistake{"unknown_scalar", {"run", "--scalar", "f23"}, {"--scalar", "f23", "f32"}},
        Mistake{"unknown_scalar_of_list", {"list", "tests", "--scalar", "f23"}, {"--scalar", "f23"}},
        Mistake{"unknown_list", {"list", "kittens"}, {"kittens", "properties"}},
        Mistake{"no_cases", {"run", "--cases", "0"}, {"--cases", "at least 1", "0"}},
        Mistake{"negative_cases", {"run", "--cases", "-5"}, {"--cases", "-5"}},
        Mistake{"cases_in_words", {"run", "--cases", "abc"}, {"--cases", "abc"}},
        Mistake{"cases_and_more", {"run", "--cases", "12x"}, {"--cases", "12x"}},
        Mistake{"key_without_index", {"run", "--key", "12"}, {"--key", "seed:index", "12"}},
        Mistake{"key_in_words", {"run", "--key", "a:b"}, {"--key", "whole number", "a"}},
        Mistake{"key_half_empty", {"run", "--key", "12:"}, {"--key", "whole number"}},
        Mistake{"negative_seed", {"run", "--seed", "-1"}, {"--seed", "-1", "whole number"}},
        Mistake{"seed_in_words", {"run", "--seed", "today"}, {"--seed", "today", "whole number"}},
        Mistake{"huge_seed", {"run", "--seed", "99999999999999999999"}, {"--seed", "whole number"}},
        Mistake{"negative_jobs", {"run", "--jobs", "-1"}, {"--jobs", "-1"}},
        Mistake{"jobs_in_words", {"run", "--jobs", "all"}, {"--jobs", "all"}},
        Mistake{"requiring_a_law", {"run", "--require", "accuracy"}, {"--require", "accuracy", "no trait"}},
        Mistake{"requiring_nonsense", {"run", "--require", "speed"}, {"--require", "speed", "whole_range"}},
        Mistake{"option_without_value", {"run", "--seed"}, {"--seed"}},
        Mistake{"replay_of_nothing", {"replay"}, {"files"}}, Mistake{"show_of_nothing", {"show"}, {"file"}}),
    mistake_name);

INSTANTIATE_TEST_SUITE_P(
    RcParams, BadUsage,
    testing::Values(
        Mistake{"unknown_key", {"run"}, {"RC_PARAMS", "sead", "max_success"}, "sead=1"},
        Mistake{"reproduce", {"run"}, {"RC_PARAMS", "reproduce"}, "reproduce=abc"},
        Mistake{"seed_in_words", {"run"}, {"RC_PARAMS", "seed", "abc"}, "seed=abc"},
        Mistake{"commas", {"run"}, {"RC_PARAMS", "seed"}, "seed=1,max_success=5"},
        Mistake{"no_value", {"run"}, {"RC_PARAMS", "seed"}, "seed"},
        Mistake{"noshrink_maybe", {"run"}, {"RC_PARAMS", "noshrink", "0 or 1"}, "noshrink=maybe"},
        Mistake{"no_cases", {"run"}, {"at least 1"}, "max_success=0"}),
    mistake_name);

TEST(BadKernel, MissingFile) {
  expect_refused(
      run_program({"run", "--kernel", "./no_such_file.so"}), {"./no_such_file.so", "No such file"});
}

TEST(BadKernel, TextFile) {
  const TemporaryFolder folder;
  write_file(folder / "kernel.so", std::string(4096, 'x'));
  expect_refused(run_program({"run", "--kernel", folder / "kernel.so"}), {"kernel.so", "invalid ELF header"});
}

TEST(BadKernel, Folder) {
  const TemporaryFolder folder;
  expect_refused(
      run_program({"run", "--kernel", folder.path().string()}), {folder.path().string(), "directory"});
}

TEST(BadKernel, ExportsNothing) {
  expect_refused(
      run_program({"run", "--kernel", faulty_library("exports_nothing")}),
      {"libexports_nothing.so", "offers no layer_norm_forward_"});
}

TEST(BadKernel, UndefinedSymbol) {
  expect_refused(
      run_program({"run", "--kernel", faulty_library("undefined_symbol")}),
      {"libundefined_symbol.so", "undefined symbol: defined_nowhere"});
}

TEST(BadKernel, ScalarThatItDoesNotOffer) {
  const Outcome outcome = run_program(
      {"run", "--kernel", faulty_library("honest_double"), "--scalar", "f64", "--property", "accuracy"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, HasSubstr("accuracy/f64 not supported"));
}

// As a path, not as a name to be looked for in the system's folders.
TEST(BadKernel, NameWithoutFolderIsAFileHere) {
  const TemporaryFolder folder;
  fs::copy_file(faulty_library("honest_double"), folder / "mine.so");
  const Outcome here = run_program({"list", "kernel", "--kernel", "mine.so"}, {}, folder.path().string());
  EXPECT_EQ(here.status, 0) << here.err;
  EXPECT_THAT(here.out, HasSubstr("f32   forward backward"));
  expect_refused(
      run_program({"list", "kernel", "--kernel", "libm.so.6"}, {}, folder.path().string()), {"libm.so.6"});
}

// A saved case that is whole, and what can be wrong with it.
const std::string good_case = R"({
  "schema": 1, "property": "shift_invariance", "placement": "end", "sizes": {"d": 2},
  "arrays": {
    "z": {"axes": ["d"], "values": ["0x0p+0", "0x1p+0"]},
    "shift": {"axes": [], "values": ["0x1p+0"]},
    "eps": {"axes": [], "values": ["0x1p+0"]}}
})";

std::string with(const std::string& change) {
  Json json = Json::parse(good_case);
  json.merge_patch(Json::parse(change));
  return json.dump(2);
}

struct Damage {
  std::string name;
  std::string text;
  std::vector<std::string> words;
};

class DamagedCase : public testing::TestWithParam<Damage> {};

// By replay, by show, and by a run that finds it among its saved cases.
TEST_P(DamagedCase, IsRefusedInOneLine) {
  const TemporaryFolder folder;
  const std::string file = folder / "saved/shift_invariance/damaged.json";
  write_file(file, GetParam().text);
  std::vector<std::string> words = GetParam().words;
  words.push_back(file);
  expect_refused(run_program({"replay", file}), words);
  expect_refused(run_program({"show", file}), words);
  expect_refused(
      run_program(
          {"run", "--property", "shift_invariance", "--scalar", "f32", "--regressions", folder / "saved",
           "--json", folder / "results.json"}),
      words);
  EXPECT_EQ(files_below(folder.path()), std::vector<std::string>{file});
  EXPECT_EQ(file_text(file), GetParam().text);
}

std::string damage_name(const testing::TestParamInfo<Damage>& damage) { return damage.param.name; }

INSTANTIATE_TEST_SUITE_P(
    , DamagedCase,
    testing::Values(
        Damage{"empty", "", {"JSON", "empty"}},
        Damage{"truncated", good_case.substr(0, good_case.size() / 2), {"JSON", "line"}},
        Damage{"not_json", "z = [0, 1]\n", {"JSON", "line 1"}}, Damage{"not_an_object", "[1, 2]", {"schema"}},
        Damage{"no_schema", with(R"({"schema": null})"), {"schema"}},
        Damage{"other_schema", with(R"({"schema": 2})"), {"schema", "expected 1", "found 2"}},
        Damage{"unknown_property", with(R"({"property": "shift_variance"})"), {"property", "shift_variance"}},
        Damage{"property_is_a_number", with(R"({"property": 7})"), {"property", "string", "7"}},
        Damage{"unknown_placement", with(R"({"placement": "middle"})"), {"placement", "middle", "begin"}},
        Damage{
            "decimal_number",
            with(R"({"arrays": {"z": {"values": ["0x0p+0", "1.5"]}}})"),
            {"arrays.z.values[1]", "hex float", "1.5"}},
        Damage{
            "bare_number",
            with(R"({"arrays": {"z": {"values": [0, 1]}}})"),
            {"arrays.z.values[0]", "hex float"}},
        Damage{
            "too_few_values",
            with(R"({"arrays": {"z": {"values": ["0x0p+0"]}}})"),
            {"arrays.z.values", "2 values", "found 1"}},
        Damage{"too_many_values", with(R"({"sizes": {"d": 1}})"), {"arrays.z.values", "1 values", "found 2"}},
        Damage{"no_size", with(R"({"sizes": {"d": null}})"), {"sizes", "d"}},
        Damage{"size_zero", with(R"({"sizes": {"d": 0}})"), {"sizes.d", "at least 1", "0"}},
        Damage{"size_negative", with(R"({"sizes": {"d": -2}})"), {"sizes.d", "-2"}},
        Damage{"size_too_large", with(R"({"sizes": {"d": 99999999999}})"), {"sizes.d", "99999999999"}},
        Damage{
            "repeat_too_large",
            with(R"({"arrays": {"z": {"values": [{"repeat": 99999999999, "value": "0x1p+0"}]}}})"),
            {"arrays.z.values[0].repeat", "99999999999"}},
        Damage{"other_axes", with(R"({"arrays": {"z": {"axes": ["n"]}}})"), {"arrays.z.axes", "\"d\""}},
        Damage{"missing_array", with(R"({"arrays": {"shift": null}})"), {"arrays", "shift"}},
        Damage{
            "array_of_nobody",
            with(R"({"arrays": {"x": {"axes": ["d"], "values": ["0x0p+0", "0x0p+0"]}}})"),
            {"arrays.x"}},
        Damage{
            "negative_epsilon",
            with(R"({"arrays": {"eps": {"values": ["-0x1p+0"]}}})"),
            {"arrays.eps", "finite", "-0x1p+0"}},
        Damage{
            "infinite_epsilon",
            with(R"({"arrays": {"eps": {"values": ["inf"]}}})"),
            {"arrays.eps", "finite"}},
        Damage{"nan_epsilon", with(R"({"arrays": {"eps": {"values": ["nan"]}}})"), {"arrays.eps", "finite"}}),
    damage_name);

TEST(SavedCase, WholeOneIsReplayedAndShown) {
  const TemporaryFolder folder;
  write_file(folder / "good.json", good_case);
  EXPECT_EQ(run_program({"replay", folder / "good.json"}).status, 0);
  const Outcome shown = run_program({"show", folder / "good.json"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("u(z + c1) = u(z)"));
}

TEST(SavedCase, MissingFile) {
  expect_refused(run_program({"replay", "no/such.json"}), {"no/such.json", "can't be read"});
  expect_refused(run_program({"show", "no/such.json"}), {"no/such.json", "can't be read"});
}

TEST(SavedCase, FolderInsteadOfAFile) {
  const TemporaryFolder folder;
  expect_refused(run_program({"replay", folder.path().string()}), {folder.path().string(), "directory"});
}

// Nothing is lost: the whole saved case stands in the output, and the status tells.
TEST(UnwritableRegressions, PrintTheCaseWhole) {
  const TemporaryFolder folder;
  write_file(folder / "file", "in the way");
  const Outcome outcome = run_program(
      {"run", "--kernel", faulty_library("divisor_d_minus_1"), "--property", "accuracy", "--scalar", "f32",
       "--regressions", folder / "file/saved"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, HasSubstr("NOT SAVED " + folder / "file/saved"));
  const std::size_t start = outcome.out.find("\n{\n");
  const std::size_t stop = outcome.out.find("\n}\n", start);
  ASSERT_NE(stop, std::string::npos) << outcome.out;
  const std::string text = outcome.out.substr(start + 1, stop + 2 - start);
  write_file(folder / "copied.json", text);
  const Outcome replayed =
      run_program({"replay", "--kernel", faulty_library("divisor_d_minus_1"), folder / "copied.json"});
  EXPECT_EQ(replayed.status, 1) << replayed.out << replayed.err;
  EXPECT_EQ(file_text(folder / "file"), "in the way");
}

TEST(UnwritableJson, IsRefusedBeforeAnyWork) {
  const TemporaryFolder folder;
  expect_refused(
      run_program({"run", "--json", folder / "no/such/folder.json"}), {"--json", "no/such/folder.json"});
  expect_refused(run_program({"run", "--json", folder.path().string()}), {"--json", folder.path().string()});
}

// A run that can't start leaves an older report as it was.
TEST(UnwritableJson, OlderReportSurvivesARefusedRun) {
  const TemporaryFolder folder;
  write_file(folder / "results.json", "older");
  expect_refused(
      run_program({"run", "--kernel", "./no_such_file.so", "--json", folder / "results.json"}),
      {"no_such_file"});
  EXPECT_EQ(file_text(folder / "results.json"), "older");
}

}  // namespace
}  // namespace program_tests
