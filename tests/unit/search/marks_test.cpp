// Marks as a search, a list and a reader see them, whatever becomes of the files.
#include <gtest/gtest.h>

#include "ingest/forget.hpp"
#include "search/searcher.hpp"
#include "service/backup.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"

namespace yore {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;
using store::MarkKind;
using Texts = std::vector<std::string>;

constexpr std::string_view kOwn = "aaaaaaaa-1111-4111-8111-111111111111";
constexpr std::string_view kFork = "bbbbbbbb-1111-4111-8111-111111111111";
const std::atomic<bool> kUncancelled{false};

class Marking : public testing::Test {
 protected:
  static std::string transcript(const Texts& words) {
    std::string text;
    for (const std::string& word : words) {
      ClaudeLines lines("line-" + word);
      text += lines.prompt("about the " + word) + lines.answer("the " + word + " was seen");
    }
    return text;
  }
  void write(std::string_view id, const Texts& words) {
    machine.write(machine.session_path("-home-ann-code-blog", id), transcript(words));
    machine.index();
  }
  search::SearchAnswer search(search::SearchRequest request) {
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    request.mode = search::SearchMode::keyword;
    auto answer = searcher->search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message;
    return std::move(*answer);
  }
  search::SearchAnswer search(const std::string& query) {
    search::SearchRequest request;
    request.query = query;
    return search(request);
  }
  static Texts places(const search::SearchAnswer& answer) {
    Texts all;
    for (const search::Hit& hit : answer.hits) {
      all.push_back(hit.session.uid.substr(0, 1) + hit.session.uid.substr(36) + "#" +
                    std::to_string(hit.turn_number));
    }
    return all;
  }
  void mark(const std::string& word, MarkKind kind, const std::string& text = "") {
    const auto found = search(word);
    ASSERT_FALSE(found.hits.empty()) << word;
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    const auto chunk = searcher->chunk(found.hits[0].chunk_id, 0);
    ASSERT_TRUE(chunk.ok());
    put(kind, {chunk->session.uid, chunk->origin, chunk->chunk}, text);
  }
  void put(MarkKind kind, const store::MarkSubject& on, const std::string& text = "") {
    const auto added = store::Marks::add(machine.data_dir(), {kind, text, on, from_ms(1)});
    ASSERT_TRUE(added.ok()) << added.error().message;
  }
  FakeWorld machine;
};

TEST_F(Marking, AStarIsAFilterAndStandsOnTheHit) {
  write(kOwn, {"heron", "egret", "stork"});
  mark("egret", MarkKind::star);
  mark("egret", MarkKind::tag, "Bird");
  EXPECT_EQ(places(search("is:starred")), Texts{"a#1"});
  EXPECT_EQ(places(search("tag:bird was")), Texts{"a#1"});
  EXPECT_EQ(places(search("tag:fish was")), Texts{});
  EXPECT_EQ(search("egret").hits[0].marks, (store::MarksOn{true, {"Bird"}, ""}));
  EXPECT_TRUE(search("heron").hits[0].marks.empty());
  search::SearchRequest request;
  request.starred = true;
  EXPECT_EQ(places(search(request)), Texts{"a#1"});
}

TEST_F(Marking, AMarkOnASessionIsOneOnItsTurns) {
  write(kOwn, {"heron", "egret"});
  write(kFork, {"stork"});
  put(MarkKind::tag, {std::string(kOwn), 0, 0}, "birds");
  EXPECT_EQ(places(search("tag:birds")), (Texts{"a#0", "a#1"})) << "of one time";
  EXPECT_EQ(search("egret").hits[0].marks.tags, Texts{"birds"});
}

TEST_F(Marking, FollowsATurnThroughARewriteAndAFork) {
  write(kOwn, {"heron", "egret", "stork"});
  mark("stork", MarkKind::star);
  write(kOwn, {"stork", "ibis"});
  EXPECT_EQ(places(search("is:starred")), Texts{"a#0"}) << "it has another number";
  write(kOwn, {"ibis"});
  EXPECT_EQ(places(search("is:starred")), Texts{"a~2#0"}) << "cut out, it is kept as an edition";
  write(kFork, {"stork", "crane"});
  EXPECT_EQ(places(search("is:starred")), Texts{"b#0"}) << "a copy elsewhere has it too";
}

TEST_F(Marking, IsNotTakenOverByATurnThatComesInItsPlace) {
  write(kOwn, {"heron"});
  mark("heron", MarkKind::star);
  const std::string chunk = search("heron").hits[0].chunk_id;
  write(kFork, {"heron"});
  machine.write(machine.session_path("-home-ann-code-blog", kOwn), "");
  machine.index();
  EXPECT_EQ(places(search("is:starred")), Texts{"b#0"}) << "it goes on in the fork";
  write(kOwn, {"egret"});
  EXPECT_EQ(places(search("is:starred")), Texts{"b#0"});
  EXPECT_NE(search("egret").hits[0].chunk_id, chunk);
  auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
  EXPECT_EQ(searcher->chunk(chunk, 0)->turns[0].user_text, "about the heron");
}

TEST_F(Marking, StaysWhereItIsWhenEverythingIsReadAgain) {
  write(kOwn, {"heron"});
  write(kOwn, {"egret"});
  mark("egret", MarkKind::star);
  const std::string chunk = search("egret").hits[0].chunk_id;
  ingest::IndexOptions force;
  force.force = true;
  machine.index(force);
  EXPECT_EQ(search("egret").hits[0].chunk_id, chunk) << "what was printed leads there still";
  EXPECT_EQ(places(search("is:starred")), Texts{"a#0"}) << "and not to the heron";
}

TEST_F(Marking, TheListKnowsMarkedTurnsAndNames) {
  write(kOwn, {"heron", "egret"});
  write(kFork, {"stork"});
  mark("egret", MarkKind::star);
  put(MarkKind::name, {std::string(kFork), 0, 0}, "the long legs");
  auto reader = machine.reader();
  search::ListFilter filter;
  filter.starred = true;
  const auto starred = reader.list(filter);
  ASSERT_TRUE(starred.ok());
  ASSERT_EQ(starred->sessions.size(), 1U);
  EXPECT_EQ(starred->sessions[0].uid, kOwn);
  filter = {};
  filter.words = {"LEGS"};
  const auto named = reader.list(filter);
  ASSERT_EQ(named->sessions.size(), 1U);
  EXPECT_EQ(named->sessions[0].uid, kFork);
  EXPECT_EQ(named->marks.at(std::string(kFork)).name, "the long legs");
  EXPECT_EQ(reader.find_session("The Long Legs")->uid, kFork);
  filter.words = {"about", "egret"};
  EXPECT_TRUE(reader.list(filter)->sessions.empty()) << "the first prompt speaks of the heron";
  filter.words = {"about", "heron", "blog"};
  EXPECT_EQ(reader.list(filter)->sessions.size(), 1U);
}

TEST_F(Marking, ForgettingATurnTakesItsMarks) {
  write(kOwn, {"heron", "egret"});
  mark("egret", MarkKind::tag, "bird");
  mark("heron", MarkKind::tag, "grey");
  auto store = machine.store();
  const auto plan = ingest::plan_forgetting(store, {{}, {{machine.session(kOwn).id, 1}}});
  ASSERT_TRUE(ingest::forget(machine.world(), machine.settings(), *plan, kUncancelled));
  const auto left = store::Marks::load(machine.data_dir());
  ASSERT_EQ(left->all().size(), 1U);
  EXPECT_EQ(left->all()[0].text, "grey");
}

TEST_F(Marking, ABackupBringsThemBack) {
  write(kOwn, {"heron", "egret"});
  mark("egret", MarkKind::tag, "bird");
  const std::string file = machine.in_home("kept.backup");
  ASSERT_TRUE(service::write_backup(machine.world(), machine.settings(), file).ok());
  machine.set_env("YORE_DATA_DIR", machine.in_home("elsewhere"));
  machine.index();
  EXPECT_EQ(places(search("tag:bird")), Texts{});
  const auto restored =
      service::restore_backup(machine.world(), machine.settings(), file, kUncancelled);
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(places(search("tag:bird")), Texts{"a#1"});
}

TEST_F(Marking, FiltersAloneAnswerTheNewestFirstAndEachTurnOnce) {
  write(kOwn, {"heron", "egret", "stork", "ibis", "crane"});
  write(kFork, {"heron", "egret"});
  search::SearchRequest request;
  request.projects = {"blog"};
  request.limit = 100;
  const auto answer = search(request);
  EXPECT_EQ(answer.hits.size(), 5U) << "copies are one hit, and no session is cut to three";
  for (std::size_t i = 1; i < answer.hits.size(); ++i) {
    EXPECT_GE(answer.hits[i - 1].timestamp, answer.hits[i].timestamp);
  }
  request.per_session = 1;
  EXPECT_LE(search(request).hits.size(), 2U) << "unless that is asked for";
  request.projects = {"shop"};
  auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
  EXPECT_EQ(searcher->search(request).error().code, Errc::not_found);
  request = {};
  EXPECT_EQ(searcher->search(request).error().message, "Query required");
}

TEST_F(Marking, AFolderNarrowsToWhatRanInIt) {
  write(kOwn, {"heron"});
  ClaudeLines shop("line-shop", "/home/ann/code/shop/src");
  machine.write(machine.session_path("-home-ann-code-shop", kFork),
                shop.prompt("about the cart") + shop.answer("the cart was seen"));
  machine.index();
  search::SearchRequest request;
  request.folder = "/home/ann/code/shop";
  EXPECT_EQ(places(search(request)), Texts{"b#0"});
  request.folder = "/home/ann/code/sho";
  EXPECT_EQ(places(search(request)), Texts{});
  auto reader = machine.reader();
  search::ListFilter filter;
  filter.folder = "/home/ann/code/blog";
  ASSERT_EQ(reader.list(filter)->sessions.size(), 1U);
}

}  // namespace
}  // namespace yore
