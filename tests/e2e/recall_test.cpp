// What a session knew before it was compacted, and that nothing yore says is ever found again.
#include <gtest/gtest.h>

#include <string>

#include "e2e/mcp_client.hpp"
#include "e2e/sandbox.hpp"

namespace yore::e2e {
namespace {

class Recall : public testing::Test {
 protected:
  static std::string compaction(const std::string& id) {
    return R"({"type":"user","uuid":"c-)" + id + R"(","sessionId":")" + id +
           R"(","isCompactSummary":true,"timestamp":"2026-01-02T00:00:00.000Z","message":)"
           R"({"role":"user","content":"This session is being continued: a pale summary."}})"
           "\n";
  }

  // Before: a command, a file and a conclusion. After: something else.
  [[nodiscard]] static std::string compacted(const std::string& id, const std::string& more = "") {
    fake::ClaudeLines lines(id);
    std::string text = lines.prompt("Where do the herons nest?");
    text += lines.tool_call("Bash", {{"command", "grep -rn heron src/nests"}});
    text += lines.tool_result("src/nests/reed.py: heron");
    text += lines.tool_call("Edit", {{"file_path", "/home/ann/code/blog/src/reed.py"}});
    text += lines.answer("Decided: herons nest in the reed.");
    text += compaction(id);
    text += lines.prompt("And the storks?");
    text += lines.answer("On the chimney.");
    return text + more;
  }
  Sandbox box_;
};

TEST_F(Recall, GivesBackCommandsPathsAndDecisionsWithTheirTurns) {
  box_.write_session("blog", kFirst, compacted(kFirst));
  const Ran ran = box_.run({"recall", "--since-compact", kFirst});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out.rfind("<<yore history 1>>\n", 0), 0U) << ran.out;
  EXPECT_TRUE(ran.out.ends_with("<<end yore history>>\n")) << ran.out;
  const std::size_t command = ran.out.find("[turn 0] grep -rn heron src/nests\n");
  const std::size_t file = ran.out.find("[turn 0] Edit /home/ann/code/blog/src/reed.py\n");
  const std::size_t decided = ran.out.find("[turn 0] concluded: Decided: herons nest in the reed.");
  ASSERT_NE(command, std::string::npos) << ran.out;
  ASSERT_NE(decided, std::string::npos) << ran.out;
  EXPECT_LT(command, file);
  EXPECT_LT(file, decided);
  EXPECT_TRUE(has(ran.out, "[turn 0] asked: Where do the herons nest?"));
  EXPECT_FALSE(has(ran.out, "stork")) << "the session still knows it";
  const auto json = box_.run({"recall", "--since-compact", kFirst, "--json"}).json();
  EXPECT_EQ(json["session_id"], kFirst);
  EXPECT_EQ(json["compactions"], 1);
  EXPECT_EQ(json["text"], ran.out);
}

TEST_F(Recall, TheRunningSessionIsMeantWhenNoneIsNamed) {
  box_.write_session("blog", kFirst, compacted(kFirst));
  box_.write_session("blog", kSecond, conversation(kSecond, "owls", 2));
  box_.set_env("CLAUDE_CODE_SESSION_ID", kFirst);
  const Ran ran = box_.run({"recall", "--since-compact"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "herons nest in the reed"));
}

TEST_F(Recall, WhatACompactionTookOutOfTheFileIsGivenBackToo) {
  box_.write_session("blog", kFirst, compacted(kFirst));
  ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
  // As agents do that replace their file by a summary.
  fake::ClaudeLines lines("later");
  box_.write_session(
      "blog", kFirst,
      compaction(kFirst) + lines.prompt("And the owls?") + lines.answer("At night."));
  const Ran ran = box_.run({"recall", "--since-compact", kFirst});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "[turn 0 of ~1] grep -rn heron src/nests\n")) << ran.out;
  EXPECT_FALSE(has(ran.out, "owls"));

  box_.set_env("CLAUDE_CODE_SESSION_ID", kFirst);
  McpClient client(box_);
  client.initialize();
  const auto found =
      client.call("search_conversations", {{"query", "herons nest"}, {"session_id", kFirst}});
  ASSERT_EQ(found["results"].size(), 1U) << found;
  EXPECT_EQ(found["results"][0]["superseded"], true);
  const std::string edition = found["results"][0]["session_id"];
  const auto read = client.call("read_conversation", {{"session_id", edition}});
  EXPECT_EQ(read["turns"][0]["user_text"], "Where do the herons nest?") << read;
  const auto now = client.call("read_conversation", {{"session_id", kFirst}});
  EXPECT_EQ(now["turns"][0]["user_text"], "And the owls?") << now;
}

TEST_F(Recall, TheRunningSessionCanBeSearchedAndReadBackOverMcp) {
  box_.write_session("blog", kFirst, compacted(kFirst));
  box_.set_env("CLAUDE_CODE_SESSION_ID", kFirst);
  McpClient client(box_);
  client.initialize();
  const auto found =
      client.call("search_conversations", {{"query", "herons nest"}, {"session_id", kFirst}});
  ASSERT_FALSE(found["results"].empty()) << found;
  EXPECT_EQ(found["results"][0]["turn_number"], 0);
  const auto read = client.call("read_conversation", {{"session_id", kFirst}});
  EXPECT_EQ(read["turns"][0]["user_text"], "Where do the herons nest?") << read;
}

