// What lies beside the transcripts: prompts whose conversation is gone, and what was written down
// to be remembered.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ingest/forget.hpp"
#include "search/searcher.hpp"
#include "service/status.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;
using Json = nlohmann::json;

constexpr std::string_view kThere = "aaaaaaaa-1111-4111-8111-111111111111";
constexpr std::string_view kLost = "bbbbbbbb-1111-4111-8111-111111111111";
constexpr std::string_view kFolder = "/home/ann/code/blog";
constexpr std::string_view kDirectory = "-home-ann-code-blog";
constexpr std::int64_t kThen = 1'760'000'000'000;
const std::atomic<bool> kNobodyCancels{false};

class Beside : public testing::Test {
 protected:
  // An agent that has run has a folder of projects.
  void SetUp() override { machine.write(machine.in_home(".claude/projects/.keep"), ""); }
  // A line of Claude Code's history; an older one names no session.
  static std::string typed(std::string_view text, std::int64_t ms, std::string_view session) {
    Json json = {{"display", text},
                 {"pastedContents", Json::object()},
                 {"timestamp", ms},
                 {"project", kFolder}};
    if (!session.empty()) json["sessionId"] = session;
    return json.dump() + "\n";
  }
  void write_history(const std::string& lines) {
    machine.write(machine.in_home(".claude/history.jsonl"), lines);
  }
  void write_session(std::string_view id, const std::string& word) {
    ClaudeLines lines{std::string(id)};
    lines.set_time(from_ms(kThen));
    machine.write(machine.session_path(kDirectory, id),
                  lines.prompt("about the " + word) + lines.answer("the " + word + " was seen"));
  }
  std::vector<search::Hit> hits(const std::string& word, const std::string& surface = "") {
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    EXPECT_TRUE(searcher.ok()) << searcher.error().message;
    search::SearchRequest request;
    request.query = word;
    request.mode = search::SearchMode::keyword;
    if (!surface.empty()) request.surfaces = {surface};
    auto answer = searcher->search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message;
    return std::move(answer->hits);
  }
  void forget(const ingest::ForgetRequest& request) {
    auto store = machine.store();
    const auto plan = ingest::plan_forgetting(store, request);
    ASSERT_TRUE(plan.ok());
    const Status done = ingest::forget(machine.world(), machine.settings(), *plan, kNobodyCancels);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }

  FakeWorld machine;
};

TEST_F(Beside, PromptsOfALostSessionAreFoundAsPromptsOnly) {
  write_session(kThere, "heron");
  write_history(typed("about the heron", kThen + 7000, kThere) +
                typed("where do the storks nest?", kThen, kLost) +
                typed("and the cranes?", kThen + 60'000, kLost));
  machine.index();
  const auto found = hits("storks");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, "prompts");
  EXPECT_EQ(found[0].session.uid, kLost);
  EXPECT_EQ(found[0].session.project, "blog");
  EXPECT_TRUE(found[0].resume.empty()) << "there is nothing to resume";
  EXPECT_EQ(found[0].messages.size(), 1U);
  EXPECT_EQ(hits("cranes")[0].turn_number, 1U);
  const auto there = hits("heron");
  ASSERT_EQ(there.size(), 1U) << "what stands in a transcript is found there alone";
  EXPECT_EQ(there[0].kind, "");
  const auto read = machine.reader().read(machine.session(kLost), 0, 10);
  EXPECT_EQ(read->turns.at(0).user_text, "where do the storks nest?");
  EXPECT_FALSE(read->source_missing) << "the history is there";
  EXPECT_TRUE(machine.session(kThere).other_files.empty()) << "a list is no copy";
}

TEST_F(Beside, PromptsGiveWayToTheirConversation) {
  write_history(typed("about the stork", kThen, kLost));
  machine.index();
  ASSERT_EQ(hits("stork").at(0).kind, "prompts");
  write_session(kLost, "stork");  // it was put back
  machine.index();
  const auto found = hits("stork");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, "");
  EXPECT_EQ(machine.session(kLost).superseded, 0U);
  // And it stays a conversation when it goes for good.
  machine.remove(machine.session_path(kDirectory, kLost));
  write_history(typed("about the stork", kThen, kLost) + typed("heron", kThen, kThere));
  machine.index();
  const auto kept = hits("stork");
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].kind, "");
  EXPECT_TRUE(kept[0].source_missing);
}

TEST_F(Beside, LinesWithoutASessionAreLeftOutWhereATurnHasTheirTime) {
  write_session(kThere, "heron");
  write_history(typed("about the heron", kThen + 6500, "") +
                typed("something older about a heron", kThen - 86'400'000, ""));
  machine.index();
  const auto found = hits("heron");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, "") << "at equal evidence the conversation comes first";
  EXPECT_EQ(found[1].kind, "prompts");
  EXPECT_EQ(found[1].session.uid, "claude-code:prompts:-home-ann-code-blog");
}

TEST_F(Beside, CodexPromptsAreKnownByTheirThread) {
  machine.write(machine.in_home(".codex/history.jsonl"),
                R"({"session_id":"0190-lost","ts":1760000000,"text":"where do the storks nest?"})"
                "\n");
  machine.index();
  const auto found = hits("storks");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].session.uid, "codex:0190-lost");
  EXPECT_EQ(found[0].kind, "prompts");
  EXPECT_EQ(to_ms(found[0].timestamp), 1'760'000'000'000);
}

