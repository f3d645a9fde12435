#include "store/writer.hpp"

#include <gtest/gtest.h>

#include "store/store.hpp"
#include "support/state_dump.hpp"
#include "support/temp_dir.hpp"

namespace yore::store {
namespace {

using turns::Passage;
using turns::Surface;

class Writing : public testing::Test {
 protected:
  void SetUp() override {
    auto store = Store::open(temp_.path());
    ASSERT_TRUE(store.ok()) << store.error().message;
    store_ = std::make_unique<Store>(std::move(*store));
    open_writer();
    ASSERT_TRUE(writer_->begin().ok());
    root_ = *writer_->add_root("claude-code", "/r", false);
    ASSERT_TRUE(writer_->commit().ok());
  }

  void open_writer() {
    auto writer = Writer::create(*store_);
    ASSERT_TRUE(writer.ok());
    writer_ = std::make_unique<Writer>(std::move(*writer));
  }

  SessionId put(std::string_view uid) {
    transcript::SessionRef ref;
    ref.id = uid;
    ref.path = "/r/" + std::string(uid);
    const auto id = writer_->put_session(root_, "claude-code", ref, "");
    EXPECT_TRUE(id.ok());
    return id.ok() ? *id : SessionId{};
  }

  static std::vector<EncodedPack> pack(turns::TurnNumber turn, std::string_view text) {
    const std::vector<Passage> passages = {{turn, Surface::user_prompt, 0, std::string(text)}};
    return PackEncoder().encode(passages);
  }

  static SessionStep step(turns::TurnNumber turn, std::string_view sealed, std::string_view open) {
    SessionStep step;
    step.turns.emplace_back().number = turn;
    step.sealed = pack(turn, sealed);
    if (!open.empty()) step.open = pack(turn, open);
    step.cursor = "cursor";
    step.state = "state";
    step.stamp = {10, 20, 30};
    step.last = true;
    step.facts.turn_count = turn + 1;
    return step;
  }

  void write(SessionId id, const SessionStep& step) {
    ASSERT_TRUE(writer_->begin().ok());
    const Status applied = writer_->apply(id, step);
    ASSERT_TRUE(applied.ok()) << applied.error().message;
    ASSERT_TRUE(writer_->commit().ok());
  }

  std::vector<std::string> texts(SessionId id) {
    std::vector<std::string> found;
    const auto passages = store_->passages_of(id, 0, UINT32_MAX);
    for (const auto& [pid, passage] : *passages) found.push_back(passage.text);
    return found;
  }

  KnownSession known() { return store_->known_sessions()->front(); }

