#include "cli/screen/turn_text.hpp"

#include <gtest/gtest.h>

namespace yore::cli {
namespace {

class TurnText : public testing::Test {
 protected:
  TurnText() {
    program_.world.env = [](std::string_view) { return std::nullopt; };
    program_.out_screen = {false, 30};
  }
  std::string render(const turns::WholeTurn& turn, std::size_t tools = 10) {
    const Context context(program_, globals_);
    return turn_text(context, turn, "claude-code", tools);
  }
  Program program_;
  Globals globals_;
};

TEST(ToolLine, PutsTheValuesBehindTheName) {
  EXPECT_EQ(tool_line(R"({"tool":"Bash","command":"git\nstatus"})"), "Bash git status");
  EXPECT_EQ(tool_line(R"({"tool":"Write","file":"/x","chars":1234})"), "Write /x (1,234 chars)");
  EXPECT_EQ(tool_line(R"({"tool":"Skill"})"), "Skill");
}

TEST(ToolLine, SurvivesWhatIsNoRendering) {
  EXPECT_EQ(tool_line("{broken"), "{broken");
  EXPECT_EQ(tool_line("[1]"), "[1]");
}

TEST_F(TurnText, IndentsAndWrapsBothSides) {
  turns::WholeTurn turn;
  turn.number = 3;
  turn.user_text = "How should this be wrapped at thirty columns?";
  turn.assistant_text = "Like so.\n";
  EXPECT_EQ(render(turn),
            "── turn 3 ──\n"
            "You:\n"
            "  How should this be wrapped\n"
            "  at thirty columns?\n"
            "\n"
            "Claude:\n"
            "  Like so.\n");
}

TEST_F(TurnText, CountsTheToolsItLeavesOut) {
  turns::WholeTurn turn;
  turn.abandoned = true;
  turn.tools_used = {R"({"tool":"A"})", R"({"tool":"B"})", R"({"tool":"C"})"};
  EXPECT_EQ(render(turn, 2),
            "── turn 0 · abandoned ──\n"
            "  • A\n"
            "  • B\n"
            "  … and 1 more tool call\n");
}

TEST_F(TurnText, LetsNothingControlTheTerminal) {
  turns::WholeTurn turn;
  turn.user_text = "a\x1b]0;owned\x07z \x1b[2J\u202e";
  turn.tools_used = {"{\"tool\":\"B\\u001b[31m\"}"};
  const std::string text = render(turn);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("owned"), std::string::npos);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
}

}  // namespace
}  // namespace yore::cli
