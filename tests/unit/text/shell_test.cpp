#include "text/shell.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/temp_dir.hpp"

namespace yore::text {
namespace {

struct Shell {
  std::vector<std::string> words;   // up to where the command line goes
  bool knows_dollar_quotes = true;  // $'…'
};

// Those that are installed; sh and bash always are.
std::vector<Shell> shells() {
  std::vector<Shell> found;
  for (const Shell& shell :
       {Shell{{"/bin/sh", "-c"}, false}, Shell{{"/bin/bash", "-c"}},
        Shell{{"/bin/dash", "-c"}, false}, Shell{{"/usr/bin/zsh", "-c"}},
        Shell{{"/usr/bin/fish", "--no-config", "-c"}, false}, Shell{{"/usr/bin/ksh", "-c"}},
        Shell{{"/usr/bin/mksh", "-c"}}, Shell{{"/usr/bin/busybox", "sh", "-c"}, false}}) {
    if (std::filesystem::exists(shell.words.front())) found.push_back(shell);
  }
  return found;
}

// Runs the line in `folder` with a PATH that finds touch and printf, and gives its output.
std::string output_of(const Shell& shell, const std::string& line, const std::string& folder) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<std::string> words = shell.words;
    words.push_back(line);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(::open("/dev/null", O_RDWR), STDERR_FILENO);
    ::setenv("HOME", folder.c_str(), 1);
    if (::chdir(folder.c_str()) == 0) ::execv(argv.front(), argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string out;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    out.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return out;
}

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
  EXPECT_EQ(shell_quote("a\nb'c\\"), "$'a\\012b\\047c\\134'");
}

const std::vector<std::string> kTraps = {"'; touch PWNED #",
                                         "\\'; touch PWNED #",
                                         "$(touch PWNED)",
                                         "`touch PWNED`",
                                         "\"; touch PWNED #",
                                         "\\\\'; touch PWNED; '",
                                         "a\\",
                                         "' ; touch PWNED ; '",
                                         "$'; touch PWNED #",
                                         "!!; touch PWNED",
                                         "\\047; touch PWNED #",
                                         "}; touch PWNED; {"};

TEST(ShellQuote, IsReadByEveryShellAsTheWordItIs) {
  for (const Shell& shell : shells()) {
    const fake::TempDir folder;
    for (const std::string& trap : kTraps) {
      for (const std::string& word : {trap, "d" + trap, trap + "z", "項" + trap}) {
        EXPECT_EQ(output_of(shell, "printf %s " + shell_quote(word) + " end", folder.path()),
                  word + "end")
            << shell.words.front();
      }
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path() + "/PWNED")) << shell.words.front();
  }
}

TEST(ShellQuote, LetsNoShellRunWhatStandsBesideAControlCharacter) {
  for (const Shell& shell : shells()) {
    const fake::TempDir folder;
    for (const std::string& trap : kTraps) {
      for (const std::string& word : {"d\t" + trap, trap + "\n" + trap, "\x1b" + trap + "\x7f"}) {
        const std::string out =
            output_of(shell, "cd " + shell_quote(word) + " && printf wrong", folder.path());
        EXPECT_EQ(out, "") << shell.words.front();
        EXPECT_FALSE(std::filesystem::exists(folder.path() + "/PWNED"))
            << shell.words.front() << ": " << shell_quote(word);
        if (!shell.knows_dollar_quotes) continue;
        EXPECT_EQ(output_of(shell, "printf %s " + shell_quote(word) + " end", folder.path()),
                  word + "end")
            << shell.words.front();
      }
    }
  }
}

TEST(ShellLine, GoesToTheFolderFirst) {
  EXPECT_EQ(shell_line({"claude", "--resume", "x y"}, ""), "claude --resume 'x y'");
  EXPECT_EQ(shell_line({"claude"}, "/it's"), "cd '/it'\\''s' && claude");
}

}  // namespace
}  // namespace yore::text
