// What was seen stays when an agent rewrites, cuts or deletes what it wrote.
#include <gtest/gtest.h>

#include "search/searcher.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/state_dump.hpp"

namespace yore {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

constexpr std::string_view kRewritten = "aaaaaaaa-1111-4111-8111-111111111111";
constexpr std::string_view kForked = "bbbbbbbb-1111-4111-8111-111111111111";

class Editions : public testing::Test {
 protected:
  // A transcript whose turns say these words: equal ones give equal lines.
  static std::string transcript(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
      ClaudeLines lines("line-" + word);  // keys by the word: a turn is the same wherever it stands
      text += lines.prompt("about the " + word) + lines.answer("the " + word + " was seen");
    }
    return text;
  }
  void write(const std::vector<std::string>& words) {
    machine.write(path, transcript(words));
    machine.index();
  }
  std::vector<search::Hit> hits(const std::string& word) {
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    EXPECT_TRUE(searcher.ok()) << searcher.error().message;
    search::SearchRequest request;
    request.query = word;
    request.mode = search::SearchMode::keyword;
    auto answer = searcher->search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message;
    return std::move(answer->hits);
  }
  // "session#turn", with a mark when it is superseded; "" when it is not found exactly once.
  std::string place(const std::string& word) {
    const auto found = hits(word);
    if (found.size() != 1) return "";
    return found[0].session.uid + "#" + std::to_string(found[0].turn_number) +
           (found[0].superseded ? " superseded" : "");
  }
  std::string chunk(const std::string& chunk_id) {
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    const auto answer = searcher->chunk(chunk_id, 0);
    return answer ? answer->turns.front().user_text : answer.error().message;
  }
  std::uint32_t superseded() { return machine.session(kRewritten).superseded; }

  FakeWorld machine;
  const std::string path = machine.session_path("-home-ann-code-blog", kRewritten);
  const std::string id{kRewritten};
};

TEST_F(Editions, ACutFileKeepsItsTurnsAndTheirIds) {
  write({"heron", "egret", "stork"});
  const std::string printed = hits("stork")[0].chunk_id;
  write({"heron"});
  EXPECT_EQ(place("heron"), id + "#0");
  EXPECT_EQ(place("egret"), id + "~1#1 superseded");
  EXPECT_EQ(place("stork"), id + "~1#2 superseded");
  EXPECT_EQ(superseded(), 2U);
  EXPECT_EQ(chunk(printed), "about the stork");
  EXPECT_EQ(machine.session(kRewritten).facts.turn_count, 1U);
}

TEST_F(Editions, WhoTakesThePlaceOfATurnGetsAnIdOfItsOwn) {
  write({"heron", "egret"});
  const std::string printed = hits("egret")[0].chunk_id;
  write({"heron"});
  machine.append(path, transcript({"ibis"}));
  machine.index();
  EXPECT_EQ(place("ibis"), id + "#1");
  EXPECT_NE(hits("ibis")[0].chunk_id, printed);
  EXPECT_EQ(chunk(printed), "about the egret");
  EXPECT_EQ(chunk(hits("ibis")[0].chunk_id), "about the ibis");
}

TEST_F(Editions, ATurnThatMovesTakesItsIdAlong) {
  write({"heron", "egret"});
  const std::string printed = hits("egret")[0].chunk_id;
  write({"egret", "crane"});
  EXPECT_EQ(place("egret"), id + "#0");
  EXPECT_EQ(place("heron"), id + "~1#0 superseded");
  EXPECT_EQ(chunk(printed), "about the egret");
  EXPECT_EQ(hits("egret")[0].chunk_id, printed);
}

TEST_F(Editions, WhatComesBackLeavesTheEditionAndItsNumberIsNotUsedAgain) {
  write({"heron", "egret"});
  write({"heron"});
  ASSERT_EQ(place("egret"), id + "~1#1 superseded");
  write({"heron", "egret"});
  EXPECT_EQ(place("egret"), id + "#1");
  EXPECT_EQ(superseded(), 0U);
  write({"heron"});
  EXPECT_EQ(place("egret"), id + "~2#1 superseded");
}

TEST_F(Editions, GrowingOrReadingAgainLeavesNone) {
  write({"heron", "egret"});
  machine.append(path, transcript({"stork"}));
  machine.index();
  ingest::IndexOptions force;
  force.force = true;
  machine.index(force);
  EXPECT_EQ(superseded(), 0U);
  // The same turns in a file that was written anew, with one more line before them.
  machine.write(path, "{\"type\":\"file-history-snapshot\"}\n" +
                          transcript({"heron", "egret", "stork", "crane"}));
  machine.index();
  EXPECT_EQ(superseded(), 0U);
  EXPECT_EQ(place("crane"), id + "#3");
}

