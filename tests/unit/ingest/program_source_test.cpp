#include "ingest/program_source.hpp"

#include <gtest/gtest.h>

#include <map>

#include "search/searcher.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/state_dump.hpp"

namespace yore::ingest {
namespace {

using transcript::Block;
using transcript::BlockKind;
using transcript::Record;
using transcript::RecordKind;

// What was said in one conversation: prompts, answers, output of tools.
using Lines = std::vector<std::pair<RecordKind, std::string>>;

class Giving : public testing::Test {
 protected:
  // A conversation's stamp is how often it was set.
  void set(const std::string& id, Lines lines) {
    said_[id] = std::move(lines);
    ++versions_[id];
  }
  ProgramSource intake() {
    ProgramSource intake;
    intake.sessions = [this]() -> Result<std::vector<HandedSession>> {
      std::vector<HandedSession> sessions;
      for (const auto& [id, lines] : said_) {
        HandedSession session;
        session.ref.id = id;
        session.ref.project = "shop";
        session.ref.stamp.inode = versions_.at(id);
        session.agent = "claude-code";
        sessions.push_back(session);
        if (twice_) sessions.push_back(session);
      }
      return sessions;
    };
    intake.read = [this](const HandedSession& session) -> Result<RecordProducer> {
      return RecordProducer([id = session.ref.id, lines = said_.at(session.ref.id)](auto& sink) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
          const auto& [kind, text] = lines[i];
          Block block;
          block.kind = kind == RecordKind::tool_output ? BlockKind::tool_result : BlockKind::text;
          block.text = text;
          Record record;
          record.kind = kind;
          record.blocks = {&block, 1};
          const std::string key = id + std::to_string(i);
          record.key = key;
          record.time = from_ms(1'760'000'000'000 + static_cast<std::int64_t>(i));
          sink.record(record);
        }
      });
    };
    return intake;
  }
  Result<ProgramSourceReport> try_take(const std::string& data_dir) {
    const std::atomic<bool> cancel{false};
    return take_in(data_dir, intake(), std::chrono::milliseconds{0}, cancel);
  }
  ProgramSourceReport take(const std::string& data_dir) {
    auto report = try_take(data_dir);
    EXPECT_TRUE(report.ok()) << report.error().message;
    return report.ok() ? *report : ProgramSourceReport{};
  }
  ProgramSourceReport take() { return take(world_.data_dir()); }

  static std::string state_of(const std::string& data_dir) {
    auto store = store::Store::open_existing(data_dir);
    EXPECT_TRUE(store.ok());
    EXPECT_EQ(fake::feed_problem(*store), "");
    return fake::dump_state(*store);
  }
  std::size_t hits(const std::string& query) {
    auto searcher = search::Searcher::open(world_.world(), world_.settings(), {});
    EXPECT_TRUE(searcher.ok());
    search::SearchRequest request;
    request.query = query;
    const auto answer = searcher->search(request);
    EXPECT_TRUE(answer.ok());
    return answer->hits.size();
  }

  const Lines start_ = {{RecordKind::prompt, "first question"},
                        {RecordKind::assistant, "first answer"},
                        {RecordKind::tool_output, "tool says apricot"}};
  fake::FakeWorld world_;
  std::map<std::string, Lines> said_;
  std::map<std::string, std::uint64_t> versions_;
  bool twice_ = false;
};

TEST_F(Giving, GrowingStepByStepIsTheSameAsAllAtOnce) {
  Lines lines = start_;
  set("s", lines);
  EXPECT_EQ(take().sessions_continued, 0U);
  const Lines more = {{RecordKind::tool_output, "and banana"},
                      {RecordKind::assistant, "a longer answer"},
                      {RecordKind::prompt, "second question"},
                      {RecordKind::assistant, "second answer"}};
  for (const auto& line : more) {
    lines.push_back(line);
    set("s", lines);
    const ProgramSourceReport report = take();
    EXPECT_EQ(report.sessions_read, 1U);
    EXPECT_EQ(report.sessions_continued, 1U);
  }
  const std::string whole = world_.in_home("whole");
  take(whole);
  EXPECT_EQ(state_of(world_.data_dir()), state_of(whole));
  EXPECT_EQ(hits("apricot banana"), 1U);
  EXPECT_EQ(hits("second"), 1U);
}

