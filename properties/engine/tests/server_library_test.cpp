// Server with shared libraries: an honest one works, and whatever is no kernel is refused in one line that
// names it.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "server.hpp"

namespace lnverify {
namespace {

// Where the build puts lib<name>.so for each file in tests/libraries.
std::string library(const std::string& name) {
  return std::string(LNVERIFY_TEST_LIBRARY_DIR) + "/lib" + name + ".so";
}

std::string refusal(const std::string& path) {
  Server server(path);
  try {
    server.info();
  } catch (const BadKernel& error) {
    return error.what();
  }
  return "not refused";
}

void expect_refusal(const std::string& path, const std::string& words) {
  const std::string message = refusal(path);
  EXPECT_TRUE(message.starts_with("kernel library " + path + ": ")) << message;
  EXPECT_NE(message.find(words), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_EQ(message.find(path), message.rfind(path)) << "names the file twice: " << message;
}

TEST(ServerLibrary, HonestLibraryIsNamedAfterItsFileAndWorks) {
  Server server(library("honest"));
  EXPECT_EQ(server.info().name, "libhonest.so");
  EXPECT_TRUE(server.info().has(Operation::forward, Scalar::f32));
  EXPECT_FALSE(server.info().has(Operation::backward, Scalar::f32));
  const std::vector<double> z = {-1, 1};
  Call call;
  call.rows = 1;
  call.d = 2;
  call.z = z.data();
  const Reply reply = server.call(call);
  EXPECT_EQ(reply.status, CallStatus::done) << reply.detail;
  EXPECT_EQ(reply.y, z);
}

TEST(ServerLibrary, MissingFile) {
  expect_refusal("/nowhere/libmissing.so", "No such file");
  EXPECT_NE(refusal("libmissing.so").find("libmissing.so"), std::string::npos);
}

TEST(ServerLibrary, TextFile) {
  const std::string path = testing::TempDir() + "lnverify_not_a_library.so";
  std::ofstream(path) << "This is a text, long enough that nobody takes it for the header of a library. "
                      << std::endl;
  expect_refusal(path, "invalid ELF header");
}

TEST(ServerLibrary, NothingExported) {
  expect_refusal(library("nothing_exported"), "offers no layer_norm_forward");
}

TEST(ServerLibrary, UndefinedSymbol) {
  expect_refusal(library("undefined_symbol"), "undefined symbol: function_that_nobody_defines");
}

TEST(ServerLibrary, LibraryThatEndsTheProcess) {
  expect_refusal(library("crashes_on_load"), "the process that loaded it exited with status 7");
}

TEST(ServerLibrary, CallAlsoRefuses) {
  Server server(library("nothing_exported"));
  EXPECT_THROW(server.call(Call{.rows = 0, .d = 1}), BadKernel);
  EXPECT_THROW(server.added_epsilon(1), BadKernel);
}

}  // namespace
}  // namespace lnverify
