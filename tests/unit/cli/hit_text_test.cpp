#include "cli/screen/hit_text.hpp"

#include <gtest/gtest.h>

#include "text/utf8.hpp"

namespace yore::cli {
namespace {

using search::Hit;
using search::SearchAnswer;

constexpr const char* kRule = "─────────────────────────────────────────────────\n";

class HitText : public testing::Test {
 protected:
  HitText() {
    program_.world.env = [](std::string_view) { return std::nullopt; };
    program_.world.now = *parse_iso8601("2026-02-10T08:00:00Z");
    program_.out_screen = {false, 80};
    answer_.matched.terms = {"jwt", "token"};
    answer_.seconds = 0.0041;
    Hit hit;
    hit.rank = 1;
    hit.session.agent = "claude-code";
    hit.session.project = "myapp";
    hit.chunk_id = "a2ffd9f70123";
    hit.chunk_short = "a2ffd9f7";
    hit.turn_number = 3;
    hit.timestamp = program_.world.now - std::chrono::days(3);
    hit.snippet_surface = "user_prompt";
    hit.messages = {{"user", "How should I handle JWT refresh tokens?", 3, true},
                    {"assistant", "Rotate them.", 3, true}};
    answer_.hits.push_back(std::move(hit));
  }

  Hit& hit() { return answer_.hits.front(); }
  void set_columns(std::size_t columns) { program_.out_screen.columns = columns; }
  std::string render(std::size_t max_chars = 0) {
    const Context context(program_, globals_);
    return hits_text(context, answer_, max_chars);
  }
  bool shows(std::string_view part) { return render().find(part) != std::string::npos; }

