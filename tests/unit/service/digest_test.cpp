// Digests: a briefing of a session, and the passages for a question.
#include <gtest/gtest.h>

#include "service/context_text.hpp"
#include "service/handoff_text.hpp"
#include "service/text_budget.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "turns/fence.hpp"

namespace yore::service {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(TextBudget, CountsByScript) {
  EXPECT_EQ(tokens_of(""), 0U);
  EXPECT_EQ(tokens_of("four"), 1U);
  EXPECT_EQ(tokens_of("eight ch"), 2U);
  EXPECT_EQ(tokens_of("日本語"), 3U);
}

TEST(TextBudget, CutsAtAWord) {
  EXPECT_EQ(cut_to_tokens("short enough", 10), "short enough");
  const std::string cut = cut_to_tokens("one two three four five six seven", 4);
  EXPECT_EQ(cut, "one two…");
  EXPECT_LE(tokens_of(cut_to_tokens(std::string(500, 'x'), 10)), 10U);
  EXPECT_EQ(cut_to_tokens("a\n  b", 10), "a b") << "one line";
}

TEST(TextBudget, TakesWholeSentences) {
  EXPECT_EQ(first_sentences("# Done\n\nThe cache was stale. It is flushed now. And so on.", 8),
            "Done The cache was stale.");
  EXPECT_EQ(first_sentences("- one\n- two", 20), "one two");
  EXPECT_EQ(first_sentences("Perfect! You're right! **The cache** was stale.", 20),
            "The cache was stale.");
  EXPECT_EQ(first_sentences("Perfect!", 20), "Perfect!");
  EXPECT_EQ(first_sentences("a \x1b[31mred\x1b[0m word", 20).find('\x1b'), std::string::npos);
}

class Digests : public testing::Test {
 protected:
  static constexpr const char* kId = "aaaaaaaa-1111-4111-8111-111111111111";
  void write_session() {
    ClaudeLines lines(kId, "/home/ann/code/shop");
    std::string text;
    text += lines.prompt("The cart loses its items after a login. Find out why and mend it.");
    text += lines.tool_call("Bash", {{"command", "make check"}});
    text += lines.tool_result("Exit code 2\ncart_test failed");
    text += lines.tool_call("Edit", {{"file_path", "/home/ann/code/shop/src/cart.py"},
                                     {"old_string", "a"},
                                     {"new_string", "b"}});
    text += lines.tool_result("The file was updated.");
    text += lines.tool_call("Bash", {{"command", "make test"}});
    text += lines.tool_result("12 passed");
    text +=
        lines.answer("The session id changed at login, because the cookie was set again. Fixed.");
    text += lines.prompt("ok");
    text += lines.answer("We keep the old cookie instead of a new one.");
    text += lines.prompt("Also write down what is left to do for the release of the shop");
    text += lines.answer("Remaining: the wishlist has the same fault.\nTell ghp_" +
                         std::string("16C7e42F292c6912E7710c838347Ae178B4a") + " nobody.");
    machine.write(machine.session_path("-home-ann-code-shop", kId), text);
    machine.index();
  }
  Handoff handoff(std::size_t tokens) {
    auto reader = machine.reader();
    auto briefing = search::brief(reader, *reader.find_session(kId));
    EXPECT_TRUE(briefing.ok());
    return handoff_of(std::move(*briefing), {tokens, "Claude Code", "Codex"}, Masker(true));
  }
  FakeWorld machine;
};

TEST_F(Digests, ABriefingSaysWhatWasWantedDecidedDoneAndLeft) {
  write_session();
  const Handoff whole = handoff(2000);
  const std::string& text = whole.text;
  EXPECT_TRUE(text.starts_with("Codex: Go on with work")) << text;
  EXPECT_TRUE(has(text, "## Goal\n- [turn 0] The cart loses its items")) << text;
  EXPECT_TRUE(has(text, "- [turn 0] The session id changed at login")) << text;
  EXPECT_TRUE(has(text, "- [turn 1] We keep the old cookie instead")) << text;
  EXPECT_TRUE(has(text, "## Changes\n- [turn 0] /home/ann/code/shop/src/cart.py")) << text;
  EXPECT_TRUE(has(text, "## Commands that worked\n- [turn 0] `make test`")) << text;
  EXPECT_TRUE(has(text, "failed: `make check`")) << text;
  EXPECT_TRUE(has(text, "- [turn 2] Remaining: the wishlist")) << text;
  EXPECT_FALSE(has(text, "ghp_"));
  EXPECT_TRUE(has(text, "[masked:"));
  EXPECT_EQ(whole.cited, (std::vector<std::uint32_t>{0, 1, 2}));
  // Only the first line is left of it where it is read again.
  std::string storage;
  const auto left = turns::without_fenced(text, turns::Unclosed::stays, storage);
  EXPECT_TRUE(left.had_fence);
  EXPECT_FALSE(has(std::string(left.text), "cart"));
}

TEST_F(Digests, ABriefingKeepsToItsBudget) {
  ClaudeLines lines(kId);
  std::string text;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    text += lines.prompt("What about part number " + n + " of the whole machine?");
    text += lines.answer("Part " + n + " was replaced. It turned out to be worn. " +
                         std::string(300, 'y') + ".");
  }
  machine.write(machine.session_path("-home-ann-code-blog", kId), text);
  machine.index();
  for (const std::size_t tokens : {200, 500, 1000, 2000}) {
    const Handoff made = handoff(tokens);
    EXPECT_LE(made.tokens, tokens) << made.text;
    EXPECT_FALSE(made.cited.empty());
    EXPECT_EQ(made.cited.back(), 59U) << "where it ended is never left out";
  }
  EXPECT_GT(handoff(2000).cited.size(), handoff(500).cited.size());
}

TEST_F(Digests, PassagesForAQuestionAreCitedOnceAndWithinTheBudget) {
  write_session();
  auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
  search::SearchRequest request;
  request.query = "cart cookie login";
  request.mode = search::SearchMode::keyword;
  request.limit = hits_for(500);
  const auto answer = searcher->search(request);
  ASSERT_TRUE(answer.ok());
  const ContextDigest digest = context_digest(*answer, 500);
  EXPECT_TRUE(digest.text.starts_with(turns::kFenceOpen)) << digest.text;
  EXPECT_TRUE(has(digest.text, "because the cookie was set again")) << digest.text;
  EXPECT_TRUE(has(digest.text, "turn 0, yore chunk ")) << digest.text;
  ASSERT_FALSE(digest.cited.empty());
  for (const std::size_t tokens : {100, 150, 300, 1000}) {
    EXPECT_LE(context_digest(*answer, tokens).tokens, tokens);
  }
  search::SearchAnswer twice = *answer;
  twice.hits.push_back(twice.hits.front());
  EXPECT_EQ(context_digest(twice, 1000).cited.size(), context_digest(*answer, 1000).cited.size());
  EXPECT_EQ(context_digest({}, 500).text, "");
}

}  // namespace
}  // namespace yore::service
