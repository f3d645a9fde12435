#include "ranking/rank.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace yore::ranking {
namespace {

constexpr std::int64_t kNow = 1'772'366'400'000;
constexpr std::int64_t kDay = 24LL * 3600 * 1000;

// One candidate by words.
Score judge(const Evidence& evidence, std::int64_t now_ms, std::optional<double> half_life_days,
            const Constants& constants) {
  return ranking::judge(std::span(&evidence, 1), RankBy::words, now_ms, half_life_days, constants)
      .front();
}

// By words alone.
Evidence said(double passage, double turn, double session, std::int64_t last_time_ms) {
  Evidence evidence;
  evidence.passage = passage;
  evidence.turn = turn;
  evidence.session = session;
  evidence.last_time_ms = last_time_ms;
  return evidence;
}

Evidence candidate(double passage, double coverage, std::optional<double> cosine) {
  Evidence evidence;
  evidence.passage = evidence.turn = passage;
  evidence.asked = 20;
  evidence.coverage = coverage;
  evidence.cosine = cosine;
  evidence.last_time_ms = kNow;
  return evidence;
}

std::size_t best_of(const std::vector<Evidence>& candidates, RankBy basis) {
  const std::vector<Score> scores =
      ranking::judge(candidates, basis, kNow, std::nullopt, Constants{});
  return static_cast<std::size_t>(std::ranges::max_element(scores, {}, &Score::total) -
                                  scores.begin());
}

TEST(Judge, PrefersTheTurnThatHoldsAllWordsOfAPastedCommand) {
  EXPECT_EQ(best_of({candidate(5, 0.3, {}), candidate(3, 1, {})}, RankBy::words), 1U);
  EXPECT_EQ(best_of({candidate(5, 1, {}), candidate(3, 1, {})}, RankBy::words), 0U);
}

TEST(Judge, LetsMeaningDecideWhenWordsSayLittle) {
  // A paraphrase: of both only a common word is there.
  EXPECT_EQ(best_of({candidate(2, 0.1, 0.15), candidate(0, 0, 0.6)}, RankBy::both), 1U);
  EXPECT_EQ(best_of({candidate(2, 0.1, 0.6), candidate(0, 0, 0.6)}, RankBy::both), 0U);
}

TEST(Judge, LetsWordsDecideWhenTheyAreAllThere) {
  EXPECT_EQ(best_of({candidate(9, 1, 0.3), candidate(2, 0.2, 0.6)}, RankBy::both), 0U);
}

TEST(Judge, TakesTheNearerOfTwoThatHoldTheSameWords) {
  EXPECT_EQ(best_of({candidate(5, 0.6, 0.3), candidate(5, 0.6, 0.7)}, RankBy::both), 1U);
}

TEST(Judge, ByMeaningAloneGoesByTheCosine) {
  EXPECT_EQ(best_of({candidate(9, 1, 0.3), candidate(0, 0, 0.4)}, RankBy::meaning), 1U);
}

TEST(Judge, ByDateAloneGoesByTheDate) {
  Evidence then = candidate(0, 0, {});
  then.dated = 1;
  Evidence beside = candidate(9, 1, 0.9);
  beside.dated = 0.7;
  EXPECT_EQ(best_of({beside, then}, RankBy::date), 1U);
}

TEST(Judge, PrefersTheDateThatWasNamedAmongMuchTheSame) {
  for (const RankBy basis : {RankBy::words, RankBy::meaning, RankBy::both}) {
    Evidence then = candidate(4, 0.5, 0.5);
    then.dated = 1;
    EXPECT_EQ(best_of({candidate(5, 0.6, 0.55), then}, basis), 1U);
    Evidence beside_the_point = candidate(0.5, 0.1, 0.1);
    beside_the_point.dated = 1;
    EXPECT_EQ(best_of({candidate(5, 0.6, 0.55), beside_the_point}, basis), 0U);
  }
}

// However the rest stands: being nearer to the date never pushes down.
RC_GTEST_PROP(Judge, BeingNearerToTheDateNeverCosts, ()) {
  const auto number = [](int top) { return *rc::gen::inRange(0, top) / 10.0; };
  std::vector<Evidence> all(3);
  for (Evidence& each : all) {
    each = candidate(number(90), number(11), number(11));
    each.dated = number(11);
  }
  const RankBy basis =
      *rc::gen::element(RankBy::words, RankBy::meaning, RankBy::both, RankBy::date);
  const auto total = [&] {
    return ranking::judge(all, basis, kNow, std::nullopt, Constants{})[0].total;
  };
  all[0].dated = number(6);
  const double before = total();
  all[0].dated += 0.4;
  RC_ASSERT(total() >= before);
}

TEST(IsRelevant, WantsWordsOrMeaningOrSomeOfBoth) {
  const Constants constants;
  EXPECT_TRUE(is_relevant(candidate(1, 1, 0.0), constants));
  EXPECT_TRUE(is_relevant(candidate(0, 0, 0.85), constants));
  EXPECT_TRUE(is_relevant(candidate(1, 0.4, 0.45), constants));
  EXPECT_FALSE(is_relevant(candidate(1, 0.2, 0.4), constants));
  // Unknown is neither near nor far.
  EXPECT_TRUE(is_relevant(candidate(1, 0.5, {}), constants));
  EXPECT_FALSE(is_relevant(candidate(1, 0.1, {}), constants));
}

TEST(IsWorthShowing, LeavesOutWhatIsNeitherNearNorHoldsAWord) {
  const Constants constants;
  EXPECT_FALSE(is_worth_showing(candidate(0, 0, 0.2), RankBy::both, constants));
  EXPECT_TRUE(is_worth_showing(candidate(0, 0, 0.4), RankBy::both, constants));
  EXPECT_TRUE(is_worth_showing(candidate(1, 0.1, 0.0), RankBy::both, constants));
  EXPECT_TRUE(is_worth_showing(candidate(0, 0, 0.2), RankBy::meaning, constants));
}

std::vector<Evidence> random_candidates() {
  std::vector<Evidence> all(*rc::gen::inRange<std::size_t>(1, 12));
  for (Evidence& each : all) {
    each = candidate(static_cast<double>(*rc::gen::inRange(0, 200)) / 10,
                     static_cast<double>(*rc::gen::inRange(0, 11)) / 10, {});
  }
  return all;
}

std::vector<std::size_t> order_of(const std::vector<Evidence>& all, RankBy basis) {
  const std::vector<Score> scores = ranking::judge(all, basis, kNow, 30, Constants{});
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return scores[i].total; });
  return order;
}