  fake::TempDir temp_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Writer> writer_;
  RootId root_{};
};

using Texts = std::vector<std::string>;

TEST_F(Writing, ReplacesTheOpenPassagesAndKeepsTheSealedOnes) {
  const SessionId id = put("a");
  write(id, step(0, "one", "open"));
  write(id, step(1, "two", "wide open"));
  EXPECT_EQ(texts(id), (Texts{"one", "two", "wide open"}));
  EXPECT_EQ(fake::feed_problem(*store_), "");
}

TEST_F(Writing, ForgetsEverythingWhenASessionIsReplaced) {
  const SessionId id = put("a");
  SessionStep first = step(0, "one", "open");
  first.problems.push_back({transcript::ProblemKind::invalid_json, 4});
  first.unknown.emplace_back("type x", 2);
  first.leaf_titles.push_back({7, "title"});
  first.new_keys = "12345678";
  write(id, first);
  write(id, step(1, "two", ""));
  SessionStep again = step(0, "other", "");
  again.replace = true;
  write(id, again);
  EXPECT_EQ(texts(id), (Texts{"other"}));
  EXPECT_EQ(store_->turns_of(id)->size(), 1U);
  EXPECT_TRUE(store_->problems()->empty());
  EXPECT_TRUE(store_->unknowns()->empty());
  EXPECT_EQ(writer_->saved_state(id)->keys, "");
  EXPECT_EQ(*store_->database().number("SELECT count(*) FROM leaf_title"), 0);
  EXPECT_EQ(fake::feed_problem(*store_), "");
}

TEST_F(Writing, KeepsTheStampOnlyWithTheLastStep) {
  const SessionId id = put("a");
  EXPECT_TRUE(known().broken) << "nothing was read yet";
  SessionStep middle = step(0, "one", "");
  middle.last = false;
  write(id, middle);
  EXPECT_EQ(known().ref.stamp, FileStamp{});
  EXPECT_TRUE(known().broken);
  write(id, step(0, "two", ""));
  EXPECT_EQ(known().ref.stamp, (FileStamp{10, 20, 30}));
  EXPECT_FALSE(known().broken);
}

TEST_F(Writing, AReadingThatStopsInTheMiddleIsGoneOnWith) {
  const SessionId id = put("a");
  write(id, step(0, "one", ""));
  SessionStep middle = step(0, "again", "");
  middle.replace = true;
  middle.last = false;
  write(id, middle);
  EXPECT_TRUE(known().broken) << "the stamp alone would say that everything was read";
}

TEST_F(Writing, ARollbackLeavesNothingAndReusesNoId) {
  const SessionId id = put("a");
  write(id, step(0, "one", ""));
  ASSERT_TRUE(writer_->begin().ok());
  ASSERT_TRUE(writer_->apply(id, step(1, "lost", "lost too")).ok());
  writer_->rollback();
  EXPECT_EQ(texts(id), (Texts{"one"}));
  write(id, step(1, "two", ""));
  EXPECT_EQ(texts(id), (Texts{"one", "two"}));
  EXPECT_EQ(fake::feed_problem(*store_), "");
}

TEST_F(Writing, PassageIdsAreNotReusedByTheNextWriter) {
  const SessionId id = put("a");
  write(id, step(0, "one", "open"));
  ASSERT_TRUE(writer_->remove_session(id).ok());
  open_writer();
  const SessionId other = put("b");
  EXPECT_NE(other, id);
  write(other, step(0, "two", ""));
  EXPECT_EQ(fake::feed_problem(*store_), "");
  EXPECT_EQ(*store_->passage_count(), 1U);
}

TEST_F(Writing, GivesTheStateAndAllKeysBack) {
  const SessionId id = put("a");
  EXPECT_EQ(writer_->saved_state(id)->cursor, "");
  SessionStep first = step(0, "one", "");
  first.new_keys = "11111111";
  write(id, first);
  SessionStep second = step(1, "two", "");
  second.new_keys = "22222222";
  second.cursor = "later";
  write(id, second);
  const auto saved = writer_->saved_state(id);
  EXPECT_EQ(saved->cursor, "later");
  EXPECT_EQ(saved->state, "state");
  EXPECT_EQ(saved->keys, "1111111122222222");
}

TEST_F(Writing, CountsProblemsAndKeepsTheirFirstLines) {
  const SessionId id = put("a");
  for (std::uint64_t round = 0; round < 3; ++round) {
    SessionStep one = step(0, "x", "");
    for (std::uint64_t i = 1; i <= 9; ++i) {
      one.problems.push_back({transcript::ProblemKind::invalid_json, round * 10 + i});
    }
    write(id, one);
  }
  const auto problems = store_->problems();
  ASSERT_EQ(problems->size(), 1U);
  EXPECT_EQ(problems->front().count, 27U);
  EXPECT_EQ(problems->front().lines,
            "1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22");
}

TEST_F(Writing, MarksATurnThatWasAbandonedLater) {
  const SessionId id = put("a");
  write(id, step(0, "one", ""));
  SessionStep later = step(1, "two", "");
  later.abandoned = {0};
  write(id, later);
  const auto turns = store_->turns_of(id);
  EXPECT_TRUE(turns->at(0).abandoned);
  EXPECT_FALSE(turns->at(1).abandoned);
}

TEST_F(Writing, TellsTheFeedWhichTurnsAndSessionsChanged) {
  const SessionId id = put("a");
  const std::int64_t before = store_->changes_after(0, 100)->back().seq;
  write(id, step(4, "one", ""));
  ASSERT_TRUE(writer_->set_title(id, "t", "custom").ok());
  const auto changes = store_->changes_after(before, 100);
  ASSERT_EQ(changes->size(), 5U);
  EXPECT_EQ(changes->at(0).op, ChangeOp::add_passages);
  EXPECT_EQ(changes->at(1).op, ChangeOp::turn_changed);
  EXPECT_EQ(changes->at(1).subject, static_cast<std::int64_t>(id));
  EXPECT_EQ(changes->at(1).count, 4);
  EXPECT_EQ(changes->at(2).op, ChangeOp::session_grown);
  EXPECT_EQ(changes->at(2).subject, static_cast<std::int64_t>(id));
  EXPECT_EQ(changes->at(3).op, ChangeOp::commit);
  EXPECT_EQ(changes->at(4).op, ChangeOp::session_changed);
  EXPECT_EQ(changes->at(4).subject, static_cast<std::int64_t>(id));
}

TEST_F(Writing, EveryCommitThatChangesSomethingHasANameOfItsOwn) {
  const SessionId id = put("a");
  write(id, step(0, "one", ""));
  const auto first = store_->last_commit();
  ASSERT_TRUE(first.ok());
  write(id, step(1, "two", ""));
  const auto second = store_->last_commit();
  EXPECT_LT(first->seq, second->seq);
  EXPECT_NE(first->nonce, second->nonce);
  EXPECT_TRUE(*store_->has_commit(*first));
  EXPECT_TRUE(*store_->has_commit(*second));
  EXPECT_FALSE(*store_->has_commit({second->seq, second->nonce + 1}));
  EXPECT_FALSE(*store_->has_commit({second->seq + 1, second->nonce}));
  ASSERT_TRUE(writer_->begin().ok());
  ASSERT_TRUE(writer_->commit().ok());
  EXPECT_EQ(*store_->last_commit(), *second);
}

TEST_F(Writing, FindsSessionsByTheBeginningOfAnyPartOfTheirId) {
  for (const char* uid : {"abc-1", "abd-2", "openclaw:abc-9", "abc-1/agent-77f", "x*y", "xzy"}) {
    put(uid);
  }
  const auto found = [this](std::string_view prefix) {
    std::vector<std::string> uids;
    const auto rows = store_->sessions_by_prefix(prefix, 10);
    for (const SessionRow& row : *rows) uids.push_back(row.uid);
    return uids;
  };
  EXPECT_EQ(found("abc"), (Texts{"abc-1", "abc-1/agent-77f", "openclaw:abc-9"}));
  EXPECT_EQ(found("77"), (Texts{"abc-1/agent-77f"}));
  EXPECT_EQ(found("agent-77"), (Texts{"abc-1/agent-77f"}));
  EXPECT_EQ(found("openclaw:a"), (Texts{"openclaw:abc-9"}));
  EXPECT_EQ(found("x*"), (Texts{"x*y"})) << "a star in an id is a star";
  EXPECT_EQ(found("[a"), (Texts{}));
}

TEST_F(Writing, AnExcludedSessionLeavesNoWordBehind) {
  const SessionId id = put("a");
  SessionStep said = step(0, "secret words", "");
  said.facts.first_prompt = "secret words";
  said.facts.custom_title = "secret words";
  write(id, said);
  ASSERT_TRUE(writer_->set_title(id, "secret words", "prompt").ok());
  ASSERT_TRUE(writer_->exclude_session(id).ok());
  EXPECT_EQ(*store_->passage_count(), 0U);
  EXPECT_EQ(fake::dump_state(*store_), "");
  EXPECT_FALSE(store_->session_by_uid("a")->has_value());
  EXPECT_EQ(*store_->database().number("SELECT count(*) FROM session WHERE first_prompt<>'' OR "
                                       "custom_title<>'' OR title<>''"),
            0);
  EXPECT_EQ(known().excluded, Excluded::by_settings) << "it is known, so that it is not read again";
  EXPECT_EQ(fake::feed_problem(*store_), "");
}

}  // namespace
}  // namespace yore::store
