#include "transcript/reading_time.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>

#include "base/sqlite.hpp"
#include "base/work_limit.hpp"
#include "ingest/indexer.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore::ingest {
namespace {

using std::chrono::milliseconds;
using transcript::ReadingTime;
using transcript::SessionRef;
using transcript::TimeBudget;

SessionRef row_of(const std::string& path, const std::string& row) {
  SessionRef ref;
  ref.path = path;
  ref.row = row;
  return ref;
}

TEST(TimeBudget, GivesASessionMoreTimeTheLargerItsFileIsOnDisk) {
  const fake::TempDir dir;
  const std::string path = dir.path() + "/a.jsonl";
  TimeBudget budget(ReadingTime{});
  EXPECT_EQ(budget.for_session(row_of(path, "")), milliseconds{20'000});
  {
    auto database = Database::open(path, Database::Mode::create);
    ASSERT_TRUE(database->run("CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(3000000))").ok());
  }
  EXPECT_EQ(budget.for_session(row_of(path, "")), milliseconds{22'000});
  std::filesystem::resize_file(path, 100ULL << 30);
  EXPECT_EQ(budget.for_session(row_of(path, "")), milliseconds{22'000}) << "a hole is no size";
}

TEST(TimeBudget, LeavesTheOtherSessionsOfADatabaseThatHasHadItsTime) {
  TimeBudget budget(ReadingTime{});
  const std::chrono::nanoseconds none{0};
  EXPECT_EQ(budget.for_session(row_of("/no/db", "1")), milliseconds{20'000});
  budget.spend(row_of("/no/db", "1"), milliseconds{30'000});
  EXPECT_EQ(budget.for_session(row_of("/no/db", "2")), milliseconds{20'000});
  budget.spend(row_of("/no/db", "2"), milliseconds{30'000});
  EXPECT_EQ(budget.for_session(row_of("/no/db", "3")), none);
  EXPECT_EQ(budget.for_session(row_of("/no/db", "4")), none);
  EXPECT_EQ(budget.for_session(row_of("/no/other", "1")), milliseconds{20'000});
  EXPECT_EQ(budget.left(), (std::map<std::string, std::size_t>{{"/no/db", 2}}));
}

// Claude Code, of which listing or reading takes for ever where a test says so.
class SlowSources : public testing::Test {
 protected:
  void SetUp() override {
    settings_ = world_.settings();
    const auto all = settings_.agents->all();
    std::vector<transcript::Adapter> agents(all.begin(), all.end());
    const transcript::Adapter real = agents.front();
    agents.front().sessions = [this, real](const auto& root, const auto& known) {
      if (slow_listing_) take_for_ever();
      return real.sessions(root, known);
    };
    agents.front().read = [this, real](
                              const SessionRef& session, const transcript::Cursor& cursor,
                              const transcript::ReadLimits&,
                              transcript::RecordSink& sink) -> Result<transcript::ReadStep> {
      const bool slow = slow_reading_ && session.id == "slow" && !cursor.empty();
      if (slow) take_for_ever();
      return real.read(session, cursor, {slow_reading_ ? 1U : UINT64_MAX}, sink);
    };
    settings_.agents = std::make_shared<transcript::AgentRegistry>(std::move(agents));
    quick_.time.listing = quick_.time.session = milliseconds{30};
  }

  void take_for_ever() {
    while (!WorkLimit::is_over()) cancel_ = cancel_ || cancel_when_slow_;
  }

  fake::ClaudeLines write(const std::string& id) {
    fake::ClaudeLines lines(id);
    world_.write(path(id), lines.prompt("First of " + id) + lines.prompt("Second of " + id));
    return lines;
  }
  [[nodiscard]] std::string path(const std::string& id) const {
    return world_.session_path("-home-ann-code-blog", id);
  }

  IndexReport index() {
    auto report = run_index(world_.world(), settings_, quick_, {}, cancel_);
    EXPECT_TRUE(report.ok());
    return report ? std::move(*report) : IndexReport{};
  }

  fake::FakeWorld world_;
  config::Settings settings_;
  IndexOptions quick_;
  std::atomic<bool> cancel_{false};
  bool slow_listing_ = false;
  bool slow_reading_ = false;
  bool cancel_when_slow_ = false;
};

TEST_F(SlowSources, ASessionIsGivenUpWithASentenceAndTheRestIsRead) {
  write("one");
  write("slow");
  slow_reading_ = true;
  const IndexReport report = index();
  EXPECT_EQ(report.sessions_new, 1U);
  ASSERT_EQ(report.troubles.size(), 1U);
  EXPECT_EQ(report.troubles[0],
            path("slow") +
                ": reading it takes too long for its size (0 s of processor time), the rest of it "
                "is left out until it changes");
  EXPECT_EQ(world_.session("one").facts.turn_count, 2U);
  EXPECT_EQ(world_.session("slow").facts.turn_count, 1U) << "what was read of it stays";
}

TEST_F(SlowSources, ASessionThatWasGivenUpIsTriedAgainWhenItHasChanged) {
  fake::ClaudeLines lines = write("slow");
  slow_reading_ = true;
  EXPECT_EQ(index().troubles.size(), 1U);
  const IndexReport second = index();
  EXPECT_TRUE(second.troubles.empty()) << "it has not changed";
  EXPECT_EQ(second.sessions_unchanged, 1U);
  slow_reading_ = false;
  world_.append(path("slow"), lines.prompt("Third of slow"));
  EXPECT_TRUE(index().troubles.empty());
  EXPECT_EQ(world_.session("slow").facts.turn_count, 3U);
}

TEST_F(SlowSources, ASourceThatTakesTooLongToListIsLeftAsItIsKnown) {
  write("one");
  index();
  slow_listing_ = true;
  const IndexReport report = index();
  EXPECT_EQ(report.sessions_missing, 0U);
  ASSERT_EQ(report.troubles.size(), 1U);
  EXPECT_EQ(report.troubles[0],
            world_.in_home(".claude/projects") +
                ": looking through it takes more than 0 s of processor time, it is left out");
  EXPECT_EQ(world_.session("one").missing_since, kNoTime);
}

TEST_F(SlowSources, AListingThatIsCalledOffChangesNothing) {
  write("one");
  index();
  slow_listing_ = cancel_when_slow_ = true;
  quick_.time = {};
  const IndexReport report = index();
  EXPECT_TRUE(report.cancelled);
  EXPECT_TRUE(report.troubles.empty());
  EXPECT_EQ(world_.session("one").missing_since, kNoTime);
}

TEST_F(SlowSources, AReadingThatIsCalledOffIsNoFailure) {
  write("slow");
  slow_reading_ = cancel_when_slow_ = true;
  quick_.time = {};
  const IndexReport report = index();
  EXPECT_TRUE(report.cancelled);
  EXPECT_TRUE(report.troubles.empty());
}

TEST_F(SlowSources, WhatWasLeftOfADatabaseIsReadByTheNextRun) {
  const std::string path = world_.in_home(".local/share/opencode/opencode.db");
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  auto database = Database::open(path, Database::Mode::create);
  ASSERT_TRUE(
      database
          ->run("CREATE TABLE session(id text PRIMARY KEY, directory text, title text);"
                "CREATE TABLE message(id text PRIMARY KEY, session_id text, time_created integer,"
                " data text);"
                "CREATE TABLE part(id text PRIMARY KEY, message_id text, session_id text,"
                " data text);"
                "INSERT INTO session VALUES('a', '/w', 'T'), ('b', '/w', 'T');"
                R"(INSERT INTO message VALUES('m1', 'a', 5, '{"role":"user"}'),)"
                R"( ('m2', 'b', 5, '{"role":"user"}');)"
                R"(INSERT INTO part VALUES('p1', 'm1', 'a', '{"type":"text","text":"ask"}'),)"
                R"( ('p2', 'm2', 'b', '{"type":"text","text":"ask"}');)")
          .ok());
  quick_.time = {};
  quick_.time.container = milliseconds{0};
  const IndexReport first = index();
  EXPECT_EQ(first.sessions_new, 0U);
  EXPECT_EQ(first.sessions_behind, 2U);
  ASSERT_EQ(first.troubles.size(), 1U);
  EXPECT_EQ(first.troubles[0], path +
                                   ": reading it takes too long for its size, 2 of its sessions "
                                   "are left for another run");
  quick_.time = {};
  EXPECT_EQ(index().sessions_new, 2U);
}

}  // namespace
}  // namespace yore::ingest