TEST_F(Beside, MemoryAndRecallsAreNotes) {
  write_session(kThere, "heron");
  const std::string memory = machine.in_home(".claude/projects/-home-ann-code-blog/memory/");
  machine.write(memory + "MEMORY.md", "# Blog\n- deploy with the stork script\n");
  machine.write(memory + "debugging.md", "cranes need a restart\n");
  machine.write(machine.in_home(".claude/recalls/birds.md"), "ibis: see session 12\n");
  machine.index();
  const auto found = hits("stork");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, "note");
  EXPECT_EQ(found[0].surfaces, std::vector<std::string>{"note"});
  EXPECT_EQ(found[0].session.project, "blog") << "as the sessions of its folder";
  EXPECT_EQ(found[0].messages.at(0).content, "# Blog\n- deploy with the stork script\n");
  EXPECT_EQ(hits("cranes", "note").size(), 1U);
  EXPECT_EQ(hits("ibis", "note").size(), 1U);
  EXPECT_TRUE(hits("heron", "note").empty());
  // A note is what it says now.
  machine.write(memory + "MEMORY.md", "# Blog\n- deploy by hand\n");
  machine.index();
  EXPECT_TRUE(hits("stork").empty());
  EXPECT_EQ(hits("hand").size(), 1U);
}

TEST_F(Beside, NothingOfItIsListedOrCounted) {
  write_session(kThere, "heron");
  write_history(typed("where do the storks nest?", kThen, kLost));
  machine.write(machine.in_home(".claude/projects/-home-ann-code-blog/memory/MEMORY.md"), "ibis");
  machine.index();
  auto reader = machine.reader();
  EXPECT_EQ(reader.list({})->sessions.size(), 1U);
  EXPECT_EQ(reader.projects({})->at(0).turns, 1U);
  const auto status = service::read_status(machine.world(), machine.settings());
  const service::StatusTotals all = service::totals(*status);
  EXPECT_EQ(all.sessions, 1U);
  EXPECT_EQ(all.turns, 1U);
  EXPECT_EQ(all.prompts, 1U);
  EXPECT_EQ(all.notes, 1U);
}

TEST_F(Beside, LivingTurnsScoreAsIfNothingLayBeside) {
  const auto score = [&] { return hits("heron").at(0).score; };
  write_session(kThere, "heron");
  machine.index();
  const double before = score();
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += typed("heron and more", kThen + i * 60'000, kLost);
  write_history(lines);
  machine.write(machine.in_home(".claude/projects/-home-ann-code-blog/memory/MEMORY.md"),
                "the heron, the heron");
  machine.index();
  ASSERT_GT(hits("heron").size(), 1U);
  EXPECT_EQ(hits("heron").at(0).session.uid, kThere);
  EXPECT_EQ(score(), before);
}

TEST_F(Beside, IsForgottenAndDoesNotComeBack) {
  write_session(kThere, "heron");
  write_session("cccccccc-1111-4111-8111-111111111111", "egret");
  write_history(typed("where do the storks nest?", kThen, kLost));
  const std::string memory = machine.write(
      machine.in_home(".claude/projects/-home-ann-code-blog/memory/MEMORY.md"), "ibis");
  machine.index();
  forget(
      {{machine.session(kLost).id, hits("ibis").at(0).session.id, machine.session(kThere).id}, {}});
  EXPECT_TRUE(hits("storks").empty());
  // Its prompts stand in lines that name no session, too.
  write_history(typed("where do the storks nest?", kThen, kLost) +
                typed("about the heron", kThen + 7000, "") + typed("a new wren", kThen, ""));
  machine.write(memory, "ibis, again");
  ingest::IndexOptions force;
  force.force = true;
  machine.index(force);
  EXPECT_TRUE(hits("storks").empty());
  EXPECT_TRUE(hits("ibis").empty());
  EXPECT_TRUE(hits("heron").empty());
  EXPECT_EQ(hits("wren").size(), 1U);
}

TEST_F(Beside, PromptsOfWhatIsKeptOutStayOut) {
  machine.set_config("exclude = [\"*/secret-*\"]\n");
  Json secret = {{"display", "the stork"},
                 {"timestamp", kThen},
                 {"project", "/home/ann/secret-app"},
                 {"sessionId", kLost}};
  write_history(secret.dump() + "\n" + typed("crane\nyore: private", kThen, kThere));
  machine.index();
  EXPECT_TRUE(hits("stork").empty());
  EXPECT_TRUE(hits("crane").empty());
}

TEST_F(Beside, WhoDeletesOnPurposeDoesNotGetPromptsBack) {
  machine.set_config("[privacy]\nkeep = \"files\"\n");
  write_session(kThere, "heron");
  write_history(typed("the stork", kThen, kLost));
  machine.index();
  EXPECT_TRUE(hits("stork").empty());
}

TEST_F(Beside, ADamagedHistoryIsReadAsFarAsItGoes) {
  write_history("not json\n[1]\n{\"display\":7}\n" + typed("the stork", kThen, kLost) +
                R"({"display":"cut o)");
  machine.index();
  EXPECT_EQ(hits("stork").size(), 1U);
  EXPECT_EQ(hits("cut").size(), 0U);
}

}  // namespace
}  // namespace yore
