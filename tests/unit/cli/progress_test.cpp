#include "cli/screen/progress.hpp"

#include <gtest/gtest.h>

#include "text/utf8.hpp"

namespace yore::cli {
namespace {

using ingest::IndexProgress;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr IndexProgress kHalf{120, 312, 50'000'000, 100'000'000};

TEST(Percent, GoesByBytesAndStaysWithinAHundred) {
  EXPECT_EQ(percent({}), 0U);
  EXPECT_EQ(percent(kHalf), 50U);
  EXPECT_EQ(percent({1, 4, 0, 0}), 25U);
  EXPECT_EQ(percent({4, 4, 200, 100}), 100U);
  EXPECT_EQ(percent({3, 4, 999, 1000}), 99U);
}

TEST(ProgressLine, TellsEverythingWhereThereIsRoom) {
  const std::string line = progress_line(kHalf, 2.0, 100);
  EXPECT_TRUE(line.starts_with(" 50% ███████████████░░░░░░░░░░░░░░░")) << line;
  EXPECT_NE(line.find("120/312 sessions"), std::string::npos) << line;
  EXPECT_NE(line.find("25.0 MB/s"), std::string::npos) << line;
  EXPECT_NE(line.find("2.0 s left"), std::string::npos) << line;
}

TEST(ProgressLine, IsNeverWiderThanTheTerminal) {
  for (std::size_t columns = 1; columns <= 200; ++columns) {
    EXPECT_LE(text::display_width(progress_line(kHalf, 2.0, columns)), columns) << columns;
  }
}

TEST(ProgressLine, KeepsThePercentageOnANarrowTerminal) {
  EXPECT_EQ(progress_line(kHalf, 2.0, 30), " 50% 120/312");
}

TEST(ProgressLine, GuessesNoSpeedFromTheFirstMoments) {
  EXPECT_EQ(progress_line(kHalf, 0.1, 100).find("MB/s"), std::string::npos);
}

class Meter : public testing::Test {
 protected:
  std::string written_;
  ProgressMeter::Write write_ = [this](std::string_view text) { written_ += text; };
  ProgressMeter::Clock::time_point start_ = ProgressMeter::Clock::now();
};

TEST_F(Meter, ErasesWhatItDrew) {
  ProgressMeter meter(write_, {true, 80}, milliseconds(0));
  meter.update(kHalf, start_ + seconds(2));
  EXPECT_TRUE(written_.starts_with("\r 50%")) << written_;
  meter.finish();
  EXPECT_TRUE(written_.ends_with("\r\x1b[K"));
}

TEST_F(Meter, DrawsAtMostTenTimesASecond) {
  ProgressMeter meter(write_, {true, 80}, milliseconds(0));
  meter.update(kHalf, start_ + seconds(2));
  const std::size_t once = written_.size();
  meter.update(kHalf, start_ + seconds(2) + milliseconds(99));
  EXPECT_EQ(written_.size(), once);
  meter.update(kHalf, start_ + seconds(2) + milliseconds(100));
  EXPECT_GT(written_.size(), once);
}

TEST_F(Meter, SaysNothingBeforeItsDelay) {
  ProgressMeter meter(write_, {true, 80}, seconds(500));
  meter.update(kHalf, start_ + seconds(2));
  meter.finish();
  EXPECT_EQ(written_, "");
}

TEST_F(Meter, PrintsALineForEachTenthOffATerminal) {
  ProgressMeter meter(write_, {false, 80}, milliseconds(0));
  for (std::uint64_t i = 0; i <= 100; ++i) {
    meter.update({i, 100, i, 100}, start_ + seconds(5));
  }
  meter.finish();
  EXPECT_EQ(std::count(written_.begin(), written_.end(), '\n'), 10);
  EXPECT_TRUE(written_.starts_with("yore: 10% read, 10 of 100 sessions\n")) << written_;
  EXPECT_EQ(written_.find('\r'), std::string::npos);
}

TEST_F(Meter, CountsPassagesOnceEverythingIsRead) {
  ProgressMeter meter(write_, {false, 80}, milliseconds(0));
  meter.update({100, 100, 100, 100}, start_ + seconds(5));
  meter.update({100, 100, 100, 100, 500, 2000}, start_ + seconds(6));
  EXPECT_EQ(written_,
            "yore: 100% read, 100 of 100 sessions\nyore: 25% indexed, 500 of 2,000 passages\n");
  written_.clear();
  // A keyword index that is built anew from what was read before.
  ProgressMeter again(write_, {true, 60}, milliseconds(0));
  again.update({0, 0, 0, 0, 500, 2000}, start_ + seconds(6));
  EXPECT_NE(written_.find(" 25%"), std::string::npos) << written_;
  EXPECT_NE(written_.find("500/2,000 passages indexed"), std::string::npos) << written_;
}

}  // namespace
}  // namespace yore::cli
