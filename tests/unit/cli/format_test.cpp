#include "cli/screen/format.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>

namespace yore::cli {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

constexpr Time kNow = from_ms(1'770'000'000'000);

TEST(Count, GroupsThousands) {
  EXPECT_EQ(count(0), "0");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(1000), "1,000");
  EXPECT_EQ(count(1234567), "1,234,567");
  EXPECT_EQ(count(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Plural, LeavesTheSingularAlone) {
  EXPECT_EQ(plural(0, "turn"), "0 turns");
  EXPECT_EQ(plural(1, "turn"), "1 turn");
  EXPECT_EQ(plural(1234, "turn"), "1,234 turns");
}

TEST(Size, ChoosesTheUnitThatKeepsTheNumberSmall) {
  EXPECT_EQ(size(0), "0 B");
  EXPECT_EQ(size(999), "999 B");
  EXPECT_EQ(size(1000), "1.0 KB");
  EXPECT_EQ(size(12'345'678), "12.3 MB");
  EXPECT_EQ(size(UINT64_MAX), "18.4 EB");
}

TEST(Size, NeverPrintsAThousandOfAUnit) {
  EXPECT_EQ(size(999'949), "999.9 KB");
  EXPECT_EQ(size(999'999), "1.0 MB");
}

TEST(Rate, IsEmptyWhenNothingIsKnown) {
  EXPECT_EQ(rate(1000, 0), "");
  EXPECT_EQ(rate(0, 1), "");
  EXPECT_EQ(rate(2'000'000, 2), "1.0 MB/s");
}

TEST(Duration, GetsCoarserAsItGrows) {
  EXPECT_EQ(duration(0.004), "4 ms");
  EXPECT_EQ(duration(0.42), "0.42 s");
  EXPECT_EQ(duration(3.14), "3.1 s");
  EXPECT_EQ(duration(59.4), "59 s");
  EXPECT_EQ(duration(125), "2 min 5 s");
  EXPECT_EQ(duration(3725), "1 h 2 min");
  EXPECT_EQ(duration(-1), "");
}

TEST(ShortAge, FitsANarrowColumn) {
  EXPECT_EQ(short_age(kNow, kNow), "now");
  EXPECT_EQ(short_age(kNow + hours(1), kNow), "now");
  EXPECT_EQ(short_age(kNow - minutes(59), kNow), "59min");
  EXPECT_EQ(short_age(kNow - minutes(60), kNow), "1h");
  EXPECT_EQ(short_age(kNow - hours(24), kNow), "1d");
  EXPECT_EQ(short_age(kNow - days(14), kNow), "2w");
  EXPECT_EQ(short_age(kNow - days(90), kNow), "3mo");
  EXPECT_EQ(short_age(kNow - days(800), kNow), "2y");
  EXPECT_EQ(short_age(kNoTime, kNow), "");
}

TEST(LocalTime, UsesTheZoneThatHeldAtThatTime) {
  ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
  ::tzset();
  EXPECT_EQ(local_time(*parse_iso8601("2026-02-10T08:19:22Z")), "2026-02-10 09:19");
  EXPECT_EQ(local_time(*parse_iso8601("2026-07-10T08:19:22Z")), "2026-07-10 10:19");
  EXPECT_EQ(local_time(kNoTime), "");
  ::setenv("TZ", "UTC", 1);
  ::tzset();
}

TEST(ShownPath, AbbreviatesTheHomeFolderOnly) {
  EXPECT_EQ(shown_path("/home/sam/x", "/home/sam"), "~/x");
  EXPECT_EQ(shown_path("/home/sam", "/home/sam"), "~");
  EXPECT_EQ(shown_path("/home/samuel/x", "/home/sam"), "/home/samuel/x");
  EXPECT_EQ(shown_path("/x", "/"), "/x");
  EXPECT_EQ(shown_path("/a\x1b[31mb", "/home/sam"), "/ab");
}

}  // namespace
}  // namespace yore::cli