RC_GTEST_PROP(Judge, WithoutVectorsTheOrderIsThatOfTheWords, ()) {
  const std::vector<Evidence> all = random_candidates();
  // Where trust in words is nought nothing is known of anybody.
  RC_PRE(trust_in_words(all, Constants{}) > 0);
  RC_ASSERT(order_of(all, RankBy::both) == order_of(all, RankBy::words));
}

RC_GTEST_PROP(Judge, BeingEmbeddedLaterPushesNobodyBelowThoseWithFewerWordsAndNoMoreMeaning, ()) {
  std::vector<Evidence> all = random_candidates();
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (*rc::gen::arbitrary<bool>()) {
      all[i].cosine = static_cast<double>(*rc::gen::inRange(0, 100)) / 100;
    }
  }
  // The first is not embedded; a twin of it whose vector is middling must not come before it.
  const double trust = trust_in_words(all, Constants{});
  const std::vector<Score> scores = ranking::judge(all, RankBy::both, kNow, 30, Constants{});
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (scores[i].words > scores[0].words || scores[i].nearness > scores[0].nearness) continue;
    RC_ASSERT(scores[i].total <= scores[0].total + 1e-12);
  }
  RC_ASSERT(trust >= 0 && trust <= 1);
}

TEST(Judge, AddsWordsElsewhereInTheTurnAndInTheSession) {
  Constants constants;
  const Score alone = judge(said(2, 2, 0, kNow), kNow, 30, constants);
  EXPECT_DOUBLE_EQ(alone.relevance, 2);
  EXPECT_DOUBLE_EQ(alone.total, 2);
  const Score spread = judge(said(2, 3, 0, kNow), kNow, 30, constants);
  EXPECT_DOUBLE_EQ(spread.relevance, 2 + constants.turn_share);
  const Score company = judge(said(2, 2, 1, kNow), kNow, 30, constants);
  EXPECT_DOUBLE_EQ(company.relevance, 2 + constants.session_share);
}

