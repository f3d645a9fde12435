// Both stages of a search over a few texts: what comes first, and why.
#include "search/ranker.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "search/query.hpp"
#include "search/search_filter.hpp"
#include "search/search_terms.hpp"
#include "support/temp_dir.hpp"
#include "support/tiny_index.hpp"

namespace yore::search {
namespace {

using test::TinyDoc;
using test::TinyTurn;
using Turns = std::vector<lexical::TurnOrd>;

constexpr std::int64_t kDay = 86'400'000;

TinyDoc said(std::uint32_t turn, std::string text) {
  return {lexical::Family::conversation, tag_of(turns::Surface::user_prompt), turn, 0,
          std::move(text)};
}
TinyDoc answered(std::uint32_t turn, std::uint32_t block, std::string text) {
  return {lexical::Family::conversation, lexical::kAnswerTag, turn, block, std::move(text)};
}
TinyDoc printed(std::uint32_t turn, std::string text) {
  return {lexical::Family::detail, tag_of(turns::Surface::tool), turn, 0, std::move(text)};
}

class Ranking : public testing::Test {
 protected:
  Ranking() {
    const auto surfaces = choose_surfaces({}, {});
    options_.selection.weights = surfaces->weights;
    options_.selection.earlier_answer_weight = surfaces->earlier_answer_weight;
    options_.now_ms = 1000 * kDay;
  }
  void hold(const std::vector<TinyTurn>& turns, const std::vector<TinyDoc>& docs) {
    index_.set_turns(turns);
    index_.publish(docs);
  }
  // Turns of sessions of their own, on days 1, 2, 3 …
  static std::vector<TinyTurn> alone(std::uint32_t count) {
    std::vector<TinyTurn> turns;
    for (std::uint32_t i = 0; i < count; ++i) turns.push_back({i, (i + 1) * kDay, 0, 0xFFFF});
    return turns;
  }
  std::vector<ScoredTurn> judged(std::string_view question) {
    const SearchTerms terms = make_terms(parse_query(question), analyzer_, stemmer_);
    const auto snapshot = index_.snapshot();
    auto search = lexical::Search::prepare(snapshot, terms.scored);
    EXPECT_TRUE(search.ok());
    return rank(*search, *snapshot, options_);
  }
  Turns ranked(std::string_view question) {
    Turns turns;
    for (const ScoredTurn& each : judged(question)) turns.push_back(each.candidate.turn);
    return turns;
  }
  static text::NamedDate date(int first_day, int last_day) {
    text::NamedDate named;
    named.first = std::chrono::sys_days{std::chrono::days{first_day}};
    named.last = std::chrono::sys_days{std::chrono::days{last_day}};
    return named;
  }

