#include <gtest/gtest.h>

#include "service/prices.hpp"
#include "service/stats_picture.hpp"

namespace yore::service {
namespace {

using std::chrono::sys_days;

constexpr sys_days day_of(int year, unsigned month, unsigned day) {
  return sys_days{std::chrono::year{year} / static_cast<int>(month) / static_cast<int>(day)};
}

double input_price(const PriceTable& table, std::string_view model) {
  const auto price = table.of(model);
  return price ? price->input : -1;
}

TEST(PriceTable, KnowsAModelByItsNameAndTheDayItWasMade) {
  const PriceTable table({});
  for (const char* name : {"claude-sonnet-4-5", "claude-sonnet-4-5-20250929", "Claude-Sonnet-4-5",
                           "anthropic/claude-sonnet-4-5-20250929", "claude-3-5-sonnet-latest"}) {
    EXPECT_EQ(input_price(table, name), 3) << name;
  }
  EXPECT_EQ(input_price(table, "gpt-5-2025-08-07"), 1.25);
  EXPECT_EQ(input_price(table, "gpt-5-mini"), 0.25);
}

TEST(PriceTable, DoesNotGuessThePriceOfAModelThatOnlySoundsAlike) {
  const PriceTable table({});
  for (const char* name : {"", "claude-opus-4-6", "claude-opus-5", "gpt-5.4", "gpt-5-turbo-3",
                           "claude-sonnet", "claude-sonnet-4-5x", "my-claude-sonnet-4-5"}) {
    EXPECT_FALSE(table.of(name).has_value()) << name;
  }
}

TEST(PriceTable, TheLongestRowOfTheSettingsComesFirst) {
  const PriceTable table({{"claude", 1, 1, 1, 1}, {"claude-sonnet-4", 2, 2, 2, 2}});
  EXPECT_EQ(input_price(table, "claude-sonnet-4-5-20250929"), 2);
  EXPECT_EQ(input_price(table, "claude-opus-9"), 1);
  EXPECT_EQ(input_price(table, "gpt-4o"), 2.5);
}

TEST(PriceTable, CostIsByAMillionTokensOfEachKind) {
  const transcript::Usage tokens{1'000'000, 2'000'000, 3'000'000, 4'000'000};
  EXPECT_DOUBLE_EQ(cost_of(tokens, {"", 1, 10, 100, 1000}), 1 + 20 + 300 + 4000);
}

TEST(StatsPicture, NumbersAreShortAndNeverAThousandOfAUnit) {
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(1234), "1.2k");
  EXPECT_EQ(short_count(999'960), "1.0M");
  EXPECT_EQ(short_count(5'000'000'000), "5.0G");
}

TEST(StatsPicture, ShadesGoUpWithTheCount) {
  EXPECT_EQ(shade_of(0, 10), 0);
  EXPECT_EQ(shade_of(1, 10), 1);
  EXPECT_EQ(shade_of(10, 10), 4);
  EXPECT_EQ(shade_of(1, 1), 1);
  int last = 0;
  for (std::uint64_t count = 0; count <= 100; ++count) {
    EXPECT_GE(shade_of(count, 100), last);
    last = shade_of(count, 100);
  }
  EXPECT_EQ(last, 4);
}

TEST(StatsPicture, CostSaysWhatIsNotKnown) {
  Figures figures;
  EXPECT_EQ(cost_text(figures), "");
  figures.turns = 2;
  EXPECT_EQ(cost_text(figures), "unknown");
  figures.priced = 1;
  figures.cost = 1.239;
  EXPECT_EQ(cost_text(figures), "$1.24 + unknown");
  figures.priced = 2;
  EXPECT_EQ(cost_text(figures), "$1.24");
}

TEST(StatsPicture, AYearEndsTodayAndBeginsOnAMonday) {
  Stats stats;
  const sys_days today = day_of(2026, 11, 18);  // a Wednesday
  for (const sys_days day :
       {day_of(2025, 11, 16), day_of(2025, 11, 17), today, day_of(2026, 11, 19)}) {
    stats.days.push_back({day, {}});
    stats.days.back().figures.turns = 7;
  }
  const YearOfDays year = year_of_days(stats, today);
  EXPECT_EQ(std::chrono::weekday(year.first), std::chrono::Monday);
  EXPECT_EQ(year.turns.size(), 52U * 7 + 3);
  EXPECT_EQ(year.turns.front(), 7U);
  EXPECT_EQ(year.turns.back(), 7U);
  EXPECT_EQ(year.most, 7U);
}

TEST(StatsPicture, NamesAreTextWhateverIsInThem) {
  Stats stats;
  stats.projects.push_back({"</style><script>\"&'\x01\xff", {}});
  stats.projects.back().figures.turns = 1;
  for (const std::string& text :
       {stats_svg(stats, day_of(2026, 11, 18)), stats_html(stats, day_of(2026, 11, 18))}) {
    EXPECT_EQ(text.find("<script"), std::string::npos);
    EXPECT_NE(text.find("&lt;/style&gt;&lt;script&gt;&quot;&amp;"), std::string::npos);
    EXPECT_EQ(text.find('\x01'), std::string::npos);
  }
}

}  // namespace
}  // namespace yore::service
