#include "base/time.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "text/when.hpp"

namespace yore {
namespace {

using text::parse_time_expression;

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

// Counted by hand, so that the calendar of the library is not its own judge.
constexpr std::int64_t kMs20260210 = 20'494LL * 86'400'000;
constexpr Time kNoon = from_ms(kMs20260210 + 12 * 3'600'000);

Time at(std::string_view text) {
  const auto time = parse_iso8601(text);
  EXPECT_TRUE(time) << text;
  return time.value_or(kNoTime);
}

TEST(ParseIso8601, ReadsTheFormOfTranscripts) {
  EXPECT_EQ(to_ms(at("2026-02-10T08:19:22.658Z")),
            kMs20260210 + ((8 * 60 + 19) * 60 + 22) * 1000 + 658);
}

TEST(ParseIso8601, CutsTheFractionAtMilliseconds) {
  const std::int64_t second = to_ms(at("2026-02-10T08:19:22Z"));
  EXPECT_EQ(to_ms(at("2026-02-10T08:19:22.5Z")), second + 500);
  EXPECT_EQ(to_ms(at("2026-02-10T08:19:22.05Z")), second + 50);
  EXPECT_EQ(to_ms(at("2026-02-10T08:19:22.6589999999999999999999Z")), second + 658);
  EXPECT_EQ(to_ms(at("2026-02-10T08:19:22,658Z")), second + 658);
}

TEST(ParseIso8601, AppliesTheZone) {
  const Time utc = at("2026-02-10T08:19:22Z");
  EXPECT_EQ(at("2026-02-10T10:19:22+02:00"), utc);
  EXPECT_EQ(at("2026-02-10T10:19:22+0200"), utc);
  EXPECT_EQ(at("2026-02-10T02:49:22.000-05:30"), utc);
  EXPECT_EQ(at("2026-02-10T08:19:22"), utc);
  EXPECT_EQ(at("2026-02-10T08:19:22z"), utc);
}

TEST(ParseIso8601, AcceptsASpaceAndMissingParts) {
  EXPECT_EQ(at("2026-02-10 08:19:22Z"), at("2026-02-10T08:19:22Z"));
  EXPECT_EQ(at("2026-02-10T08:19"), at("2026-02-10T08:19:00Z"));
  EXPECT_EQ(to_ms(at("2026-02-10")), kMs20260210);
}

TEST(ParseIso8601, KnowsTheCalendar) {
  EXPECT_EQ(at("2024-03-01") - at("2024-02-29"), days{1});
  EXPECT_EQ(at("2000-03-01") - at("2000-02-28"), days{2});
  EXPECT_EQ(at("9999-12-31T23:59:59.999Z") + std::chrono::milliseconds{1},
            Time{std::chrono::sys_days{std::chrono::year{10000} / 1 / 1}});
  EXPECT_EQ(at("1970-01-01"), kNoTime);
}

TEST(ParseIso8601, RejectsWhatIsNotATime) {
  for (const std::string_view text : {"",
                                      " ",
                                      "2026",
                                      "2026-02",
                                      "2026-2-10",
                                      "2026-02-1",
                                      "20260210",
                                      "2026/02/10",
                                      "2026-13-01",
                                      "2026-00-01",
                                      "2026-01-00",
                                      "2026-01-32",
                                      "2026-02-31",
                                      "2026-04-31",
                                      "2025-02-29",
                                      "2100-02-29",
                                      "1969-12-31",
                                      "0000-01-01",
                                      "-026-01-01",
                                      "+026-01-01",
                                      "12026-01-01",
                                      "2026-02-10T",
                                      "2026-02-10 ",
                                      "2026-02-10Z",
                                      "2026-02-10T08",
                                      "2026-02-10T8:19:22Z",
                                      "2026-02-10T24:00:00Z",
                                      "2026-02-10T08:60:00Z",
                                      "2026-02-10T08:19:60Z",
                                      "2026-02-10T08:19:",
                                      "2026-02-10T08:19:22.",
                                      "2026-02-10T08:19:22.Z",
                                      "2026-02-10T08:19:22ZZ",
                                      "2026-02-10T08:19:22 Z",
                                      "2026-02-10T08:19:22+",
                                      "2026-02-10T08:19:22+2:00",
                                      "2026-02-10T08:19:22+24:00",
                                      "2026-02-10T08:19:22+02:60",
                                      "2026-02-10T08:19:22+02:00x",
                                      " 2026-02-10",
                                      "2026-02-10T08:19:22.658Z\n",
                                      "2026-02-10X08:19:22Z",
                                      "1970-01-01T00:00:00+01:00",
                                      "9999-12-31T23:59:59-01:00",
                                      "yesterday"}) {
    EXPECT_FALSE(parse_iso8601(text)) << '"' << text << '"';
  }
  EXPECT_FALSE(parse_iso8601(std::string_view{"2026-02-10\0", 11}));
}

TEST(ParseIso8601, RejectsEveryPrefixThatEndsInsideAPart) {
  constexpr std::string_view kText = "2026-02-10T08:19:22.658+02:00";
  for (std::size_t size = 0; size < kText.size(); ++size) {
    // date; minutes; seconds; one, two and three digits of the fraction
    const bool complete = size == 10 || size == 16 || size == 19 || (size >= 21 && size <= 23);
    EXPECT_EQ(parse_iso8601(kText.substr(0, size)).has_value(), complete) << size;
  }
}

TEST(ParseLocalIso8601, TakesTheZoneOfTheMachineWhenNoneIsSaid) {
  ::setenv("TZ", "EST5EDT", 1);
  EXPECT_EQ(parse_local_iso8601("2026-02-10 07:00:00.250"), at("2026-02-10T12:00:00.250Z"));
  EXPECT_EQ(parse_local_iso8601("2026-07-10T08:00:00"), at("2026-07-10T12:00:00Z")) << "in summer";
  EXPECT_EQ(parse_local_iso8601("2026-02-10T07:00:00Z"), at("2026-02-10T07:00:00Z"));
  EXPECT_EQ(parse_local_iso8601("2026-02-10T07:00:00+01:00"), at("2026-02-10T06:00:00Z"));
  EXPECT_EQ(parse_local_iso8601("soon"), std::nullopt);
  ::unsetenv("TZ");
}

TEST(FormatIso8601, AlwaysWritesMillisecondsAndZ) {
  EXPECT_EQ(format_iso8601(kNoon), "2026-02-10T12:00:00.000Z");
  EXPECT_EQ(format_iso8601(kNoon - std::chrono::milliseconds{1}), "2026-02-10T11:59:59.999Z");
  EXPECT_EQ(format_iso8601(from_ms(7)), "1970-01-01T00:00:00.007Z");
}

TEST(FormatIso8601, IsEmptyForWhatHasNoSuchForm) {
  EXPECT_EQ(format_iso8601(kNoTime), "");
  EXPECT_EQ(format_iso8601(from_ms(-1)), "");
  EXPECT_EQ(format_iso8601(at("9999-12-31T23:59:59.999Z") + seconds{1}), "");
  EXPECT_EQ(format_iso8601(from_ms(std::numeric_limits<std::int64_t>::max())), "");
  EXPECT_EQ(format_iso8601(from_ms(std::numeric_limits<std::int64_t>::min())), "");
}

TEST(FormatIso8601, IsReadBackByParse) {
  // A step of a prime number of milliseconds, about 40 days, meets all months and times of day.
  for (std::int64_t ms = 1; ms < to_ms(at("9999-12-31")); ms += 3'456'789'017) {
    const std::string text = format_iso8601(from_ms(ms));
    ASSERT_EQ(parse_iso8601(text), from_ms(ms)) << text;
  }
}

TEST(FormatAge, CountsInTheUnitThatFits) {
  const auto age = [](std::chrono::milliseconds distance) {
    return format_age(kNoon - distance, kNoon);
  };
  EXPECT_EQ(age(seconds{0}), "just now");
  EXPECT_EQ(age(seconds{59}), "just now");
  EXPECT_EQ(age(seconds{60}), "1 minute ago");
  EXPECT_EQ(age(minutes{2}), "2 minutes ago");
  EXPECT_EQ(age(seconds{3599}), "59 minutes ago");
  EXPECT_EQ(age(hours{1}), "1 hour ago");
  EXPECT_EQ(age(minutes{23 * 60 + 59}), "23 hours ago");
  EXPECT_EQ(age(hours{24}), "1 day ago");
  EXPECT_EQ(age(days{3}), "3 days ago");
  EXPECT_EQ(age(days{14} - seconds{1}), "13 days ago");
  EXPECT_EQ(age(days{14}), "2 weeks ago");
  EXPECT_EQ(age(days{59}), "8 weeks ago");
  EXPECT_EQ(age(days{60}), "2 months ago");
  EXPECT_EQ(age(days{364}), "12 months ago");
  EXPECT_EQ(age(days{365}), "1 year ago");
  EXPECT_EQ(age(days{800}), "2 years ago");
}

TEST(FormatAge, CallsTheFutureJustNow) {
  EXPECT_EQ(format_age(kNoon + days{3}, kNoon), "just now");
}

TEST(FormatAge, IsEmptyWhenTheTimeIsNotKnown) {
  EXPECT_EQ(format_age(kNoTime, kNoon), "");
}

TEST(FormatAge, SurvivesTimesAtTheEndsOfTheRange) {
  const Time first = from_ms(std::numeric_limits<std::int64_t>::min());
  const Time last = from_ms(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(format_age(first, last), "584942417 years ago");
  EXPECT_EQ(format_age(last, first), "just now");
}

TEST(ParseTimeExpression, SubtractsADurationFromNow) {
  const auto back = [](std::string_view text) {
    const auto time = parse_time_expression(text, kNoon, hours{2});
    EXPECT_TRUE(time) << text;
    return kNoon - time.value_or(kNoon);
  };
  EXPECT_EQ(back("0d"), days{0});
  EXPECT_EQ(back("30min"), minutes{30});
  EXPECT_EQ(back("2h"), hours{2});
  EXPECT_EQ(back("3d"), days{3});
  EXPECT_EQ(back("3days"), days{3});
  EXPECT_EQ(back("2w"), days{14});
  EXPECT_EQ(back("2weeks"), days{14});
  EXPECT_EQ(back("6m"), days{180});
  EXPECT_EQ(back("6mo"), days{180});
  EXPECT_EQ(back("6months"), days{180});
  EXPECT_EQ(back("1y"), days{365});
  EXPECT_EQ(back(" 1Year\n"), days{365});
}

TEST(ParseTimeExpression, BeginsDaysAtLocalMidnight) {
  const Time late = at("2026-02-10T23:30:00Z");
  const auto east = [&](std::string_view text) {
    return parse_time_expression(text, late, hours{2});
  };
  const auto west = [&](std::string_view text) {
    return parse_time_expression(text, late, -hours{8});
  };
  EXPECT_EQ(east("today"), at("2026-02-10T22:00:00Z"));
  EXPECT_EQ(east("yesterday"), at("2026-02-09T22:00:00Z"));
  EXPECT_EQ(west("Today"), at("2026-02-10T08:00:00Z"));
  EXPECT_EQ(west("yesterday"), at("2026-02-09T08:00:00Z"));
  EXPECT_EQ(east("2026-01-31"), at("2026-01-30T22:00:00Z"));
  EXPECT_EQ(west("2026-01-31"), at("2026-01-31T08:00:00Z"));
}

TEST(ParseTimeExpression, LeavesIso8601AsItIs) {
  EXPECT_EQ(parse_time_expression("2026-01-31T10:00:00Z", kNoon, hours{2}),
            at("2026-01-31T10:00:00Z"));
  EXPECT_EQ(parse_time_expression("2026-01-31T10:00:00+01:00", kNoon, hours{2}),
            at("2026-01-31T09:00:00Z"));
}

TEST(ParseTimeExpression, NeverAnswersTheUnknownTime) {
  EXPECT_EQ(parse_time_expression("999999y", kNoon, seconds{0}), from_ms(1));
  EXPECT_EQ(parse_time_expression("1970-01-01", kNoon, hours{2}), from_ms(1));
}

TEST(ParseTimeExpression, RejectsTheRest) {
  for (const std::string_view text :
       {"", "d", "3", "3x", "-3d", "3 d", "3d4h", "1.5h", "0x1d", "1000000d",
        "99999999999999999999d", "tomorrow", "2026-02-30", "todayy", "3dd"}) {
    EXPECT_FALSE(parse_time_expression(text, kNoon, seconds{0})) << text;
  }
}

}  // namespace
}  // namespace yore
