#include "ingest/plan.hpp"

#include <gtest/gtest.h>

#include "base/files/file.hpp"
#include "store/writer.hpp"
#include "support/fake_world.hpp"

namespace yore::ingest {
namespace {

using fake::FakeWorld;
using transcript::Listing;
using transcript::SessionRef;

// An adapter whose listing is whatever a test put here. Function pointers carry no state.
Listing listing;  // NOLINT: set by each test
bool can_list = true;
SessionRef asked_for;                 // the file that the adapter asks about
const SessionRef* told_of = nullptr;  // and what it is told

Result<Listing> list(const transcript::Root&, const transcript::PreviousListing& known) {
  if (!can_list) return Error{Errc::io, "cannot be listed"};
  told_of = known.session("claude-code", asked_for.path, asked_for.stamp);
  Listing answer = listing;
  std::erase_if(answer.containers, [&](const transcript::Container& container) {
    const bool same = known.unchanged(container.path, container.stamp);
    if (same) answer.unchanged.push_back(container.path);
    return same;
  });
  return answer;
}

SessionRef ref(std::string id, std::string path, std::uint64_t size, std::int64_t mtime = 1) {
  SessionRef made;
  made.id = std::move(id);
  made.path = std::move(path);
  made.stamp = {size, mtime, 9};
  made.directory = "-dir";
  return made;
}

store::KnownSession known(const SessionRef& ref) {
  store::KnownSession session;
  session.id = store::SessionId{5};
  session.agent = "claude-code";
  session.ref = ref;
  session.ref_hash = store::ref_hash(ref, "");
  return session;
}

class Planning : public testing::Test {
 protected:
  void SetUp() override {
    listing = {};
    can_list = true;
    adapter_.name = "claude-code";
    adapter_.sessions = list;
  }
  Plan plan(const std::vector<store::KnownSession>& known_before = {}, bool force = false) {
    return make_plan({{&adapter_, {"/r", false}, true}}, settings_, known_before, containers_,
                     force);
  }

