// Whose question it is: the asking session is left out of searches and marked in lists, and nobody
// else's is.
#include <gtest/gtest.h>

#include "unit/mcp/recalled.hpp"

namespace yore::mcp {
namespace {

// Sessions in the folder of the server, which starts at day 0.
class Asking : public Recalled {
 protected:
  Asking() { client = "claude-code"; }

  void write_open(const std::string& session, Time at, bool answered = false,
                  const std::string& folder = "/home/ann/code/blog") {
    fake::ClaudeLines lines(session, folder);
    lines.set_time(at);
    std::string bytes = lines.prompt("ask about the parrot");
    if (answered) bytes += lines.answer("The parrot is blue.");
    machine.write(machine.session_path("-home-ann-code-blog", session), bytes);
  }
  [[nodiscard]] Time start() const { return machine.world().now; }
  int hidden() {
    const Told told = search({{"query", "parrot"}});
    return told.json.contains("hidden") ? told.json["hidden"].value("current", 0) : 0;
  }
  Texts marked() {
    Texts ids;
    const Told told = list();
    for (const Json& row : told.json["conversations"]) {
      if (row.value("current", false)) ids.push_back(row["session_id"]);
    }
    return ids;
  }
};

TEST_F(Asking, IsKnownByActivityWhenNobodyElseIsActive) {
  write_open("aaaa0000-0001", start() + std::chrono::minutes{1});
  write_open("bbbb0000-0002", start() - std::chrono::hours{5}, true);
  index();
  EXPECT_EQ(hidden(), 1);
  EXPECT_EQ(marked(), Texts{"aaaa0000-0001"});
  EXPECT_EQ(search({{"query", "parrot"}}).ids("results"), Texts{"bbbb0000-0002"});
  EXPECT_EQ(search({{"query", "parrot"}, {"include_current", true}}).ids("results").size(), 2U);
}

TEST_F(Asking, IsNeverGuessedAgainstAnotherThatRuns) {
  write_open("aaaa0000-0001", start() + std::chrono::minutes{1});
  write_open("bbbb0000-0002", start() + std::chrono::minutes{2});
  index();
  EXPECT_EQ(hidden(), 0);
  EXPECT_EQ(marked(), Texts{});
}

TEST_F(Asking, IsTheOneThatWaitsForItsAnswer) {
  write_open("aaaa0000-0001", start() + std::chrono::minutes{1}, true);
  write_open("bbbb0000-0002", start() + std::chrono::minutes{2});
  index();
  EXPECT_EQ(marked(), Texts{"bbbb0000-0002"});
}

TEST_F(Asking, IsNotOneOfAnotherFolderNorOneThatRanBefore) {
  write_open("aaaa0000-0001", start() + std::chrono::minutes{1}, false, "/home/ann/code/shop");
  write_open("bbbb0000-0002", start() - std::chrono::minutes{10});
  index();
  EXPECT_EQ(hidden(), 0);
  client = "some-other-client";
  write_open("cccc0000-0003", start() + std::chrono::minutes{1});
  index();
  EXPECT_EQ(hidden(), 0) << "whose transcripts are a stranger's is not known";
}

TEST_F(Asking, IsTheOneThatTheAgentHandsOn) {
  write_open("aaaa0000-0001", start() - std::chrono::hours{1}, true);
  write_open("bbbb0000-0002", start() + std::chrono::minutes{1});
  index();
  machine.set_env("CLAUDE_CODE_SESSION_ID", "aaaa0000-0001");
  EXPECT_EQ(marked(), Texts{"aaaa0000-0001"});
  // An agent that was started out of that session is not that session.
  client = "gemini-cli-mcp-client";
  EXPECT_EQ(marked(), Texts{});
  client = "qwen-code";
  machine.set_env("QWEN_CODE_SESSION_ID", "bbbb0000-0002");
  EXPECT_EQ(marked(), Texts{"bbbb0000-0002"});
  client = "";
  EXPECT_EQ(marked(), Texts{"aaaa0000-0001"});
}

// Budgets -------------------------------------------------------------------------------------

TEST_F(Asking, PagesAreShortForAClientThatWouldCutThem) {
  std::vector<std::pair<std::string, std::string>> turns;
  for (int i = 0; i < 30; ++i)
    turns.emplace_back("question " + std::to_string(i), std::string(900, 'x'));
  write("5e55-0001", "blog", 1, turns);
  for (int i = 0; i < 60; ++i) {
    write("5e55-" + std::to_string(1000 + i), "blog", i, {{std::string(190, 'y'), "z"}});
  }
  index();
  client = "codex-mcp-client";
  for (const auto& [model, most] :
       std::vector<std::pair<std::string, std::size_t>>{{"qwen3-coder:30b", 11'000},
                                                        {"", 11'000},
                                                        {"gpt-5.5", 24'000},
                                                        {"gpt-6.1-sol", 24'000}}) {
    caller_model = model;
    const Told page = read_conversation({{"session_id", "5e55-0001"}, {"limit", 100}});
    EXPECT_LE(page.text.size(), most) << model;
    EXPECT_GT(page.text.size(), most / 2) << model;
    EXPECT_TRUE(page.json.contains("next_offset"));
    const Told rows = list({{"limit", 100}});
    EXPECT_LE(rows.text.size(), most) << model;
    EXPECT_EQ(rows.json.contains("next_cursor"), true);
  }
}

TEST_F(Asking, ATurnComesInPiecesThatSuchAClientDoesNotCut) {
  write("5e55-0001", "blog", 1, {{"tell me all", std::string(30'000, 'x')}});
  index();
  client = "codex-mcp-client";
  std::string whole;
  Json arguments = {{"session_id", "5e55-0001"}, {"turn_number", 0}};
  for (int pieces = 0; pieces < 10; ++pieces) {
    const Told piece = read_turn(arguments);
    EXPECT_LE(piece.text.size(), 11'000U);
    whole += piece.json["assistant_text"].get<std::string>();
    if (!piece.json.contains("next_offset")) break;
    arguments["offset"] = piece.json["next_offset"];
  }
  EXPECT_EQ(whole, std::string(30'000, 'x'));
}

// Ids as questions ------------------------------------------------------------------------------

TEST_F(Asking, AnIdOrTheStartOfOneFindsThatSessionOrTurnFirst) {
  write("aaaabbbb-0001", "blog", 1, {{"why is the parrot blue", "norwegian"}, {"and green", "no"}});
  write("ccccdddd-0002", "blog", 2, {{"see aaaabbbb-0001 about it", "I saw it"}});
  index();
  for (const char* id : {"aaaabbbb-0001", "aaaabbbb-0"}) {
    const Told told = search({{"query", id}});
    ASSERT_FALSE(told.json["results"].empty()) << id << told.text;
    EXPECT_EQ(told.json["results"][0]["session_id"], "aaaabbbb-0001") << id;
  }
  const std::string chunk = search({{"query", "green"}}).json["results"][0]["chunk_id"];
  const Told turn = search({{"query", chunk.substr(0, 9)}});
  ASSERT_FALSE(turn.json["results"].empty()) << turn.text;
  EXPECT_EQ(turn.json["results"][0]["chunk_id"], chunk);
}

}  // namespace
}  // namespace yore::mcp
