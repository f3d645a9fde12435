#include "search/reader.hpp"
#include "service/status.hpp"

#include <gtest/gtest.h>

#include "base/files/file.hpp"
#include "ingest/scan_cache.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore::search {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;
using Ids = std::vector<std::string>;

// Three Claude Code projects, two folders named with --source, a sub-agent.
class Reading : public testing::Test {
 protected:
  void SetUp() override {
    write("-home-ann-code-blog", "b10g-aaaa", "/home/ann/code/blog", 5);
    write("-home-ann-code-shop", "5h0p-bbbb", "/home/ann/code/shop", 4);
    write("-home-ann-code-Shop-api", "5h0p-cccc", "/home/ann/code/Shop-api", 3);
    write("-home-ann-code-blog", "b10g-aaaa/subagents/agent-d00d", "/home/ann/code/blog", 9);
    write_at(world_.in_home("team/-x/7ea3-eeee.jsonl"), "7ea3-eeee", "/x", 2);
    write_at(world_.in_home("old/-y/01d0-ffff.jsonl"), "01d0-ffff", "/y", 1);
    ingest::IndexOptions options;
    options.scope.sources = {team(), old()};
    world_.index(options);
  }

  void write(std::string_view directory, std::string_view session, const std::string& cwd,
             int day) {
    const std::string id(path_basename(session));
    write_at(world_.session_path(directory, session), id, cwd, day);
  }
  void write_at(const std::string& path, const std::string& session, const std::string& cwd,
                int day) {
    ClaudeLines lines(session, cwd);
    lines.set_time(day_at(day));
    world_.write(path, lines.prompt("Question of " + session) +
                           lines.tool_call("Bash", {{"command", "ls"}}) + lines.tool_result("a b") +
                           lines.answer("Answer one") + lines.answer("Answer two") +
                           lines.prompt("Second question") + lines.answer("Last answer"));
  }
  static Time day_at(int day) { return from_ms(1'760'000'000'000) + std::chrono::hours{24 * day}; }

  std::string team() const { return "claude-code:" + world_.in_home("team"); }
  std::string old() const { return "claude-code:" + world_.in_home("old"); }

  Ids listed(const config::Scope& scope, const ListFilter& filter = {}) {
    auto reader = world_.reader(scope);
    const auto answer = reader.list(filter);
    EXPECT_TRUE(answer.ok());
    Ids ids;
    for (const store::SessionRow& session : answer->sessions) ids.push_back(session.uid);
    return ids;
  }

  FakeWorld world_;
};

TEST_F(Reading, WithoutScopeAnswersFromEverythingNewestFirst) {
  EXPECT_EQ(listed({}), (Ids{"b10g-aaaa", "5h0p-bbbb", "5h0p-cccc", "7ea3-eeee", "01d0-ffff"}));
}

TEST_F(Reading, WithAPatternAnswersFromMatchingClaudeCodeProjects) {
  config::Scope scope;
  scope.pattern = "*-shop*";
  EXPECT_EQ(listed(scope), (Ids{"5h0p-bbbb"}));
  scope.pattern = "*";
  EXPECT_EQ(listed(scope), (Ids{"b10g-aaaa", "5h0p-bbbb", "5h0p-cccc"}));
  scope.pattern = "nothing";
  EXPECT_EQ(listed(scope), (Ids{}));
}

TEST_F(Reading, WithASourceAnswersFromAllClaudeCodeProjectsAndIt) {
  config::Scope scope;
  scope.sources = {team()};
  EXPECT_EQ(listed(scope), (Ids{"b10g-aaaa", "5h0p-bbbb", "5h0p-cccc", "7ea3-eeee"}));
}

TEST_F(Reading, WithBothAnswersFromMatchingProjectsAndTheSource) {
  config::Scope scope;
  scope.sources = {old()};
  scope.pattern = "*blog";
  EXPECT_EQ(listed(scope), (Ids{"b10g-aaaa", "01d0-ffff"}));
}

TEST_F(Reading, AWrongSourceIsAnError) {
  config::Scope scope;
  scope.sources = {"vim:/x"};
  EXPECT_FALSE(Reader::open(world_.world(), world_.settings(), scope).ok());
}

TEST_F(Reading, BeforeAnyIndexIsNotFound) {
  world_.set_env("YORE_DATA_DIR", world_.in_home("empty"));
  const auto reader = Reader::open(world_.world(), world_.settings(), {});
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().code, Errc::not_found);
}