TEST_F(Giving, AnotherBeginningIsTakenAnew) {
  set("s", start_);
  take();
  Lines other = start_;
  other.front().second = "another question";
  other.push_back({RecordKind::assistant, "last answer"});
  set("s", other);
  EXPECT_EQ(take().sessions_continued, 0U);
  const std::string whole = world_.in_home("whole");
  take(whole);
  EXPECT_EQ(state_of(world_.data_dir()), state_of(whole));
  EXPECT_EQ(hits("first"), 1U);
  EXPECT_EQ(hits("another"), 1U);

  set("s", {start_.front()});  // and so is a shorter one
  EXPECT_EQ(take().sessions_continued, 0U);
  EXPECT_EQ(hits("apricot"), 0U);
}

TEST_F(Giving, WhatCouldNotBeToldIsKeptAsThatOfFilesIs) {
  set("s", start_);
  ProgramSource hurt = intake();
  hurt.read = [whole = hurt.read](const HandedSession& session) -> Result<RecordProducer> {
    auto tell = whole(session);
    return RecordProducer([tell = *tell](auto& sink) {
      tell(sink);
      sink.problem(transcript::ProblemKind::invalid_json, 7);
      sink.unknown("type:mood");
    });
  };
  const std::atomic<bool> cancel{false};
  ASSERT_TRUE(take_in(world_.data_dir(), hurt, std::chrono::milliseconds{0}, cancel).ok());
  auto store = world_.store();
  const auto problems = store.problems();
  const auto unknowns = store.unknowns();
  ASSERT_TRUE(problems.ok() && unknowns.ok());
  ASSERT_EQ(problems->size(), 1U);
  EXPECT_EQ(problems->front().uid, "s");
  EXPECT_EQ(problems->front().lines, "7");
  ASSERT_EQ(unknowns->size(), 1U);
  EXPECT_EQ(unknowns->front().what, "type:mood");
}

TEST_F(Giving, NothingIsWrittenWhenNothingHasChanged) {
  set("s", start_);
  take();
  const auto before = world_.store().last_commit();
  EXPECT_EQ(take().sessions_read, 0U);
  EXPECT_EQ(*world_.store().last_commit(), *before);
}

TEST_F(Giving, IdsMustTellSessionsApart) {
  set("s", start_);
  twice_ = true;
  EXPECT_EQ(try_take(world_.data_dir()).error().message, "session s: given twice");
  twice_ = false;
  set("", start_);
  EXPECT_EQ(try_take(world_.data_dir()).error().code, Errc::invalid_argument);
}

TEST_F(Giving, NeverTakesOverASessionThatWasReadFromAFile) {
  fake::ClaudeLines lines("s");
  world_.write(world_.session_path("-x", "s"), lines.prompt("from a file") + lines.answer("yes"));
  world_.index();
  set("s", start_);
  EXPECT_EQ(try_take(world_.data_dir()).error().code, Errc::invalid_argument);
  EXPECT_EQ(hits("file"), 1U);
}

// The command line may be pointed at the same directory.
TEST_F(Giving, AnIndexRunLeavesWhatWasHandedOverAlone) {
  set("s", start_);
  take();
  world_.set_config("exclude = [\"shop\", \"*\"]\n");
  fake::ClaudeLines lines("f");
  world_.write(world_.session_path("-x", "f"), lines.prompt("from a file") + lines.answer("yes"));
  IndexOptions options;
  options.forget_missing = true;
  const IndexReport report = world_.index(options);
  EXPECT_EQ(report.sessions_missing, 0U);
  EXPECT_EQ(report.sessions_forgotten, 0U);
  const store::SessionRow row = world_.session("s");
  EXPECT_EQ(row.missing_since, kNoTime);
  EXPECT_EQ(row.facts.turn_count, 1U);
  EXPECT_EQ(hits("apricot"), 1U);

  auto reader = world_.reader();
  const auto read = reader.read(row, 0, 10);
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->source_missing);
  ASSERT_EQ(read->turns.size(), 1U);
  EXPECT_EQ(read->turns[0].user_text, "first question");
  EXPECT_FALSE(search::resume_command(row, *transcript::built_in_agents()).ok());
}

TEST_F(Giving, AndWhatCameFromFilesIsLeftAloneByTheGiver) {
  fake::ClaudeLines lines("f");
  world_.write(world_.session_path("-x", "f"), lines.prompt("from a file") + lines.answer("yes"));
  world_.index();
  set("s", start_);
  take();
  said_.clear();
  EXPECT_EQ(take().sessions_removed, 1U);
  EXPECT_EQ(hits("apricot"), 0U);
  EXPECT_EQ(hits("file"), 1U);
}

}  // namespace
}  // namespace yore::ingest