  Program program_;
  Globals globals_;
  SearchAnswer answer_;
};

TEST_F(HitText, LooksAsPromised) {
  EXPECT_EQ(render(), std::string("[1] Project: myapp | 3 days ago | 100%\n"
                                  "\n"
                                  "  You: How should I handle JWT refresh tokens?\n"
                                  "\n"
                                  "  Claude: Rotate them.\n"
                                  "\n"
                                  "  → yore chunk a2ffd9f7\n"
                                  "\n") +
                          kRule + "Found 1 result in 0.004s\n");
}

TEST_F(HitText, PutsAnEmptyLineBetweenHits) {
  answer_.hits.push_back(hit());
  answer_.hits.back().rank = 2;
  answer_.hits.back().percent = 87;
  EXPECT_TRUE(shows("  → yore chunk a2ffd9f7\n\n[2] Project: myapp | 3 days ago | 87%\n\n"));
  EXPECT_TRUE(shows("Found 2 results in "));
}

TEST_F(HitText, CutsLongTextAndCountsTheRest) {
  std::string long_text = "A token";
  for (int i = 0; i < 300; ++i) long_text += " word";
  hit().messages[1].content = long_text;
  const std::string text = render();
  const std::size_t begin = text.find("  Claude: A token word");
  ASSERT_NE(begin, std::string::npos) << text;
  const std::size_t end = text.find("…\n  [truncated - ", begin);
  ASSERT_NE(end, std::string::npos) << text;
  std::size_t shown = 0;  // characters behind the name, line ends counted as the spaces they were
  for (std::size_t at = begin + 10; at < end; ++at) {
    if (text[at] == '\n') at += 2;
    ++shown;
  }
  EXPECT_LE(shown, 600U);
  EXPECT_GT(shown, 500U);
  EXPECT_NE(
      text.find("[truncated - " + std::to_string(long_text.size() - shown) + " more chars]\n"),
      std::string::npos)
      << text;
}

TEST_F(HitText, CutsWhereAsked) {
  const std::string text = render(12);
  EXPECT_NE(text.find("  You: …JWT…\n  [truncated - 36 more chars]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  Claude: Rotate them.\n"), std::string::npos) << text;
}

TEST_F(HitText, ShowsTheConclusionUnlessOnlyTheRestMatches) {
  const std::string begin = "Let me look.\n";
  hit().messages[1].content = begin + "It is the cookie.";
  hit().conclusion_begin = begin.size();
  EXPECT_TRUE(shows("  Claude: It is the cookie.\n"));
  EXPECT_FALSE(shows("Let me look"));
  hit().messages[1].content = "The token!!!\nIt is the cookie.";
  EXPECT_TRUE(shows("  Claude: The token!!!\n  It is the cookie.\n"));
}

TEST_F(HitText, ShowsThePassageThatIsNeitherPromptNorAnswer) {
  hit().snippet.text = "eyJ0 jwt\n\nexpired";
  hit().snippet_surface = "tool";
  EXPECT_TRUE(shows("\n  Tool: eyJ0 jwt\n  expired\n"));
  hit().snippet_surface = "thinking";
  EXPECT_TRUE(shows("\n  Thinking: eyJ0 jwt\n"));
  hit().snippet_surface = "title";
  EXPECT_TRUE(shows("\n  Title: eyJ0 jwt\n"));
  hit().snippet_surface = "assistant_full";
  EXPECT_FALSE(shows("eyJ0"));
}

TEST_F(HitText, RemarksStandInTheHeadOrBelowIt) {
  hit().copies = 2;
  hit().abandoned = true;
  EXPECT_TRUE(
      shows("[1] Project: myapp | 3 days ago | 100% | also in 2 other sessions | abandoned\n\n"));
  hit().source_missing = true;
  hit().session.kind = transcript::SessionKind::subagent;
  EXPECT_TRUE(
      shows("[1] Project: myapp | 3 days ago | 100%\n"
            "  sub-agent | also in 2 other sessions | abandoned | source is gone\n\n"));
}

TEST_F(HitText, LeavesOutWhatIsNotKnown) {
  hit().timestamp = kNoTime;
  hit().session.project = "";
  hit().messages[0].content = " \n";
  const std::string text = render();
  EXPECT_TRUE(text.starts_with("[1] Project: (none) | 100%\n\n  Claude: Rotate them.\n")) << text;
}

TEST_F(HitText, NamesTheAgentThatAnswered) {
  hit().session.agent = "openclaw";
  EXPECT_FALSE(shows("Claude:"));
  EXPECT_TRUE(shows("OpenClaw: Rotate them."));
}

TEST_F(HitText, ANameStaysWithItsText) {
  set_columns(20);
  hit().messages[0].content = "全文検索の分かち書きはどうすればよいですか";
  EXPECT_TRUE(shows("\n  You: 全文検索の分\n  かち書きは"));
}

TEST_F(HitText, NeighboursStandAround) {
  auto& messages = hit().messages;
  messages.insert(messages.begin(), {"assistant", "Hello.", 2, false});
  messages.insert(messages.begin(), {"user", "Hi\nthere", 2, false});
  std::string much;
  for (int i = 0; i < 250; ++i) much += "x ";
  messages.push_back({"user", much, 4, false});
  const std::string text = render();
  EXPECT_NE(text.find("100%\n\n  You: Hi there\n  Claude: Hello.\n\n  You: How should"),
            std::string::npos)
      << text;
  const std::size_t after = text.find("  Claude: Rotate them.\n\n  You: x x");
  ASSERT_NE(after, std::string::npos) << text;
  EXPECT_LT(std::count(text.begin(), text.end(), 'x'), 120);
}

TEST_F(HitText, ExplainsEveryPartOfAScore) {
  hit().explain = {{"bm25", 12.5, "jwt 3.25"}, {"recency", 0.95, "3 days"}};
  EXPECT_TRUE(shows("\n  bm25       12.5000  jwt 3.25\n  recency     0.9500  3 days\n"));
}

TEST_F(HitText, PaintsNamesAndMatches) {
  globals_.color = ColorMode::always;
  hit().copies = 1;
  const std::string text = render();
  for (const char* part :
       {"\x1b[1;36m[1]\x1b[0m Project: \x1b[32mmyapp\x1b[0m \x1b[2m| 3 days ago | 100%",
        "\x1b[36mYou:\x1b[0m How should I handle \x1b[1;33mJWT\x1b[0m refresh "
        "\x1b[1;33mtokens\x1b[0m?",
        "\x1b[32mClaude:\x1b[0m Rotate"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST_F(HitText, FitsNarrowScreens) {
  hit().session.project = "a-project-with-quite-a-long-name";
  hit().messages[1].content =
      "Überall 検索の分かち書き and a-very-long-identifier-that-goes-on tokens";
  hit().copies = 12;
  for (const std::size_t columns : {25U, 40U, 60U, 100U}) {
    set_columns(columns);
    std::string text = render();
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
      EXPECT_LE(text::display_width(text.substr(0, end)), columns) << text.substr(0, end);
    }
  }
}

TEST_F(HitText, LetsNothingControlTheTerminal) {
  const std::string evil = "a\x1b]0;owned\x07z \x1b[2J\u202e\x9b";
  hit().session.project = evil;
  hit().session.agent = evil;
  hit().messages = {
      {"user", evil, 3, true}, {"assistant", evil, 3, true}, {"user", evil, 4, false}};
  hit().snippet.text = evil;
  hit().snippet_surface = "tool";
  hit().explain = {{"bm25", 1, evil}};
  hit().chunk_short = evil;
  const std::string text = render();
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("owned\x07"), std::string::npos);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
}

}  // namespace
}  // namespace yore::cli
