#include "ranking/rank.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace yore::ranking {
namespace {

constexpr std::int64_t kNow = 1'772'366'400'000;
constexpr std::int64_t kDay = 24LL * 3600 * 1000;

TEST(Judge, AddsWordsElsewhereInTheTurnAndInTheSession) {
  Constants constants;
  const Score alone = judge({2, 2, 0, kNow}, kNow, 30, constants);
  EXPECT_DOUBLE_EQ(alone.relevance, 2);
  EXPECT_DOUBLE_EQ(alone.total, 2);
  const Score spread = judge({2, 3, 0, kNow}, kNow, 30, constants);
  EXPECT_DOUBLE_EQ(spread.relevance, 2 + constants.turn_share);
  const Score company = judge({2, 2, 1, kNow}, kNow, 30, constants);
  EXPECT_DOUBLE_EQ(company.relevance, 2 + constants.session_share);
}

TEST(Judge, TakesHalfOfTheBonusAfterTheHalfLife) {
  Constants constants;
  const double fresh = judge({1, 1, 0, kNow}, kNow, 30, constants).recency;
  const double older = judge({1, 1, 0, kNow - 30 * kDay}, kNow, 30, constants).recency;
  const double ancient = judge({1, 1, 0, 0}, kNow, 30, constants).recency;
  EXPECT_DOUBLE_EQ(fresh, 1);
  EXPECT_DOUBLE_EQ(older, 1 - constants.recency_share / 2);
  EXPECT_NEAR(ancient, 1 - constants.recency_share, 1e-9);
  EXPECT_DOUBLE_EQ(judge({1, 1, 0, 0}, kNow, std::nullopt, constants).recency, 1);
  EXPECT_DOUBLE_EQ(judge({1, 1, 0, kNow + kDay}, kNow, 30, constants).recency, 1);
}

RC_GTEST_PROP(Judge, NeverPrefersTheOlderOfEqualsNorLiftsWhatIsFarLessRelevant, ()) {
  const double points = static_cast<double>(*rc::gen::inRange(1, 1000)) / 10;
  const auto young = *rc::gen::inRange<std::int64_t>(0, 4000);
  const auto old = young + *rc::gen::inRange<std::int64_t>(0, 4000);
  const auto half_life = static_cast<double>(*rc::gen::inRange(1, 400));
  const Constants constants;
  const auto at = [&](double value, std::int64_t days) {
    return judge({value, value, 0, kNow - days * kDay}, kNow, half_life, constants).total;
  };
  RC_ASSERT(at(points, young) >= at(points, old));
  RC_ASSERT(at(points, old) > at(points * (1 - constants.recency_share) * 0.99, 0));
}

TEST(FillPage, CapsSessionsAndCountsWhatIsHidden) {
  const std::vector<Ranked> ranked = {
      {0, Standing::shown, 1}, {1, Standing::shown, 1},    {2, Standing::subagent, 2},
      {3, Standing::shown, 1}, {4, Standing::current, 3},  {5, Standing::automated, 4},
      {6, Standing::shown, 5}, {7, Standing::subagent, 2}, {8, Standing::shown, 6}};
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
