// An outside project that verifies its kernel through layer_norm_add_verification: fails with a fault, saves
// the case, lists it without a rebuild, runs it first, is green once the fault is mended, and forgets a
// deleted case.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "process.hpp"

namespace program_tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

// The whole of this project would be built anew below add_subdirectory; the program that is already there
// stands in for that. Everything else is as a user writes it.
std::string lists_file() {
  const std::string source = LNVERIFY_SOURCE_DIR;
  return "cmake_minimum_required(VERSION 3.22)\n"
         "project(outside LANGUAGES C)\n"
         "enable_testing()\n"
         "add_executable(lnverify IMPORTED)\n"
         "set_target_properties(lnverify PROPERTIES IMPORTED_LOCATION \"" LNVERIFY_PROGRAM
         "\")\n"
         "add_subdirectory(suite)\n"
         "add_library(mine SHARED mine.c)\n"
         "target_include_directories(mine PRIVATE \"" +
         source + "/lib\" \"" + source +
         "/tools/tests/faulty\")\n"
         "target_link_libraries(mine PRIVATE m)\n"
         "layer_norm_add_verification(mine SCALARS f32 CASES 200)\n";
}

class OutsideProject : public testing::Test {
 protected:
  void use_kernel(const std::string& name) const {
    fs::copy_file(
        fs::path(LNVERIFY_SOURCE_DIR) / "tools/tests/faulty" / (name + ".c"), source() / "mine.c",
        fs::copy_options::overwrite_existing);
  }
  void configure() const {
    write_file(source() / "CMakeLists.txt", lists_file());
    // As in the README, the function comes from a subproject.
    fs::create_directories(source() / "suite");
    write_file(
        source() / "suite/CMakeLists.txt",
        std::string("include(\"") + LNVERIFY_SOURCE_DIR + "/cmake/LayerNormVerification.cmake\")\n");
    expect_done(run_command({"cmake", "-S", source().string(), "-B", build()}));
  }
  void compile() const { expect_done(run_command({"cmake", "--build", build()})); }
  Outcome ctest(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), "ctest");
    return run_command(options, {}, build());
  }
  fs::path source() const { return folder_.path() / "source"; }
  std::string build() const { return folder_ / "build"; }
  std::vector<std::string> saved() const { return files_below(source() / "regressions"); }

  static void expect_done(const Outcome& outcome) {
    ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  }

  TemporaryFolder folder_;
};

std::string entry_of(const fs::path& file) {
  return "mine.regression/" + (file.parent_path().filename() / file.filename()).string();
}

TEST_F(OutsideProject, FindsSavesReplaysAndForgets) {
  fs::create_directories(source());
  use_kernel("divisor_d_minus_1");
  configure();
  compile();
  const Outcome listed = ctest({"-N"});
  EXPECT_THAT(listed.out, HasSubstr("mine.accuracy/f32"));
  EXPECT_THAT(listed.out, Not(HasSubstr("regression")));

  const std::vector<std::string> two = {"-R", "accuracy/f32|constant_rows/f32|regression/"};
  const Outcome failing = ctest(two);
  EXPECT_NE(failing.status, 0) << failing.out;
  EXPECT_THAT(failing.out, HasSubstr("mine.accuracy/f32 (Failed)"));
  EXPECT_THAT(failing.out, Not(HasSubstr("constant_rows/f32 (Failed)")));
  ASSERT_FALSE(saved().empty());
  const std::string entry = entry_of(saved().front());

  EXPECT_THAT(ctest({"-N"}).out, HasSubstr(entry)) << "without a rebuild";
  const Outcome again = ctest(two);
  EXPECT_THAT(again.out, HasSubstr(entry + " (Failed)"));
  EXPECT_LT(again.out.find(entry), again.out.find("mine.accuracy/f32")) << "saved cases first: " << again.out;

  use_kernel("honest_double");
  compile();
  const Outcome mended = ctest({"-j", "2"});
  EXPECT_EQ(mended.status, 0) << mended.out;
  EXPECT_THAT(mended.out, HasSubstr(entry));
  EXPECT_THAT(mended.out, HasSubstr("mine.in_place/f32 (Skipped)")) << "what the kernel does not offer";

  for (const std::string& file : saved()) fs::remove(file);
  const Outcome forgotten = ctest({"-N"});
  EXPECT_THAT(forgotten.out, Not(HasSubstr("regression")));
  EXPECT_THAT(forgotten.out, HasSubstr("mine.accuracy/f32"));
}

}  // namespace
}  // namespace program_tests