TEST_F(Reading, FiltersByProjectNameFolderAndPathIgnoringCase) {
  ListFilter filter;
  filter.projects = {"SHOP"};
  EXPECT_EQ(listed({}, filter), (Ids{"5h0p-bbbb", "5h0p-cccc"}));
  filter.projects = {"ann/code/bl", "team"};
  EXPECT_EQ(listed({}, filter), (Ids{"b10g-aaaa", "7ea3-eeee"}));
  filter.projects = {"-home-ann-code-shop"};
  EXPECT_EQ(listed({}, filter), (Ids{"5h0p-bbbb", "5h0p-cccc"}));
}

TEST_F(Reading, FiltersByAgentAndTime) {
  ListFilter filter;
  filter.agents = {"openclaw"};
  EXPECT_EQ(listed({}, filter), (Ids{}));
  filter.agents = {"openclaw", "claude-code"};
  filter.since = day_at(3);
  filter.until = day_at(5);
  EXPECT_EQ(listed({}, filter), (Ids{"5h0p-bbbb", "5h0p-cccc"}));
}

TEST_F(Reading, PagesThroughTheList) {
  ListFilter filter;
  filter.limit = 2;
  auto reader = world_.reader();
  EXPECT_TRUE(reader.list(filter)->more);
  filter.offset = 4;
  EXPECT_FALSE(reader.list(filter)->more);
  EXPECT_EQ(listed({}, filter), (Ids{"01d0-ffff"}));
}

TEST_F(Reading, HidesSubagentsAndCountsThem) {
  auto reader = world_.reader();
  ListFilter filter;
  EXPECT_EQ(reader.list(filter)->hidden_subagents, 1U);
  filter.subagents = true;
  EXPECT_EQ(listed({}, filter).front(), "b10g-aaaa/agent-d00d");
  const auto found = reader.find_session("b10g-aaaa/agent-d00d");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->parent, "b10g-aaaa");
}

TEST_F(Reading, LeavesOutEmptySessionsWithACount) {
  world_.write(world_.session_path("-home-ann-code-blog", "empty"), "");
  world_.index();
  ListFilter filter;
  filter.leave_out_empty = true;
  const auto answer = world_.reader().list(filter);
  EXPECT_EQ(answer->hidden_empty, 1U);
  EXPECT_EQ(answer->sessions.size(), 5U);
}

TEST_F(Reading, FindsASessionByAUniquePrefix) {
  auto reader = world_.reader();
  EXPECT_EQ(reader.find_session("5h0p-b")->uid, "5h0p-bbbb");
  EXPECT_EQ(reader.find_session("b10g")->uid, "b10g-aaaa") << "not its sub-agent";
  EXPECT_EQ(reader.find_session("d00d")->uid, "b10g-aaaa/agent-d00d");
}

TEST_F(Reading, FindsEverySessionByItsShortId) {
  auto reader = world_.reader();
  const auto ids = reader.short_ids();
  ASSERT_TRUE(ids.ok());
  ListFilter filter;
  filter.subagents = true;
  for (const std::string& uid : listed({}, filter)) {
    const auto found = reader.find_session(ids->of(uid));
    ASSERT_TRUE(found.ok()) << ids->of(uid) << ": " << found.error().message;
    EXPECT_EQ(found->uid, uid);
  }
  EXPECT_EQ(reader.find_session("b10g/agent-d")->uid, "b10g-aaaa/agent-d00d");
  EXPECT_FALSE(reader.find_session("5h0p/agent-d").ok());
}

TEST_F(Reading, ListsTheCandidatesOfAnAmbiguousPrefix) {
  const auto found = world_.reader().find_session("5h0p");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, Errc::ambiguous);
  EXPECT_NE(found.error().hint.find("5h0p-bbbb  Question of 5h0p-bbbb\n5h0p-cccc"),
            std::string::npos)
      << found.error().hint;
}

TEST_F(Reading, DoesNotFindWhatIsUnknownOrOutOfScope) {
  for (const char* id : {"nobody", "", " ", "*", "%"}) {
    const auto found = world_.reader().find_session(id);
    ASSERT_FALSE(found.ok()) << id;
    EXPECT_EQ(found.error().code, Errc::not_found);
    EXPECT_EQ(found.error().message, "Unknown session_id: " + std::string(id));
  }
  config::Scope scope;
  scope.pattern = "*blog";
  EXPECT_FALSE(world_.reader(scope).find_session("5h0p-bbbb").ok());
}

