#include "one_line.hpp"

#include <gtest/gtest.h>

namespace lnverify {
namespace {

TEST(OneLine, LeavesTextAsItIs) {
  EXPECT_EQ(one_line(""), "");
  EXPECT_EQ(one_line("oneDNN 2.6.3 (γ, 𝛽, é)"), "oneDNN 2.6.3 (γ, 𝛽, é)");
}

TEST(OneLine, ControlCharactersAreBlanks) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[31md\x7f"), "a b c [31md ");
  EXPECT_EQ(
      one_line("a\xC2\x9B"
               "31m"),
      "a 31m")
      << "the one-character form of ESC [";
}

TEST(OneLine, BytesThatAreNoUtf8AreQuestionMarks) {
  EXPECT_EQ(one_line("my\xff kernel"), "my? kernel");
  EXPECT_EQ(one_line("\xC3"), "?") << "cut off";
  EXPECT_EQ(one_line("\xC0\xAF"), "??") << "overlong";
  EXPECT_EQ(one_line("\xE0\x9F\xBF"), "???") << "overlong";
  EXPECT_EQ(one_line("\xED\xA0\x80"), "???") << "a surrogate";
  EXPECT_EQ(one_line("\xF4\x90\x80\x80"), "????") << "beyond U+10FFFF";
}

}  // namespace
}  // namespace lnverify
