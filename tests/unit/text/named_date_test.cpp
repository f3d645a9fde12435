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

std::string text_of(sys_days when, bool every_year) {
  const std::chrono::year_month_day date{when};
  const auto padded = [](unsigned value) {
    return std::string(value < 10 ? "0" : "") + std::to_string(value);
  };
  return (every_year ? "*" : std::to_string(static_cast<int>(date.year()))) + "-" +
         padded(static_cast<unsigned>(date.month())) + "-" +
         padded(static_cast<unsigned>(date.day()));
}

// "2025-06-03" or "2025-06-01 2025-06-30"; "*" for a year that was not named.
std::string found(std::string_view question) {
  const auto date = find_named_date(question, kToday);
  if (!date) return "";
  const std::string first = text_of(date->first, date->every_year);
  return date->first == date->last ? first : first + " " + text_of(date->last, date->every_year);
}

// The words of the question that say it.
std::string_view said(std::string_view question) {
  const auto date = find_named_date(question, kToday);
  return date && date->said ? question.substr(date->begin, date->end - date->begin)
                            : std::string_view{};
}

TEST(NamedDate, IsFoundInEveryUsualForm) {
  EXPECT_EQ(found("what did we decide on October 13, 2023?"), "2023-10-13");
  EXPECT_EQ(found("as mentioned on 3 June, 2023"), "2023-06-03");
  EXPECT_EQ(found("on 8th December, 2023"), "2023-12-08");
  EXPECT_EQ(found("the 22nd of Nov 2025 release"), "2025-11-22");
  EXPECT_EQ(found("the crash we fixed in August 2023"), "2023-08-01 2023-08-31");
  EXPECT_EQ(found("the migration of sept 2025"), "2025-09-01 2025-09-30");
  EXPECT_EQ(found("when did we go to production in July"), "*-07-01 *-07-31");
  EXPECT_EQ(found("what did we do in February"), "*-02-01 *-02-29");
  EXPECT_EQ(found("deploy on jan 5"), "*-01-05");
  EXPECT_EQ(found("what broke 2026-02-28?"), "2026-02-28");
  EXPECT_EQ(found("what broke 2026/02/28?"), "2026-02-28");
}

// Today is Sunday, the first of March 2026.
TEST(NamedDate, IsCountedFromToday) {
  EXPECT_EQ(found("What did I ask TODAY"), "2026-03-01");
  EXPECT_EQ(found("this morning"), "2026-03-01");
  EXPECT_EQ(found("what did I ask yesterday"), "2026-02-28");
  EXPECT_EQ(found("the build broke last night"), "2026-02-28 2026-03-01");
  EXPECT_EQ(found("what did we do this week"), "2026-02-23 2026-03-01");
  EXPECT_EQ(found("what did we do last week?"), "2026-02-16 2026-02-22");
  EXPECT_EQ(found("the previous month"), "2026-02-01 2026-02-28");
  EXPECT_EQ(found("last year"), "2025-01-01 2025-12-31");
  EXPECT_EQ(found("in the past week"), "2026-02-22 2026-03-01");
  EXPECT_EQ(found("over the last three days"), "2026-02-26 2026-03-01");
  EXPECT_EQ(found("the last few days"), "2026-02-26 2026-03-01");
  EXPECT_EQ(found("3 days ago"), "2026-02-26");
  EXPECT_EQ(found("a couple of weeks ago"), "2026-02-12 2026-02-18");
  EXPECT_EQ(found("a month ago"), "2026-01-15 2026-02-14");
  EXPECT_EQ(found("what broke on Friday"), "2026-02-27");
  EXPECT_EQ(found("what broke on sunday"), "2026-03-01");
  EXPECT_EQ(found("last Sunday"), "2026-02-22");
  EXPECT_EQ(found("since Monday"), "2026-02-23 2026-03-01");
  EXPECT_EQ(found("everything since June"), "2025-06-01 2026-03-01");
  EXPECT_EQ(found("since 3 February"), "2026-02-03 2026-03-01");
  EXPECT_EQ(found("since last week"), "2026-02-16 2026-03-01");
}

