// What a search prints: for people, for scripts, and when something is wrong.
#include <gtest/gtest.h>

#include <filesystem>

#include "e2e/search_box.hpp"
#include "text/utf8.hpp"

namespace yore::e2e {
namespace {

class SearchOutput : public SearchBox {};

TEST_F(SearchOutput, WithoutAnIndexItBuildsOneAndAnswers) {
  write_three();
  const Ran first = box_.run({"search", "wishlist"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(has(first.err, "No index yet, reading the transcripts first.\n")) << first.err;
  EXPECT_TRUE(has(first.out, "You: Add a wishlist page")) << first.out;
  const Ran second = box_.run({"search", "wishlist"});
  EXPECT_EQ(second.err, "");
  EXPECT_TRUE(has(second.out, "You: Add a wishlist page")) << second.out;
}

TEST_F(SearchOutput, LooksAsPromised) {
  write_three();
  const std::string out = box_.run({"search", "wishlist"}).out;
  const std::size_t age = out.find(" | ");
  const std::size_t arrow = out.find("  → yore chunk ");
  ASSERT_TRUE(age != std::string::npos && arrow != std::string::npos) << out;
  const std::string id = out.substr(arrow + 17, 8);
  EXPECT_EQ(out.substr(0, age), "[1] Project: shop");
  EXPECT_EQ(out.substr(out.find(" ago | ") + 7, arrow - out.find(" ago | ") - 7),
            "100%\n"
            "\n"
            "  You: Add a wishlist page\n"
            "\n"
            "  Claude: Added parseWishList and a page for it.\n"
            "\n");
  EXPECT_TRUE(has(out, "  → yore chunk " + id +
                           "\n\n─────────────────────────────────────────────────\n"
                           "Found 1 result in 0."))
      << out;
  EXPECT_TRUE(out.ends_with("s\n"));
  EXPECT_EQ(box_.run({"chunk", id}).code, 0);
}

TEST_F(SearchOutput, NothingFoundIsSaidWithASuggestion) {
  write_three();
  const Ran ran = box_.run({"search", "xylophone", "-q"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "");
  const Ran loud = box_.run({"search", "xylophone"});
  EXPECT_TRUE(has(loud.err, "Nothing found for: xylophone\n")) << loud.err;
  EXPECT_TRUE(
      has(box_.run({"search", "cart", "-p", "blog", "--tool", "Bash"}).err, "fewer filters"));
  EXPECT_TRUE(has(box_.run({"search", "\"xylophone cart\""}).err, "without quotes, marks"));
  EXPECT_TRUE(has(box_.run({"search", "xylo-phone"}).err, "Try other words"));
  const Ran json = box_.run({"search", "xylophone", "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_TRUE(json.json()["results"].is_array());
  EXPECT_EQ(json.json()["total_results"], 0);
}

TEST_F(SearchOutput, AnEmptyQueryIsWrongUse) {
  for (const Texts& args :
       {Texts{"search"}, {"search", ""}, {"search", " ", "\t"}, {"search", "--"}}) {
    const Ran ran = box_.run(args);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with("yore: Query required\n")) << ran.err;
  }
  const Ran json = box_.run({"search", "--json"});
  EXPECT_EQ(json.code, 2);
  EXPECT_EQ(json.json()["error"]["message"], "Query required");
  EXPECT_EQ(json.json()["error"]["kind"], "invalid_argument");
  EXPECT_FALSE(std::filesystem::exists(box_.data_dir()));
}

TEST_F(SearchOutput, WrongUseIsOneSentenceAndAHint) {
  const std::pair<Texts, const char*> cases[] = {
      {{"-t", "asistant"}, "yore: --type: there is no 'asistant'\n  did you mean assistant?\n"},
      {{"-t", "x"}, "yore: --type: there is no 'x'\n  one of user, assistant, tool, thinking\n"},
      {{"--surface", "titel"}, "yore: --surface: there is no 'titel'\n  did you mean title?\n"},
      {{"-a", "nobody"}, "yore: no agent \"nobody\"\n  known agents: claude-code, "},
      {{"-a", "cod"}, "yore: no agent \"cod\"; did you mean codex?\n  known agents: claude-code, "},
      {{"--since", "whenever"}, "yore: --since: 'whenever' is not a time\n"},
      {{"--half-life", "0"}, "yore: --half-life: want a number of days above 0 or off, not '0'\n"},
      {{"--half-life", "soon"}, "yore: --half-life: want"},
      {{"--sort", "size"}, "yore: --sort: want one of relevance, time, not 'size'\n"},
      {{"-n", "0"}, "yore: --limit: want a whole number from 1 on, not '0'\n"},
      {{"--mode", "magic"}, "yore: --mode: there is no 'magic'\n"},
      {{"-zeta"}, "yore: unknown flag '-zeta'\n  words that begin with - go behind --\n"},
  };
  for (const auto& [flags, sentence] : cases) {
    Texts args = {"search", "word"};
    args.insert(args.end(), flags.begin(), flags.end());
    const Ran ran = box_.run(args);
    EXPECT_EQ(ran.code, 2) << flags.front();
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with(sentence)) << ran.err;
  }
  EXPECT_EQ(box_.run({"search", "x", "--mode", "magic", "--json"}).json()["error"]["kind"],
            "invalid_argument");
}

TEST_F(SearchOutput, AProjectWithoutSessionsIsNamed) {
  write_three();
  const Ran ran = box_.run({"search", "cart", "-p", "nowhere"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(ran.err, "yore: No sessions found for project nowhere\n")) << ran.err;
  const Ran json = box_.run({"search", "cart", "-p", "nowhere", "--json"});
  EXPECT_EQ(json.json()["error"]["message"], "No sessions found for project nowhere");
  EXPECT_EQ(box_.run({"search", "cart project:nowhere"}).code, 1);
}

TEST_F(SearchOutput, NoTranscriptsAtAllNamesThePlaces) {
  const Ran ran = box_.run({"search", "anything"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(ran.err, "No transcripts found. Looked in ~/.claude/projects, ")) << ran.err;
  // The second search looks at what the first has seen, and says the same.
  const Ran again = box_.run({"search", "anything"});
  EXPECT_TRUE(has(again.err, "~/.claude/projects")) << again.err;
  EXPECT_TRUE(has(again.err, "~/.codex")) << again.err;
  EXPECT_TRUE(has(ran.err, "~/.claude/projects, ~/.codex") && has(ran.err, "yore demo")) << ran.err;
  EXPECT_EQ(box_.run({"search", "anything", "--json"}).json()["results"].size(), 0U);
}

TEST_F(SearchOutput, JsonHasTheFieldsOfTheContractInTheirOrder) {
  write_three();
  const Ran ran = box_.run({"--json", "search", "empty", "cart"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Ordered json = Ordered::parse(ran.out);
  EXPECT_EQ(keys(json), (Texts{"query", "mode", "results", "total_results", "more",
                               "search_time_ms", "coverage"}));
  EXPECT_EQ(json["query"], "empty cart");
  EXPECT_EQ(json["mode"], "keyword");
  EXPECT_EQ(json["total_results"], json["results"].size());
  EXPECT_EQ(keys(json["coverage"]), (Texts{"files_known", "files_indexed", "behind_bytes",
                                           "passages", "passages_embedded"}));
  EXPECT_EQ(json["coverage"]["files_known"], 3);
  EXPECT_EQ(json["coverage"]["files_indexed"], 3);
  EXPECT_EQ(json["coverage"]["behind_bytes"], 0);
  EXPECT_GT(json["coverage"]["passages"], 3);
  const Ordered& hit = json["results"][0];
  EXPECT_EQ(keys(hit), (Texts{"rank", "score", "project", "project_path", "agent", "session_id",
                              "session_path", "line", "turn_number", "chunk_id", "title",
                              "timestamp", "surfaces", "messages", "relevance", "resume"}));
  EXPECT_EQ(hit["rank"], 1);
  EXPECT_GT(hit["score"], 0);
  EXPECT_EQ(hit["project"], "shop");
  EXPECT_EQ(hit["project_path"], "/home/ann/code/shop");
  EXPECT_EQ(hit["agent"], "claude-code");
  EXPECT_EQ(hit["session_id"], kSecond);
  EXPECT_TRUE(std::filesystem::exists(hit["session_path"].get<std::string>()));
  EXPECT_EQ(hit["line"], 1);
  EXPECT_EQ(hit["turn_number"], 0);
  EXPECT_EQ(hit["chunk_id"].get<std::string>().size(), 12U);
  EXPECT_EQ(hit["title"], "Empty cart");
  EXPECT_EQ(hit["timestamp"], "2025-12-06T05:46:47.000Z");
  EXPECT_EQ(
      hit["messages"],
      (Ordered{{{"role", "user"}, {"content", "Why is the cart empty?"}},
               {{"role", "assistant"}, {"content", "The session cookie of the cart expired."}}}));
  EXPECT_EQ(hit["resume"], std::string("claude --resume ") + kSecond);
}

TEST_F(SearchOutput, TheContextOfAHitIsShown) {
  box_.write_session("blog", kFirst, conversation(kFirst, "feeds", 5));
  const Ran ran = box_.run({"search", "\"question 2\"", "-C", "1"});
  EXPECT_TRUE(has(ran.out,
                  "%\n\n  You: Question 1 about feeds\n  Claude: Answer 1 about feeds\n\n"
                  "  You: Question 2 about feeds\n\n  Claude: Answer 2 about feeds\n\n"
                  "  You: Question 3 about feeds\n  Claude: Answer 3 about feeds\n\n  →"))
      << ran.out;
  const auto json = box_.run({"search", "\"question 2\"", "-C", "1", "--json"}).json();
  const auto& messages = json["results"][0]["messages"];
  ASSERT_EQ(messages.size(), 6U);
  EXPECT_EQ(messages[0]["turn_number"], 1);
  EXPECT_EQ(messages[2]["content"], "Question 2 about feeds");
  EXPECT_EQ(messages[5]["turn_number"], 3);
}

TEST_F(SearchOutput, LongMessagesAreCutForPeopleAndWholeInJson) {
  std::string words;
  for (int i = 0; i < 400; ++i) words += "lorem ipsum ";
  fake::ClaudeLines lines(kFirst);
  box_.write_session(
      "blog", kFirst,
      together({lines.prompt("Write filler"), lines.answer(words + "pelican " + words)}));
  const Ran ran = box_.run({"search", "pelican"});
  EXPECT_TRUE(has(ran.out, "\n  Claude: …")) << ran.out;
  EXPECT_TRUE(has(ran.out, "pelican") && has(ran.out, "\n  [truncated - ")) << ran.out;
  EXPECT_LT(ran.out.size(), 1500U);
  const auto whole = box_.run({"search", "pelican", "--json"}).json();
  EXPECT_EQ(whole["results"][0]["messages"][1]["content"], words + "pelican " + words);
  const auto cut = box_.run({"search", "pelican", "--json", "--max-chars", "11"}).json();
  const auto& message = cut["results"][0]["messages"][1];
  EXPECT_EQ(message["content"], "lorem ipsum");
  EXPECT_EQ(message["truncated"]["content"]["shown"], 11);
  EXPECT_EQ(message["truncated"]["content"]["total"], 2 * words.size() + 8);
}

TEST_F(SearchOutput, ExplainShowsThePartsOfAScore) {
  write_three();
  const Ran ran = box_.run({"search", "cart", "--explain"});
  EXPECT_TRUE(has(ran.out, "\n  recency ")) << ran.out;
  const auto json = box_.run({"search", "cart", "--explain", "--json"}).json();
  const auto& parts = json["results"][0]["explain"];
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts.back()["name"], "score");
  EXPECT_EQ(parts.back()["value"], json["results"][0]["score"]);
  EXPECT_FALSE(box_.run({"search", "cart", "--json"}).json()["results"][0].contains("explain"));
}

TEST_F(SearchOutput, NothingInATranscriptControlsTheTerminal) {
  const std::string evil = "\x1b]0;owned\x07 \x1b[2J\x1b[31mred \u202e\u009b1mback \x08\x7f end";
  fake::ClaudeLines lines(kFirst, "/home/ann/code/" + evil);
  lines.set_branch(evil);
  box_.write_session(
      "blog", kFirst,
      together({lines.prompt("Prompt gecko " + evil),
                lines.tool_call("Bash", {{"command", "kiwi " + evil}}),
                lines.thinking("lemur " + evil), lines.answer("Answer gecko " + evil),
                lines.custom_title("Title " + evil), lines.prompt("Next " + evil)}));
  const auto is_safe = [](const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const text::Char c = text::decode_at(text, at);
      if ((c.code_point < 0x20 && c.code_point != '\n') || c.is_stray()) return false;
      if ((c.code_point >= 0x7F && c.code_point < 0xA0) || c.code_point == 0x202E) return false;
      at += c.size_bytes;
    }
    return true;
  };
  const std::string chunk =
      box_.run({"search", "gecko", "--json"}).json()["results"][0]["chunk_id"];
  for (const Texts& args : {Texts{"search", "gecko"},
                            {"search", "kiwi", "-C", "1", "--explain"},
                            {"search", "lemur"},
                            {"search", "end", "--json"},
                            {"search", evil},
                            {"search", "xylophone " + evil + " +zzz"},
                            {"chunk", chunk},
                            {"chunk", chunk, "-C", "1", "--json"},
                            {"chunk", evil}}) {
    const Ran ran = box_.run(args);
    EXPECT_TRUE(is_safe(ran.out)) << args[1] << ran.out;
    EXPECT_TRUE(is_safe(ran.err)) << args[1] << ran.err;
    EXPECT_NE(ran.code, 3) << ran.err;
    EXPECT_FALSE(has(ran.out, "owned\n"));
  }
}

TEST_F(SearchOutput, ColoursOnlyWhereTheyBelong) {
  write_three();
  EXPECT_FALSE(has(box_.run({"search", "cart"}).out, "\x1b["));
  const std::string painted = box_.run({"search", "cart", "--color", "always"}).out;
  for (const char* part :
       {"\x1b[1;36m[1]\x1b[0m Project: \x1b[32mshop\x1b[0m", "\x1b[36mYou:\x1b[0m",
        "\x1b[32mClaude:\x1b[0m", "\x1b[1;33mcart\x1b[0m"}) {
    EXPECT_TRUE(has(painted, part)) << painted;
  }
  EXPECT_TRUE(has(box_.run_on_terminal({"search", "cart"}, 80).out, "\x1b[1;33mcart\x1b[0m"));
  EXPECT_FALSE(has(box_.run_on_terminal({"search", "cart", "--color", "never"}, 80).out, "\x1b["));
  EXPECT_FALSE(has(box_.run({"search", "cart", "--json", "--color", "always"}).out, "\x1b["));
  box_.set_env("NO_COLOR", "1");
  EXPECT_FALSE(has(box_.run_on_terminal({"search", "cart"}, 80).out, "\x1b["));
}

TEST_F(SearchOutput, TheRealWidthOfTheTerminalCounts) {
  write_three();
  EXPECT_EQ(box_.run({"index"}).code, 0);
  std::string out = box_.run_on_terminal({"search", "empty", "--color", "never"}, 30).out;
  EXPECT_TRUE(has(out, "──────────────────────────────\r\n")) << out;
  EXPECT_FALSE(has(out, "───────────────────────────────")) << out;
  for (std::size_t end; (end = out.find("\r\n")) != std::string::npos; out.erase(0, end + 2)) {
    EXPECT_LE(text::display_width(out.substr(0, end)), 30U) << out.substr(0, end);
  }
}

TEST_F(SearchOutput, TheLimitIsClampedWithANote) {
  write_three();
  const Ran ran = box_.run({"search", "empty", "-n", "500"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran.err, "At most 100 results are shown.\n")) << ran.err;
  EXPECT_EQ(box_.run({"search", "empty", "-n", "500", "--json"}).json()["note"],
            "At most 100 results are shown.");
}

}  // namespace
}  // namespace yore::e2e