TEST_F(Editions, TheLongerOfTwoCopiesMayGo) {
  const std::string longer = machine.session_path("-home-ann-code-shop", kRewritten);
  machine.write(longer, transcript({"heron", "egret"}));
  machine.write(path, transcript({"heron"}));
  machine.index();
  ASSERT_EQ(place("egret"), id + "#1");
  machine.remove(longer);
  machine.index();
  EXPECT_EQ(place("heron"), id + "#0");
  EXPECT_EQ(place("egret"), id + "~1#1 superseded");
}

TEST_F(Editions, ATurnThatStandsInAnotherSessionIsNotSuperseded) {
  write({"heron", "egret"});
  const std::string printed = hits("egret")[0].chunk_id;
  machine.write(machine.session_path("-home-ann-code-blog", kForked),
                transcript({"heron", "egret"}));
  machine.index();
  write({"heron"});
  EXPECT_EQ(superseded(), 0U);
  EXPECT_EQ(place("egret"), std::string(kForked) + "#1");
  EXPECT_EQ(chunk(printed), "about the egret");
}

TEST_F(Editions, AnEmptiedSessionIsStillListedWithWhatItHeld) {
  write({"heron", "egret"});
  machine.write(path, "{\"type\":\"file-history-snapshot\"}\n");
  machine.index();
  const auto row = machine.session(kRewritten);
  EXPECT_EQ(row.facts.turn_count, 0U);
  EXPECT_EQ(row.superseded, 2U);
  EXPECT_EQ(row.title, "about the heron");
  EXPECT_NE(row.facts.last_time, kNoTime);
}

TEST_F(Editions, AnEditionIsReadByItsId) {
  write({"heron", "egret", "stork"});
  write({"heron"});
  auto reader = machine.reader();
  const auto edition = reader.find_session(id + "~1");
  ASSERT_TRUE(edition.ok()) << edition.error().message;
  const auto turn = reader.read(*edition, 2, 1);
  ASSERT_EQ(turn->turns.size(), 1U);
  EXPECT_EQ(turn->turns[0].number, 2U);
  EXPECT_EQ(turn->turns[0].user_text, "about the stork");
  EXPECT_TRUE(turn->turns[0].superseded);
  const auto all = reader.read(*edition, 0, 10);
  EXPECT_EQ(all->turns.size(), 2U);
  EXPECT_EQ(search::next_offset(*all, 0), 3U);
  // A prefix names the session, not its editions.
  EXPECT_EQ(reader.find_session(id.substr(0, 8))->uid, id);
}

TEST_F(Editions, GoWithTheirSession) {
  write({"heron", "egret"});
  write({"heron"});
  machine.remove(path);
  ingest::IndexOptions forget;
  forget.forget_missing = true;
  machine.index(forget);
  EXPECT_TRUE(hits("egret").empty());
  auto store = machine.store();
  EXPECT_EQ(fake::dump_state(store), "");
  EXPECT_EQ(fake::feed_problem(store), "");
}

TEST_F(Editions, WhoDeletesOnPurposeKeepsFilesAlone) {
  machine.set_config("[privacy]\nkeep = \"files\"\n");
  write({"heron", "egret"});
  write({"heron"});
  EXPECT_TRUE(hits("egret").empty());
  machine.remove(path);
  machine.index();
  EXPECT_TRUE(hits("heron").empty());
}

TEST_F(Editions, LivingTurnsScoreAsIfNothingWasKept) {
  write({"heron", "egret", "stork", "heron again"});
  write({"heron", "crane"});
  const auto kept = hits("heron");
  FakeWorld clean;
  clean.write(clean.session_path("-home-ann-code-blog", kRewritten),
              transcript({"heron", "crane"}));
  clean.index();
  auto searcher = search::Searcher::open(clean.world(), clean.settings(), {});
  search::SearchRequest request;
  request.query = "heron";
  request.mode = search::SearchMode::keyword;
  const auto answer = searcher->search(request);
  ASSERT_EQ(answer->hits.size(), 1U);
  ASSERT_GE(kept.size(), 2U);
  EXPECT_EQ(kept[0].session.uid, id);
  EXPECT_EQ(kept[0].score, answer->hits[0].score);
}

}  // namespace
}  // namespace yore
