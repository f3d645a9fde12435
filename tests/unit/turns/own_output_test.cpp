#include "turns/own_output.hpp"

#include <gtest/gtest.h>

namespace yore::turns {
namespace {

using transcript::Block;
using transcript::BlockKind;

Block call(std::string_view tool, std::string_view text = "") {
  return {BlockKind::tool_call, text, "t", tool, {}, {}};
}

TEST(OwnOutput, KnowsItsToolsUnderAnyServerName) {
  for (const std::string_view name :
       {"search_conversations", "mcp__yore__search_conversations", "mcp__past__list_conversations",
        "yore_read_turn", "yore.read_conversation", "yore/read_turn", "past-read_turn"}) {
    EXPECT_TRUE(is_own_call(call(name))) << name;
  }
}

TEST(OwnOutput, LeavesOtherToolsAlone) {
  for (const std::string_view name :
       {"", "Read", "spread_turn", "read_turns", "mcp__yore__other"}) {
    EXPECT_FALSE(is_own_call(call(name, "yore search x"))) << name;
  }
}

TEST(OwnOutput, LooksIntoTheCommandsOfShellTools) {
  for (const std::string_view shell : {"Bash", "bash", "exec", "exec_command", "shell"}) {
    EXPECT_TRUE(is_own_call(call(shell, "yore search parser"))) << shell;
    EXPECT_FALSE(is_own_call(call(shell, "grep yore notes"))) << shell;
  }
}

TEST(OwnOutput, FindsYoreAsTheProgramOfAnyPartOfACommand) {
  for (const std::string_view command : {"yore",
                                         "yore search x",
                                         "  yore list",
                                         "./build/yore list",
                                         "/usr/local/bin/yore mcp",
                                         "cd x && FOO=1 ./build/yore search y | head",
                                         "env A=1 B=2 yore status",
                                         "A='two words' yore status",
                                         "sudo yore index",
                                         "time yore search x",
                                         "ls; yore list",
                                         "ls\nyore list",
                                         "echo parser | xargs yore search",
                                         "(yore list)",
                                         "echo $(yore list)",
                                         "echo `yore list`",
                                         "echo \"found: $(yore list)\"",
                                         "\"./my build/yore\" list",
                                         "timeout 10 yore search x",
                                         "timeout -k 5s 10s yore search x",
                                         "for q in a b; do yore search $q; done",
                                         "if yore status; then ls; fi",
                                         "! yore list",
                                         "bash -c 'yore list'",
                                         "/bin/bash -lc \"cd x && yore list\"",
                                         "false || yore list",
                                         "sleep 1 & yore list",
                                         "cat <<E\nit's\nE\nyore list"}) {
    EXPECT_TRUE(runs_yore(command)) << command;
  }
}

TEST(OwnOutput, IgnoresYoreWhereItIsNoProgram) {
  for (const std::string_view command : {"",
                                         " ",
                                         "&&",
                                         "grep yore notes",
                                         "cd yore",
                                         "cd ~/src/yore && make",
                                         "ls ./yore",
                                         "grep -E 'old|yore' notes",
                                         "grep -E \"old|yore\" notes",
                                         "echo 'x; yore list'",
                                         "yores",
                                         "yore.txt",
                                         "cat yore/README",
                                         "git commit -m \"yore: fix\"",
                                         "bash build.sh yore",
                                         "bash -c 'grep yore notes'",
                                         "X=yore ls",
                                         "git clone host:yore && cd yore",
                                         "\"",
                                         "'"}) {
    EXPECT_FALSE(runs_yore(command)) << command;
  }
}

}  // namespace
}  // namespace yore::turns
