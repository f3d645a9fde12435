#include "text/named_date.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace yore::text {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;

constexpr sys_days kToday{2026y / 3 / 1};

// "2025-06-03"; "*" for what was not named.
std::string found(std::string_view question) {
  const auto date = find_named_date(question, kToday);
  if (!date) return "";
  const auto padded = [](unsigned value) {
    return std::string(value < 10 ? "0" : "") + std::to_string(value);
  };
  return (date->year ? std::to_string(static_cast<int>(*date->year)) : "*") + "-" +
         padded(static_cast<unsigned>(date->month)) + "-" +
         (date->day ? padded(static_cast<unsigned>(*date->day)) : "*");
}

TEST(NamedDate, IsFoundInEveryUsualForm) {
  EXPECT_EQ(found("what did we decide on October 13, 2023?"), "2023-10-13");
  EXPECT_EQ(found("as mentioned on 3 June, 2023"), "2023-06-03");
  EXPECT_EQ(found("on 8th December, 2023"), "2023-12-08");
  EXPECT_EQ(found("the 22nd of Nov 2025 release"), "2025-11-22");
  EXPECT_EQ(found("the crash we fixed in August 2023"), "2023-08-*");
  EXPECT_EQ(found("the migration of sept 2025"), "2025-09-*");
  EXPECT_EQ(found("when did we go to production in July"), "*-07-*");
  EXPECT_EQ(found("deploy on jan 5"), "*-01-05");
  EXPECT_EQ(found("what broke 2026-02-28?"), "2026-02-28");
  EXPECT_EQ(found("what broke 2026/02/28?"), "2026-02-28");
  EXPECT_EQ(found("what did I ask yesterday"), "2026-02-28");
  EXPECT_EQ(found("What did I ask TODAY"), "2026-03-01");
}

TEST(NamedDate, IsTheMostExactOneAndOfEqualsTheFirst) {
  EXPECT_EQ(found("in June, I mean on 3 June 2023"), "2023-06-03");
  EXPECT_EQ(found("between August 11 and August 15 2023"), "2023-08-15");
  EXPECT_EQ(found("from 2026-01-02 to 2026-01-03"), "2026-01-02");
}

TEST(NamedDate, IsNotSeenInOtherWordsAndNumbers) {
  EXPECT_EQ(found(""), "");
  EXPECT_EQ(found("why does the parser fail"), "");
  EXPECT_EQ(found("this may 5 times fail"), "");
  EXPECT_EQ(found("version 3 may break"), "");
  EXPECT_EQ(found("step 3 march on"), "");
  EXPECT_EQ(found("decide on the decimal mark 12"), "");
  EXPECT_EQ(found("june"), "");
  EXPECT_EQ(found("in dec"), "");  // of hexadecimal and decimal
  EXPECT_EQ(found("error 404 in 2026"), "");
  EXPECT_EQ(found("10.0.0.1 port 8080"), "");
  EXPECT_EQ(found("build 2026-13-01 and 2026-00-10 and 2026-02-40"), "");
  EXPECT_EQ(found("on 31 June 2023"), "");
  EXPECT_EQ(found("on 29 February 2023"), "");
  EXPECT_EQ(found("a-b-c \xFF\xC3 3\xE6\x9C\x88"), "");
}

// Whatever is asked: what is found exists, and is no way from itself.
RC_GTEST_PROP(NamedDateProperty, IsADayOrAMonthThatExists, ()) {
  const auto piece = rc::gen::oneOf(
      rc::gen::element<std::string>("june", "Feb", "may", "2024", "2023", "29", "31st", "of", "on",
                                    "in", "yesterday", "-", "/", "02", ","),
      rc::gen::arbitrary<std::string>());
  std::string question;
  for (const std::string& each : *rc::gen::container<std::vector<std::string>>(piece)) {
    question += each;
    question += *rc::gen::element(' ', '-', '/', ',');
  }
  const auto date = find_named_date(question, kToday);
  if (!date) return;
  using std::chrono::day;
  const std::chrono::year_month_day first{date->year.value_or(2024y), date->month,
                                          date->day.value_or(day{1})};
  RC_ASSERT(first.ok());
  RC_ASSERT(date->days_from(first) == 0);
  RC_ASSERT(date->days_from(std::chrono::sys_days{first} + std::chrono::days{100}) > 0);
}

TEST(NamedDate, KnowsHowFarADayIsAway) {
  const NamedDate exact{2023y, std::chrono::June, 3d};
  EXPECT_EQ(exact.days_from(2023y / 6 / 3), 0);
  EXPECT_EQ(exact.days_from(2023y / 6 / 5), 2);
  EXPECT_EQ(exact.days_from(2023y / 5 / 31), 3);
  const NamedDate whole{2023y, std::chrono::June, std::nullopt};
  EXPECT_EQ(whole.days_from(2023y / 6 / 30), 0);
  EXPECT_EQ(whole.days_from(2023y / 7 / 1), 1);
  EXPECT_EQ(whole.days_from(2024y / 6 / 30), 366);
  const NamedDate any{std::nullopt, std::chrono::December, std::nullopt};
  EXPECT_EQ(any.days_from(2019y / 12 / 24), 0);
  EXPECT_EQ(any.days_from(2020y / 1 / 2), 2);
  EXPECT_EQ(any.days_from(2020y / 11 / 29), 2);
  const NamedDate leap{std::nullopt, std::chrono::February, 29d};
  EXPECT_EQ(leap.days_from(2024y / 2 / 29), 0);
  EXPECT_EQ(leap.days_from(2023y / 3 / 1), 1);
}

}  // namespace
}  // namespace yore::text