TEST(Judge, TakesHalfOfTheBonusAfterTheHalfLife) {
  Constants constants;
  const double fresh = judge(said(1, 1, 0, kNow), kNow, 30, constants).recency;
  const double older = judge(said(1, 1, 0, kNow - 30 * kDay), kNow, 30, constants).recency;
  const double ancient = judge(said(1, 1, 0, 0), kNow, 30, constants).recency;
  EXPECT_DOUBLE_EQ(fresh, 1);
  EXPECT_DOUBLE_EQ(older, 1 - constants.recency_share / 2);
  EXPECT_NEAR(ancient, 1 - constants.recency_share, 1e-9);
  EXPECT_DOUBLE_EQ(judge(said(1, 1, 0, 0), kNow, std::nullopt, constants).recency, 1);
  EXPECT_DOUBLE_EQ(judge(said(1, 1, 0, kNow + kDay), kNow, 30, constants).recency, 1);
}

RC_GTEST_PROP(Judge, NeverPrefersTheOlderOfEqualsNorLiftsWhatIsFarLessRelevant, ()) {
  const double points = static_cast<double>(*rc::gen::inRange(1, 1000)) / 10;
  const auto young = *rc::gen::inRange<std::int64_t>(0, 4000);
  const auto old = young + *rc::gen::inRange<std::int64_t>(0, 4000);
  const auto half_life = static_cast<double>(*rc::gen::inRange(1, 400));
  const Constants constants;
  const auto at = [&](double value, std::int64_t days) {
    return judge(said(value, value, 0, kNow - days * kDay), kNow, half_life, constants).total;
  };
  RC_ASSERT(at(points, young) >= at(points, old));
  RC_ASSERT(at(points, old) > at(points * (1 - constants.recency_share) * 0.99, 0));
}

TEST(Likelihood, GrowsWithWordsAndMeaningAndStaysBetweenNoneAndOne) {
  const auto of = [](double coverage, std::optional<double> cosine) {
    Evidence evidence;
    evidence.coverage = coverage;
    evidence.cosine = cosine;
    return likelihood(evidence);
  };
  for (const std::optional<double> cosine : {std::optional<double>{}, std::optional(0.5)}) {
    EXPECT_LT(of(0.2, cosine), of(0.6, cosine));
    EXPECT_LT(of(0.6, cosine), of(1, cosine));
    EXPECT_GT(of(0, cosine), 0);
    EXPECT_LT(of(1, cosine), 1);
  }
  EXPECT_LT(of(0.5, 0.1), of(0.5, 0.8));
  EXPECT_EQ(of(0.5, -0.3), of(0.5, 0)) << "opposite is no less likely than unrelated";
  EXPECT_GT(of(1, 0.9), 0.8);
  EXPECT_LT(of(0.1, 0.2), 0.5);
}

TEST(FillPage, CapsSessionsAndCountsWhatIsHidden) {
  const std::vector<PageCandidate> ranked = {
      {0, Visibility::shown, 1}, {1, Visibility::shown, 1},    {2, Visibility::subagent, 2},
      {3, Visibility::shown, 1}, {4, Visibility::current, 3},  {5, Visibility::automated, 4},
      {6, Visibility::shown, 5}, {7, Visibility::subagent, 2}, {8, Visibility::shown, 6}};
  const Page page = fill_page(ranked, 3, 2);
  EXPECT_EQ(page.candidates, (std::vector<std::size_t>{0, 1, 6}));
  EXPECT_EQ(page.subagents, 1U);  // the second would not have been on this page
  EXPECT_EQ(page.automated, 1U);
  EXPECT_EQ(page.current, 1U);
  EXPECT_TRUE(page.more);
  const Page all = fill_page(ranked, 9, 0);
  EXPECT_EQ(all.candidates, (std::vector<std::size_t>{0, 1, 3, 6, 8}));
  EXPECT_FALSE(all.more);
  EXPECT_FALSE(fill_page({}, 5, 3).more);
}

}  // namespace
}  // namespace yore::ranking