  transcript::Adapter adapter_{};
  config::Settings settings_;
  std::vector<std::pair<std::string, FileStamp>> containers_;
};

TEST_F(Planning, ReadsWhatIsNew) {
  listing.sessions = {ref("a", "/r/a", 10)};
  const Plan made = plan();
  ASSERT_EQ(made.sessions.size(), 1U);
  EXPECT_TRUE(made.sessions[0].read);
  EXPECT_EQ(made.unread_bytes, 10U);
  EXPECT_EQ(made.sessions[0].known, store::SessionId{});
}

TEST_F(Planning, TellsAdaptersOfFilesThatAreWhatTheyWere) {
  std::vector<store::KnownSession> before = {known(ref("a", "/r/a", 10))};
  before[0].ref.parent_id = "p";
  asked_for = ref("", "/r/a", 10);
  plan(before);
  ASSERT_NE(told_of, nullptr);
  EXPECT_EQ(told_of->id, "a");
  EXPECT_EQ(told_of->parent_id, "p");

  plan(before, true);
  EXPECT_EQ(told_of, nullptr) << "everything is to be read again";
  asked_for.stamp.mtime_ns = 2;
  plan(before);
  EXPECT_EQ(told_of, nullptr) << "the file has changed";
  asked_for.stamp.mtime_ns = 1;
  before[0].agent = "codex";
  plan(before);
  EXPECT_EQ(told_of, nullptr) << "another agent listed it";
  before = {known(ref("a", "/r/a", 10))};
  before[0].ref.row = "1";
  plan(before);
  EXPECT_EQ(told_of, nullptr) << "a row is not the file";
}

TEST_F(Planning, LeavesAloneWhatHasTheSameStamp) {
  listing.sessions = {ref("a", "/r/a", 10)};
  const Plan made = plan({known(ref("a", "/r/a", 10))});
  EXPECT_FALSE(made.sessions[0].read);
  EXPECT_FALSE(made.sessions[0].update);
  EXPECT_EQ(made.unread_bytes, 0U);
}

TEST_F(Planning, CountsOnlyTheNewBytesOfWhatHasGrown) {
  listing.sessions = {ref("a", "/r/a", 15, 2)};
  const Plan made = plan({known(ref("a", "/r/a", 10))});
  EXPECT_TRUE(made.sessions[0].read);
  EXPECT_EQ(made.unread_bytes, 5U);
}

TEST_F(Planning, ReadsEverythingWhenForced) {
  listing.sessions = {ref("a", "/r/a", 10)};
  const Plan made = plan({known(ref("a", "/r/a", 10))}, true);
  EXPECT_TRUE(made.sessions[0].read);
  EXPECT_EQ(made.unread_bytes, 10U);
}

TEST_F(Planning, ReadsAgainWhatCouldNotBeReadToItsEnd) {
  listing.sessions = {ref("a", "/r/a", 10)};
  auto before = known(ref("a", "/r/a", 10));
  before.broken = true;
  EXPECT_TRUE(plan({before}).sessions[0].read);
}

TEST_F(Planning, UpdatesWithoutReadingWhenOnlyTheListingSaysSomethingNew) {
  listing.sessions = {ref("a", "/r/a", 10)};
  listing.sessions[0].title = "from the agent's index";
  const Plan made = plan({known(ref("a", "/r/a", 10))});
  EXPECT_FALSE(made.sessions[0].read);
  EXPECT_TRUE(made.sessions[0].update);
}

TEST_F(Planning, ReadsAgainFromTheStartWhatAnOlderVersionOfTheReadingRead) {
  listing.sessions = {ref("a", "/r/a", 10)};
  listing.sessions[0].title = "a new title, too";
  const store::KnownSession before = known(ref("a", "/r/a", 10));
  EXPECT_FALSE(plan({before}).sessions[0].read) << "of the first version everything is";

  adapter_.reading = 3;
  const Plan made = plan({before});
  EXPECT_TRUE(made.sessions[0].read);
  EXPECT_TRUE(made.sessions[0].from_start);
  EXPECT_EQ(made.unread_bytes, 10U);

  store::KnownSession after = before;
  after.ref = made.sessions[0].ref;
  after.ref_hash = store::ref_hash(after.ref, "");
  EXPECT_EQ(after.ref.reading, 3);
  EXPECT_FALSE(plan({after}).sessions[0].read);
  adapter_.reading = 4;
  EXPECT_TRUE(plan({after}).sessions[0].from_start);
}

TEST_F(Planning, ReadsTheHigherRankThenTheLongestThenTheFirstOfTwoPlaces) {
  listing.sessions = {ref("a", "/r/2", 10), ref("a", "/r/1", 10), ref("a", "/r/0", 9)};
  Plan made = plan();
  ASSERT_EQ(made.sessions.size(), 1U);
  EXPECT_EQ(made.sessions[0].ref.path, "/r/1");
  EXPECT_EQ(made.sessions[0].other_files, "/r/0\n/r/2");
  listing.sessions[2].rank = 1;
  made = plan();
  EXPECT_EQ(made.sessions[0].ref.path, "/r/0");
}

TEST_F(Planning, WhatAListingSaysMayBeOfAnyLength) {
  listing.sessions = {ref("a", "/r/a", 10), ref(std::string(1000, 'i'), "/r/b", 10)};
  listing.sessions[0].title = std::string(1 << 20, 't');
  listing.sessions[0].cwd = std::string(1 << 20, '/');
  listing.sessions[0].directory = std::string(1 << 20, '-');
  const Plan made = plan();
  ASSERT_EQ(made.sessions.size(), 1U);
  const SessionRef& kept = made.sessions[0].ref;
  EXPECT_EQ(kept.title.size(), 2000U);
  EXPECT_EQ(kept.cwd.size(), 4096U);
  EXPECT_EQ(kept.directory.size(), 4096U);
  ASSERT_EQ(made.roots[0].listing.problems.size(), 1U);
  EXPECT_EQ(made.roots[0].listing.problems[0].first, "/r/b");
}

TEST_F(Planning, PromptsGiveWayToAConversationThatIsThereOrWasSeen) {
  SessionRef prompts = ref("a", "/r/history", 10);
  prompts.content = transcript::SessionContent::prompts;
  prompts.row = "session:a";
  listing.sessions = {prompts, ref("a", "/r/a", 10)};
  Plan made = plan();
  ASSERT_EQ(made.sessions.size(), 1U);
  EXPECT_EQ(made.sessions[0].ref.path, "/r/a");
  EXPECT_EQ(made.sessions[0].other_files, "");
  listing.sessions = {prompts};
  EXPECT_EQ(plan().sessions.size(), 1U);
  made = plan({known(ref("a", "/r/a", 10))});
  EXPECT_TRUE(made.sessions.empty());
  EXPECT_EQ(made.gone.size(), 1U) << "and what was seen is gone";
}

TEST_F(Planning, ReachingOneFileTwiceIsNoCopy) {
  listing.sessions = {ref("a", "/r/a", 10)};
  const Plan made = make_plan({{&adapter_, {"/r", false}, true}, {&adapter_, {"/r", true}, true}},
                              settings_, {}, {}, false);
  ASSERT_EQ(made.sessions.size(), 1U);
  EXPECT_EQ(made.sessions[0].other_files, "");
}

TEST_F(Planning, OrdersSessionsNewestFirst) {
  listing.sessions = {ref("a", "/r/a", 1, 10), ref("b", "/r/b", 1, 30), ref("c", "/r/c", 1, 20)};
  const Plan made = plan();
  EXPECT_EQ(made.sessions[0].ref.id, "b");
  EXPECT_EQ(made.sessions[1].ref.id, "c");
  EXPECT_EQ(made.sessions[2].ref.id, "a");
}

TEST_F(Planning, SaysWhatIsGone) {
  const Plan made = plan({known(ref("a", "/r/a", 10))});
  ASSERT_EQ(made.gone.size(), 1U);
  EXPECT_EQ(made.gone[0].ref.id, "a");
}

TEST_F(Planning, NothingIsGoneFromAFolderThatCannotBeListed) {
  listing.problems = {{"/r/dir", "Permission denied"}};
  const Plan made = plan({known(ref("a", "/r/dir/a", 10)), known(ref("b", "/r/dirty/b", 10))});
  ASSERT_EQ(made.gone.size(), 1U);
  EXPECT_EQ(made.gone[0].ref.id, "b");
}

TEST_F(Planning, NothingIsGoneFromARootThatCannotBeListed) {
  can_list = false;
  const Plan made = plan({known(ref("a", "/r/dir/a", 10))});
  EXPECT_TRUE(made.gone.empty());
  ASSERT_EQ(made.roots[0].listing.problems.size(), 1U);
  EXPECT_EQ(made.roots[0].listing.problems[0].second, "cannot be listed");
}

TEST_F(Planning, EverythingIsGoneFromARootThatIsGone) {
  const Plan made = make_plan({{&adapter_, {"/r", true}, false}}, settings_,
                              {known(ref("a", "/r/a", 10))}, {}, false);
  EXPECT_EQ(made.gone.size(), 1U);
  ASSERT_EQ(made.roots[0].listing.problems.size(), 1U) << "it was named, so it is missed";
}

TEST_F(Planning, NothingIsGoneFromAContainerThatNeedNotBeOpened) {
  listing.containers = {{"/r/db", {7, 7, 7}}};
  containers_ = {{"/r/db", {7, 7, 7}}};
  const Plan made = plan({known(ref("a", "/r/db", 10))});
  EXPECT_TRUE(made.gone.empty());
  EXPECT_EQ(made.held, 1U) << "it is still there";
  EXPECT_EQ(plan({known(ref("a", "/r/db", 10))}, true).gone.size(), 1U) << "force opens it";
}

TEST_F(Planning, LeavesOutWhatIsExcluded) {
  settings_.exclude = {"/r/secret"};
  listing.sessions = {ref("a", "/r/secret/a", 10), ref("b", "/r/b", 10)};
  const Plan made = plan({known(ref("a", "/r/secret/a", 10))});
  ASSERT_EQ(made.sessions.size(), 1U);
  EXPECT_EQ(made.sessions[0].ref.id, "b");
  EXPECT_EQ(made.left_out, 1U);
  ASSERT_EQ(made.excluded.size(), 1U);
  EXPECT_TRUE(made.gone.empty());
}

TEST_F(Planning, ExcludesByFolderNameWhatIsKnownToo) {
  settings_.exclude = {"-secret"};
  store::KnownSession before = known(ref("a", "/r/-secret/deep/a", 10));
  before.ref.directory = "-secret";
  EXPECT_EQ(plan({before}).excluded.size(), 1U);
}

// Roots ---------------------------------------------------------------------------------------

std::vector<std::string> paths(const Result<std::vector<config::FoundRoot>>& roots) {
  std::vector<std::string> all;
  for (const config::FoundRoot& root : *roots) all.push_back(root.root.path);
  return all;
}

TEST(RootsToLookAt, AreThoseOfTheScopeThenTheSettingsThenTheMachineThenTheRegistered) {
  FakeWorld world;
  const std::string projects = world.in_home(".claude/projects");
  ASSERT_TRUE(make_directories(projects).ok());
  config::Settings settings = world.settings();
  settings.sources = {"openclaw:/from/settings"};
  config::Scope scope;
  scope.sources = {"openclaw:/from/flag"};
  const std::vector<store::RootRow> registered = {
      {store::RootId{1}, "openclaw", "/from/before", true},
      {store::RootId{2}, "openclaw", "/from/flag", true},
      {store::RootId{3}, "forgotten-agent", "/x", true}};
  EXPECT_EQ(paths(roots_to_look_at(world.world(), settings, scope, registered)),
            (std::vector<std::string>{"/from/flag", "/from/settings", projects, "/from/before"}));
}

TEST(RootsToLookAt, AFolderThatIsFoundAnywayIsNotNamed) {
  FakeWorld world;
  ASSERT_TRUE(make_directories(world.in_home(".claude/projects")).ok());
  config::Scope scope;
  scope.sources = {"claude-code:~/.claude/projects"};
  const auto roots = roots_to_look_at(world.world(), world.settings(), scope, {});
  ASSERT_EQ(roots->size(), 1U);
  EXPECT_FALSE(roots->front().root.named);
}

TEST(RootsToLookAt, AWrongSourceIsAnError) {
  FakeWorld world;
  config::Scope scope;
  scope.sources = {"nonsense"};
  EXPECT_FALSE(roots_to_look_at(world.world(), world.settings(), scope, {}).ok());
}

TEST_F(Planning, ACopyDoesNotReplaceWhatAClosedContainerHolds) {
  const FileStamp stamp{100, 3, 4};
  listing.containers = {{"/r/store.db", stamp}};
  listing.sessions = {ref("a", "/r/a.jsonl", 50), ref("b", "/r/b.jsonl", 10)};
  containers_ = {{"/r/store.db", stamp}};
  const Plan made = plan({known(ref("a", "/r/store.db", 40))});
  ASSERT_EQ(made.sessions.size(), 1U);
  EXPECT_EQ(made.sessions[0].ref.id, "b");
  EXPECT_TRUE(made.gone.empty());
  EXPECT_EQ(made.held, 1U);
  // Once the container is opened, both are weighed again.
  containers_ = {{"/r/store.db", {90, 2, 4}}};
  EXPECT_EQ(plan({known(ref("a", "/r/store.db", 40))}).sessions.size(), 2U);
}

}  // namespace
}  // namespace yore::ingest
