#include "text/shell.hpp"

#include <gtest/gtest.h>

namespace yore::text {
namespace {

TEST(ShellQuote, LeavesPlainWordsAlone) {
  EXPECT_EQ(shell_quote("claude"), "claude");
  EXPECT_EQ(shell_quote("/home/sam/a-b_c.d"), "/home/sam/a-b_c.d");
}

TEST(ShellQuote, QuotesWhatTheShellWouldRead) {
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quote("$(rm -rf ~);`x`"), "'$(rm -rf ~);`x`'");
  EXPECT_EQ(shell_quote("~sam"), "'~sam'");
  EXPECT_EQ(shell_quote("項目"), "'項目'");
}

TEST(ShellQuote, EscapesWhatATerminalWouldRead) {
  EXPECT_EQ(shell_quote("a\x1b]0;x\x07z"), "$'a\\033]0;x\\007z'");
  EXPECT_EQ(shell_quote("a\nb'c\\"), "$'a\\012b\\'c\\\\'");
}

TEST(ShellLine, GoesToTheFolderFirst) {
  EXPECT_EQ(shell_line({"claude", "--resume", "x y"}, ""), "claude --resume 'x y'");
  EXPECT_EQ(shell_line({"claude"}, "/it's"), "cd '/it'\\''s' && claude");
}

}  // namespace
}  // namespace yore::text