void expect_same(const std::vector<turns::WholeTurn>& a, const std::vector<turns::WholeTurn>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].number, b[i].number);
    EXPECT_EQ(a[i].time, b[i].time);
    EXPECT_EQ(a[i].user_text, b[i].user_text);
    EXPECT_EQ(a[i].assistant_text, b[i].assistant_text);
    EXPECT_EQ(a[i].tools_used, b[i].tools_used);
    EXPECT_EQ(a[i].abandoned, b[i].abandoned);
  }
}

TEST_F(Reading, GivesTheSameTurnsFromTheStoreWhenTheFileIsGone) {
  auto reader = world_.reader();
  const auto session = reader.find_session("b10g-aaaa");
  const auto from_file = reader.read(*session, 0, 10);
  ASSERT_TRUE(from_file.ok());
  EXPECT_FALSE(from_file->source_missing);
  ASSERT_EQ(from_file->turns.size(), 2U);
  EXPECT_EQ(from_file->turns[0].user_text, "Question of b10g-aaaa");
  EXPECT_EQ(from_file->turns[0].assistant_text, "Answer one\nAnswer two");
  EXPECT_EQ(from_file->turns[0].tools_used, (Ids{R"({"tool":"Bash","command":"ls"})"}));

  world_.remove(session->path);
  const auto from_store = reader.read(*session, 0, 10);
  ASSERT_TRUE(from_store.ok());
  EXPECT_TRUE(from_store->source_missing);
  EXPECT_EQ(from_store->total_turns, 2U);
  expect_same(from_file->turns, from_store->turns);
}

TEST_F(Reading, CutsOutTheTurnsAskedForFromBothPlaces) {
  auto reader = world_.reader();
  const auto session = reader.find_session("b10g-aaaa");
  for (const bool gone : {false, true}) {
    if (gone) world_.remove(session->path);
    EXPECT_EQ(reader.read(*session, 1, 5)->turns.at(0).user_text, "Second question");
    EXPECT_EQ(reader.read(*session, 0, 1)->turns.size(), 1U);
    EXPECT_EQ(reader.read(*session, 0, UINT32_MAX)->turns.size(), 2U);
    EXPECT_EQ(reader.read(*session, 1, UINT32_MAX)->turns.size(), 1U);
    EXPECT_TRUE(reader.read(*session, 2, 5)->turns.empty());
    EXPECT_TRUE(reader.read(*session, UINT32_MAX, 5)->turns.empty());
    EXPECT_TRUE(reader.read(*session, 0, 0)->turns.empty());
    EXPECT_EQ(reader.read(*session, 9, 5)->total_turns, 2U);
  }
}

TEST_F(Reading, CountsProjects) {
  write("-home-ann-code-blog", "b10g-zzzz", "/home/ann/code/blog", 8);
  world_.index();
  const auto projects = world_.reader().projects({});
  ASSERT_TRUE(projects.ok());
  ASSERT_EQ(projects->size(), 5U);
  EXPECT_EQ(projects->front().project, "blog");
  EXPECT_EQ(projects->front().path, "/home/ann/code/blog");
  EXPECT_EQ(projects->front().sessions, 2U) << "a sub-agent is no session of its own here";
  EXPECT_EQ(projects->front().turns, 4U);
  EXPECT_EQ(projects->back().project, "claude-code-old");
}

// Status --------------------------------------------------------------------------------------

TEST_F(Reading, StatusCountsWhatIsThere) {
  const auto status = service::read_status(world_.world(), world_.settings());
  ASSERT_TRUE(status.ok());
  EXPECT_TRUE(status->indexed);
  EXPECT_GT(status->database_bytes, 0U);
  EXPECT_GT(status->passages, 0U);
  ASSERT_EQ(status->agents.size(), 1U);
  EXPECT_EQ(status->agents[0].agent, "claude-code");
  EXPECT_EQ(status->agents[0].sessions, 5U);
  EXPECT_EQ(status->agents[0].subagents, 1U);
  EXPECT_EQ(status->agents[0].turns, 12U);
  EXPECT_EQ(status->agents[0].missing, 0U);
  EXPECT_EQ(status->agents[0].versions, "2.1.55");
  ASSERT_EQ(status->roots.size(), 3U);
  std::uint64_t sessions = 0;
  for (const service::RootStatus& root : status->roots) sessions += root.sessions;
  EXPECT_EQ(sessions, 6U);
  EXPECT_EQ(status->files_known, 6U);
  EXPECT_EQ(status->files_behind, 0U);
  EXPECT_EQ(status->writer_pid, std::nullopt);
}

