// Libraries with one deliberate fault each: found in the default run, in the right kind of failure, shrunk,
// saved, replayed first, reproduced by the printed command, and green once the fault is mended. And honest
// libraries, on which nothing may be found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "process.hpp"

namespace program_tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Json = nlohmann::json;

// A property's cases depend on seed, property and scalar alone, so that the default run of some properties is
// that part of the default run of all. The few libraries that make every call slow are run with some.
struct Fault {
  std::string library;
  std::vector<std::string> failures;  // the kinds that the fault may show itself in
  std::string witness;                // a law that must find it
  std::size_t least_d;                // of the witness's minimal case
  std::size_t most_d;
  std::string properties = "*";
};

void PrintTo(const Fault& fault, std::ostream* stream) { *stream << fault.library; }

class FaultyLibrary : public testing::TestWithParam<Fault> {
 protected:
  Outcome run(const std::string& properties) const {
    return run_program(
        {"run", "--kernel", faulty_library(GetParam().library), "--scalar", "f32", "--property", properties,
         "--regressions", saved(), "--jobs", "2", "--json", folder_ / "results.json"});
  }
  std::string saved() const { return folder_ / "saved"; }
  Json report() const { return json_file(folder_ / "results.json"); }

  TemporaryFolder folder_;
};

bool is_fault(const Json& result) { return result["outcome"] == "falsified" && result["counts"]; }

void expect_reproduced(const Json& result) {
  const Outcome again = run_command({"sh", "-c", result["reproduce"].get<std::string>()});
  EXPECT_EQ(again.status, 1) << result["reproduce"] << "\n" << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("falsified"));
}

TEST_P(FaultyLibrary, IsFoundSavedReplayedReproducedAndGreenOnceMended) {
  const Fault& fault = GetParam();
  const Outcome first = run(fault.properties);
  ASSERT_EQ(first.status, 1) << first.out << first.err;

  const Json report_of_first = report();
  for (const Json& result : report_of_first["results"]) {
    if (!is_fault(result)) continue;
    EXPECT_NE(
        std::find(fault.failures.begin(), fault.failures.end(), result["failure"]), fault.failures.end())
        << result["property"] << ": " << result["failure"];
    EXPECT_TRUE(fs::is_regular_file(result["regression"].get<std::string>())) << result["property"];
    EXPECT_THAT(first.out, HasSubstr(result["reproduce"].get<std::string>()));
  }
  const Json found = result_of(report_of_first, fault.witness);
  ASSERT_TRUE(is_fault(found)) << found;
  const std::size_t d = found["minimal"]["sizes"]["d"];
  EXPECT_GE(d, fault.least_d);
  EXPECT_LE(d, fault.most_d);
  const fs::path file = found["regression"].get<std::string>();
  EXPECT_EQ(file.parent_path(), fs::path(saved()) / fault.witness);
  EXPECT_THAT(first.out, HasSubstr("saved in  " + file.string()));
  expect_reproduced(found);

  const std::vector<std::string> files = files_below(saved());
  EXPECT_EQ(run(fault.witness).status, 1);
  const Json replayed = result_of(report(), fault.witness);
  EXPECT_EQ(replayed["replayed"], 1);
  EXPECT_EQ(replayed["first_failure"], 1);
  EXPECT_EQ(replayed["regression"], file.string());
  EXPECT_EQ(files_below(saved()), files) << "the same case twice is one file";

  std::vector<std::string> replay = {"replay", "--kernel", faulty_library("honest_double")};
  replay.insert(replay.end(), files.begin(), files.end());
  const Outcome mended = run_program(replay);
  EXPECT_EQ(mended.status, 0) << mended.out << mended.err;
}

std::string fault_name(const testing::TestParamInfo<Fault>& fault) { return fault.param.library; }
std::string library_name(const testing::TestParamInfo<std::string>& library) { return library.param; }

const std::vector<std::string> wrong = {"wrong-value", "not-finite"};

INSTANTIATE_TEST_SUITE_P(
    , FaultyLibrary,
    testing::Values(
        Fault{"divisor_d_minus_1", wrong, "accuracy", 1, 3},
        Fault{"epsilon_outside_root", wrong, "accuracy", 1, 3},
        Fault{"epsilon_ignored", wrong, "scale_dependence", 1, 3},
        Fault{"naive_variance", wrong, "accuracy", 1, 3},
        Fault{"batch_statistics", wrong, "row_independence", 1, 3},
        Fault{"dropped_tail", wrong, "accuracy", 1, 3},
        Fault{"write_past_row", {"out-of-bounds"}, "memory", 1, 3},
        Fault{"read_past_row", {"out-of-bounds"}, "memory", 1, 3, "memory,gradient_memory,accuracy"},
        Fault{"scribbled_input", {"scribbled"}, "memory", 1, 3},
        Fault{"unwritten_output", {"not-written"}, "memory", 1, 3},
        Fault{"null_dereference", {"crashed"}, "accuracy", 33, 33},
        Fault{"endless_loop", {"hung"}, "accuracy", 1, 1, "accuracy,memory,constant_rows"},
        Fault{"failing_return", {"failed"}, "accuracy", 1025, 1025, "accuracy,bias_shift,shift_invariance"}),
    fault_name);

class HonestLibrary : public testing::TestWithParam<std::string> {};

TEST_P(HonestLibrary, HoldsEveryLaw) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program(
      {"run", "--kernel", faulty_library(GetParam()), "--scalar", "f32", "--regressions", folder / "saved",
       "--jobs", "2"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("no law falsified"));
  EXPECT_FALSE(fs::exists(folder / "saved"));
}

INSTANTIATE_TEST_SUITE_P(
    , HonestLibrary, testing::Values("honest_serial", "honest_pairwise", "honest_double"), library_name);

}  // namespace
}  // namespace program_tests