  fake::TempDir dir_;
  test::TinyIndex index_{dir_.path() + "/keyword", {}};
  text::Analyzer analyzer_;
  text::Stemmer stemmer_;
  RankOptions options_;
};

TEST_F(Ranking, ATurnThatHoldsMoreOfTheQuestionComesFirst) {
  hold(alone(3), {said(0, "a kettle gasket broke"), said(1, "a kettle is fine"), said(2, "tea")});
  EXPECT_EQ(ranked("kettle gasket"), (Turns{0, 1}));
}

TEST_F(Ranking, ARareWordCountsMoreThanACommonOne) {
  hold(alone(5), {said(0, "the gasket"), said(1, "the kettle"), said(2, "the kettle"),
                  said(3, "the kettle"), said(4, "the kettle")});
  EXPECT_EQ(ranked("kettle gasket").front(), 0U);
}

TEST_F(Ranking, AConclusionComesBeforeTheSameSaidOnTheWay) {
  std::vector<TinyTurn> turns = alone(2);
  turns[0].summary_block = 3;
  turns[1].summary_block = 9;  // block 3 is none, though the turn is newer
  hold(turns, {answered(0, 3, "the gasket broke"), answered(1, 3, "the gasket broke")});
  EXPECT_EQ(ranked("gasket"), (Turns{0, 1}));
}

TEST_F(Ranking, WhatWasSaidComesBeforeWhatAToolPrinted) {
  hold(alone(4), {said(0, "the gasket broke"), printed(1, "the gasket broke"), said(2, "tea"),
                  printed(3, "tea")});
  EXPECT_EQ(ranked("gasket"), (Turns{0, 1}));
}

TEST_F(Ranking, WordsElsewhereInTheTurnCount) {
  hold(alone(3), {said(0, "the gasket broke"), answered(0, 0, "a new kettle then"),
                  said(1, "the gasket broke"), answered(1, 0, "a new pan then"), said(2, "tea")});
  EXPECT_EQ(ranked("gasket kettle").front(), 0U);
}

TEST_F(Ranking, ASessionThatSpeaksOfItLiftsItsTurns) {
  hold({{0, 2 * kDay, 0, 0xFFFF}, {1, kDay, 0, 0xFFFF}, {1, kDay, 0, 0xFFFF}},
       {said(0, "one gasket"), said(1, "one gasket"), said(2, "gasket, gasket and gasket")});
  const Turns turns = ranked("gasket");
  EXPECT_LT(std::ranges::find(turns, 1U), std::ranges::find(turns, 0U));
}

TEST_F(Ranking, OfEqualsTheNewerComesFirst) {
  hold(alone(3),
       {said(0, "the gasket broke"), said(1, "the gasket broke"), said(2, "the gasket broke")});
  EXPECT_EQ(ranked("gasket"), (Turns{2, 1, 0}));
}

TEST_F(Ranking, BeingNewIsABonusThatCanBeSwitchedOff) {
  hold({{0, kDay, 0, 0xFFFF}, {1, 1000 * kDay, 0, 0xFFFF}},
       {said(0, "the gasket broke"), said(1, "the gasket broke")});
  options_.half_life_days = 30;
  auto found = judged("gasket");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_GT(found[0].score.total, found[1].score.total);
  EXPECT_GT(found[0].score.recency, found[1].score.recency);
  options_.half_life_days = std::nullopt;
  found = judged("gasket");
  EXPECT_EQ(found[0].score.total, found[1].score.total);
}

TEST_F(Ranking, CopiesOfATurnAreOne) {
  hold({{0, kDay, 77, 0xFFFF}, {1, 2 * kDay, 77, 0xFFFF}, {2, 3 * kDay, 0, 0xFFFF}},
       {said(0, "the gasket broke"), said(1, "the gasket broke"), said(2, "another gasket")});
  EXPECT_EQ(ranked("gasket").size(), 2U);
}

TEST_F(Ranking, OnlyWhatIsAllowedIsRanked) {
  hold(alone(3), {said(0, "gasket"), said(1, "gasket"), said(2, "gasket")});
  lexical::TurnSet allowed(3);
  allowed.add(1);
  options_.selection.allowed = &allowed;
  EXPECT_EQ(ranked("gasket"), (Turns{1}));
}

TEST_F(Ranking, NoMoreThanTheCandidatesAreRanked) {
  hold(alone(3), {said(0, "gasket"), said(1, "gasket"), said(2, "gasket")});
  options_.candidates = 2;
  EXPECT_EQ(ranked("gasket").size(), 2U);
}

TEST_F(Ranking, CoverageIsTheShareOfTheQuestionThatATurnHolds) {
  hold(alone(3), {said(0, "the gasket of the kettle"), said(1, "a gasket"), said(2, "a kettle")});
  const auto found = judged("gasket kettle");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].candidate.turn, 0U);
  EXPECT_DOUBLE_EQ(found[0].evidence.coverage, 1);
  EXPECT_NEAR(found[1].evidence.coverage, 0.5, 1e-9);
}

TEST_F(Ranking, ADateThatIsNamedDrawsItsTurnsForward) {
  hold(alone(6), {said(0, "gasket"), said(1, "gasket"), said(2, "gasket"), said(3, "gasket"),
                  said(4, "gasket"), said(5, "gasket")});
  options_.date = date(2, 2);  // turn 1
  const auto found = judged("gasket");
  ASSERT_EQ(found.size(), 6U);
  EXPECT_EQ(found[0].candidate.turn, 1U);
  EXPECT_EQ(found[0].evidence.dated, 1);
  EXPECT_LT(found[1].evidence.dated, 1);
}

TEST_F(Ranking, TurnsOfADateComeAlongEvenWhenOthersFillAllPlaces) {
  hold({{0, kDay, 0, 0xFFFF},
        {1, 100 * kDay, 0, 0xFFFF},
        {2, 101 * kDay, 0, 0xFFFF},
        {3, 102 * kDay, 0, 0xFFFF}},
       {said(0, "gasket"), said(1, "gasket"), said(2, "gasket"), said(3, "gasket")});
  options_.candidates = 2;
  EXPECT_EQ(ranked("gasket"), (Turns{3, 2}));
  options_.date = date(1, 1);
  EXPECT_EQ(ranked("gasket"), (Turns{0, 3, 2}));
}

TEST_F(Ranking, ByADateAloneItsTurnsAreTheAnswerAndElseTheNearest) {
  hold(alone(6),
       {said(0, "a"), said(1, "b"), said(2, "c"), said(3, "d"), said(4, "e"), said(5, "f")});
  options_.basis = ranking::RankBy::date;
  options_.date = date(2, 3);
  EXPECT_EQ(ranked("what was on those days"), (Turns{2, 1}));
  options_.date = date(20, 21);
  EXPECT_EQ(ranked("what was on those days").front(), 5U);
}

}  // namespace
}  // namespace yore::search