TEST_F(Reading, StatusSaysHowFarTheIndexIsBehind) {
  world_.append(world_.session_path("-home-ann-code-blog", "b10g-aaaa"), "12345\n");
  world_.write(world_.session_path("-home-ann-code-blog", "new"), "1234567890\n");
  world_.remove(world_.session_path("-home-ann-code-shop", "5h0p-bbbb"));
  auto status = service::read_status(world_.world(), world_.settings());
  EXPECT_EQ(status->files_known, 6U);
  EXPECT_EQ(status->files_behind, 2U);
  EXPECT_EQ(status->behind_bytes, 17U);
  world_.index();
  status = service::read_status(world_.world(), world_.settings());
  EXPECT_EQ(status->files_behind, 0U);
  EXPECT_EQ(status->agents[0].missing, 1U);
}

TEST_F(Reading, StatusSaysTheSameOfUnchangedFilesWithoutListingThem) {
  const auto quick = service::read_status(world_.world(), world_.settings());
  world_.remove(ingest::ScanCache::path(world_.data_dir()));
  const auto listed = service::read_status(world_.world(), world_.settings());
  EXPECT_EQ(quick->files_known, listed->files_known);
  EXPECT_EQ(quick->files_behind, 0U);
  EXPECT_EQ(listed->files_behind, 0U);
}

TEST_F(Reading, StatusSeesASubagentGrowThoughItsSessionWasQuietForDays) {
  const std::string session = world_.session_path("-home-ann-code-blog", "b10g-aaaa");
  const std::string subagent =
      world_.session_path("-home-ann-code-blog", "b10g-aaaa/subagents/agent-d00d");
  const Time days_ago = world_.world().now - std::chrono::hours{72};
  for (const std::string& path : {session, subagent}) FakeWorld::set_time(path, days_ago);
  world_.index();
  world_.append(subagent, "12345\n");
  const auto status = service::read_status(world_.world(), world_.settings());
  EXPECT_EQ(status->files_behind, 1U);
  EXPECT_EQ(status->behind_bytes, 6U);
}

TEST_F(Reading, StatusWithoutAnIndexStillSeesTheFiles) {
  world_.set_env("YORE_DATA_DIR", world_.in_home("empty"));
  const auto status = service::read_status(world_.world(), world_.settings());
  ASSERT_TRUE(status.ok());
  EXPECT_FALSE(status->indexed);
  EXPECT_EQ(status->files_behind, 4U);
  EXPECT_FALSE(is_directory(world_.in_home("empty")));
}

// Resume --------------------------------------------------------------------------------------

TEST_F(Reading, ResumesWithTheAgentsOwnCommand) {
  const auto command =
      resume_command(*world_.reader().find_session("b10g-aaaa"), *transcript::built_in_agents());
  ASSERT_TRUE(command.ok());
  EXPECT_EQ(*command, (Ids{"claude", "--resume", "b10g-aaaa"}));
}

TEST_F(Reading, NeverPutsAStrangeIdIntoACommand) {
  for (const char* id : {"--dangerous", "a b", "a;rm", "$(x)", "a\nb", ""}) {
    store::SessionRow row;
    row.agent = "claude-code";
    row.uid = id;
    const auto command = resume_command(row, *transcript::built_in_agents());
    ASSERT_FALSE(command.ok()) << id;
    EXPECT_EQ(command.error().code, Errc::not_found);
  }
}

TEST_F(Reading, SaysThatASubagentCannotBeResumedButItsParentCan) {
  const auto command =
      resume_command(*world_.reader().find_session("d00d"), *transcript::built_in_agents());
  ASSERT_FALSE(command.ok());
  EXPECT_EQ(command.error().hint, "its parent can: yore resume b10g-aaaa");
}

}  // namespace
}  // namespace yore::search