TEST(NamedDate, KnowsItsWords) {
  EXPECT_EQ(said("what did we decide on October 13, 2023?"), "October 13, 2023");
  EXPECT_EQ(said("the 3rd of June then"), "3rd of June");
  EXPECT_EQ(said("what did we do last week?"), "last week");
  EXPECT_EQ(said("a couple of weeks ago, the parser"), "couple of weeks ago");
  EXPECT_EQ(said("what broke on Friday"), "Friday");
  EXPECT_EQ(said("what did we do on 2026-02-28"), "2026-02-28");
  EXPECT_EQ(said("logs/2026-02-28.txt"), "");  // may as well be a name
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
  EXPECT_EQ(found("friday deploys"), "");
  EXPECT_EQ(found("the last day of the trial"), "");
  EXPECT_EQ(found("keep it for 30 days"), "");
  EXPECT_EQ(found("a week of work"), "");
  EXPECT_EQ(found("0 days ago"), "");
  EXPECT_EQ(found("in dec"), "");  // of hexadecimal and decimal
  EXPECT_EQ(found("error 404 in 2026"), "");
  EXPECT_EQ(found("10.0.0.1 port 8080"), "");
  EXPECT_EQ(found("build 2026-13-01 and 2026-00-10 and 2026-02-40"), "");
  EXPECT_EQ(found("on 31 June 2023"), "");
  EXPECT_EQ(found("on 29 February 2023"), "");
  EXPECT_EQ(found("a-b-c \xFF\xC3 3\xE6\x9C\x88"), "");
}

// Whatever is asked: what is found lies in the question, and is no way from itself.
RC_GTEST_PROP(NamedDateProperty, IsMadeOfDaysThatExist, ()) {
  const auto piece = rc::gen::oneOf(
      rc::gen::element<std::string>("june", "Feb", "may", "2024", "2023", "29", "31st", "of", "on",
                                    "in", "yesterday", "-", "/", "02", ",", "last", "past", "this",
                                    "week", "months", "ago", "two", "friday", "since"),
      rc::gen::arbitrary<std::string>());
  std::string question;
  for (const std::string& each : *rc::gen::container<std::vector<std::string>>(piece)) {
    question += each;
    question += *rc::gen::element(' ', '-', '/', ',');
  }
  const auto date = find_named_date(question, kToday);
  if (!date) return;
  RC_ASSERT(date->begin < date->end);
  RC_ASSERT(date->end <= question.size());
  RC_ASSERT(date->first <= date->last);
  for (const sys_days inside : {date->first, date->last}) {
    const std::chrono::year_month_day day{inside};
    RC_ASSERT(day.ok());
    RC_ASSERT(date->days_from(inside) == 0);
  }
  if (date->every_year) {
    RC_ASSERT(date->days_from(date->last + std::chrono::days{100}) > 0);
  } else {
    RC_ASSERT(date->days_from(date->last + std::chrono::days{100}) == 100);
  }
}

TEST(NamedDate, KnowsHowFarADayIsAway) {
  const NamedDate exact{2023y / 6 / 3, 2023y / 6 / 3};
  EXPECT_EQ(exact.days_from(2023y / 6 / 3), 0);
  EXPECT_EQ(exact.days_from(2023y / 6 / 5), 2);
  EXPECT_EQ(exact.days_from(2023y / 5 / 31), 3);
  const NamedDate whole{2023y / 6 / 1, 2023y / 6 / 30};
  EXPECT_EQ(whole.days_from(2023y / 6 / 30), 0);
  EXPECT_EQ(whole.days_from(2023y / 7 / 1), 1);
  EXPECT_EQ(whole.days_from(2024y / 6 / 30), 366);
  const NamedDate any{2000y / 12 / 1, 2000y / 12 / 31, true};
  EXPECT_EQ(any.days_from(2019y / 12 / 24), 0);
  EXPECT_EQ(any.days_from(2020y / 1 / 2), 2);
  EXPECT_EQ(any.days_from(2020y / 11 / 29), 2);
  const NamedDate leap{2000y / 2 / 29, 2000y / 2 / 29, true};
  EXPECT_EQ(leap.days_from(2024y / 2 / 29), 0);
  EXPECT_EQ(leap.days_from(2023y / 3 / 1), 1);
}

}  // namespace
}  // namespace yore::text