TEST_F(Recall, KeepsToItsBudgetAndSaysWhatIsLeftOut) {
  fake::ClaudeLines lines(kFirst);
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += lines.prompt("question number " + std::to_string(i));
    text += lines.tool_call("Bash", {{"command", "make target-" + std::to_string(i)}});
    text += lines.answer("answer number " + std::to_string(i) + std::string(200, 'x'));
  }
  box_.write_session("blog", kFirst, text + compaction(kFirst));
  const Ran ran = box_.run({"recall", "--since-compact", kFirst, "--max-chars", "1000"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_LE(ran.out.size(), 1000U);
  EXPECT_TRUE(has(ran.out, "make target-59")) << "the newest come first";
  EXPECT_FALSE(has(ran.out, "make target-3\n"));
  EXPECT_TRUE(has(ran.out, "older lines left out"));
}

TEST_F(Recall, WrongUsesAreSentences) {
  box_.write_session("blog", kSecond, conversation(kSecond, "owls", 1));
  const Ran bare = box_.run({"recall"});
  EXPECT_EQ(bare.code, 2);
  EXPECT_TRUE(has(bare.err, "--since-compact")) << bare.err;
  const Ran never = box_.run({"recall", "--since-compact", kSecond});
  EXPECT_EQ(never.code, 1);
  EXPECT_TRUE(has(never.err, "was not compacted")) << never.err;
  EXPECT_EQ(box_.run({"recall", "--since-compact", "nosuch"}).code, 1);
  EXPECT_EQ(box_.run({"recall", "--since-compact", kSecond, "--max-chars", "10"}).code, 2);
}

TEST_F(Recall, WhatIsInjectedIsNeverFoundAgain) {
  std::string more;
  box_.write_session("blog", kFirst, compacted(kFirst));
  const auto hits = [&] {
    return box_
        .run({"search", "herons nest reed", "-n", "50", "--per-session", "50", "--mode", "keyword",
              "--json"})
        .json()["results"];
  };
  const auto before = hits();
  ASSERT_EQ(before.size(), 1U);
  for (int round = 0; round < 5; ++round) {
    const std::string said = box_.run({"recall", "--since-compact", kFirst}).out;
    ASSERT_TRUE(has(said, "herons nest in the reed")) << said;
    // In a prompt, in what a tool printed (whole, and cut), in an answer, and of another agent.
    fake::ClaudeLines lines("round-" + std::to_string(round));
    more += lines.prompt("Go on, please.\n" + said) +
            lines.tool_call("Bash", {{"command", "cat notes.txt"}}) + lines.tool_result(said) +
            lines.tool_call("Bash", {{"command", "head notes.txt"}}) +
            lines.tool_result(said.substr(0, said.size() / 2)) + lines.answer("As said:\n" + said);
    box_.write_session("blog", kFirst, compacted(kFirst, more));
    const std::string number = std::to_string(round);
    box_.write(
        box_.in_home(".pi/agent/sessions/--home-ann--/" + number + "_pi" + number + ".jsonl"),
        R"({"type":"session","version":3,"id":"pi)" + number +
            R"(","timestamp":"2026-01-02T00:00:00.000Z","cwd":"/home/ann"})" + "\n" +
            nlohmann::json{{"type", "message"},
                           {"id", "m" + number},
                           {"timestamp", "2026-01-02T00:00:01.000Z"},
                           {"message", {{"role", "user"}, {"content", "Look: " + said}}}}
                .dump() +
            "\n");
    const auto after = hits();
    ASSERT_EQ(after.size(), 1U) << "round " << round << after.dump(1);
    EXPECT_EQ(after[0]["chunk_id"], before[0]["chunk_id"]);
  }
  EXPECT_EQ(box_.run({"search", "Look", "-a", "pi", "--mode", "keyword"}).code, 0)
      << "what a person wrote beside it is found";
}

TEST_F(Recall, ASessionThatYoreBeganIsNotStored) {
  box_.write_session("blog", kFirst, compacted(kFirst));
  const std::string said = box_.run({"recall", "--since-compact", kFirst}).out;
  fake::ClaudeLines lines(kSecond);
  box_.write_session("blog", kSecond, lines.prompt(said) + lines.answer("A walrus summary."));
  EXPECT_EQ(box_.run({"search", "walrus", "--mode", "keyword"}).code, 1);
  EXPECT_EQ(box_.run({"show", kSecond}).code, 1);
  EXPECT_EQ(box_.run({"list", "--json"}).json()["conversations"].size(), 1U);
  // Not even when it goes on.
  box_.write_session("blog", kSecond,
                     lines.prompt(said) + lines.answer("A walrus summary.") + lines.prompt("more") +
                         lines.answer("Another walrus."));
  EXPECT_EQ(box_.run({"search", "walrus", "--mode", "keyword"}).code, 1);
}

}  // namespace
}  // namespace yore::e2e
