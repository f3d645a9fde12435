// Where reading stops and goes on: limits, cursors, lines that do not fit.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "jsonl_testing.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript {
namespace {

using jsonl_testing::Problem;
using jsonl_testing::Reading;
using jsonl_testing::Seen;
using jsonl_testing::TempFile;
using Problems = std::vector<Problem>;

// --- lines that are too long ---------------------------------------------------------------------

constexpr std::string_view kLongHead = R"({"type":"big","n":[1,2],"pad":")";

std::string long_line(std::size_t size) {
  return std::string{kLongHead} + std::string(size - kLongHead.size() - 2, 'x') + "\"}";
}

// Notes the type and the size of the padding.
OnObject note_types(Reading& reading) {
  return [&reading](simdjson::ondemand::object& object, const LineInfo& where) {
    std::string_view type;
    std::string_view pad;
    if (object["type"].get_string().get(type)) return false;
    if (object["pad"].get_string().get(pad)) pad = {};
    reading.seen.push_back(
        {where.offset, where.line, std::string{type} + std::to_string(pad.size())});
    return true;
  };
}

TEST(JsonlOversized, ReadsTheHeadOfALineThatIsTooLong) {
  const TempFile file{"{\"type\":\"a\"}\n" + long_line(kMaxRecordBytes) + "\n" +
                      long_line(kMaxRecordBytes + 1) + "\n{\"type\":\"b\"}\n"};
  Reading reading;
  const auto step = read_jsonl(file.path(), "", {}, reading, note_types(reading));
  ASSERT_TRUE(step);
  ASSERT_EQ(reading.seen.size(), 4U);
  EXPECT_EQ(reading.seen[0].text, "a0");
  EXPECT_EQ(reading.seen[1].text, "big" + std::to_string(kMaxRecordBytes - kLongHead.size() - 2));
  EXPECT_EQ(reading.seen[2].text, "big" + std::to_string(kOversizedHeadBytes - kLongHead.size()));
  EXPECT_EQ(reading.seen[3].text, "b0");
  EXPECT_EQ(reading.seen[3].line, 4U);
  EXPECT_EQ(reading.problems, (Problems{{ProblemKind::oversized, 3}}));
  EXPECT_FALSE(step->more);
  EXPECT_TRUE(jsonl_resumable(file.path(), step->cursor).value_or(false));
}

TEST(JsonlOversized, CountsNothingElseWhenTheHeadIsOfNoUse) {
  const TempFile file{std::string(kMaxRecordBytes + 5, '\0') + "\n{}\n"};
  Reading reading;
  ASSERT_TRUE(reading.read_on(file.path()));
  EXPECT_EQ(reading.problems, (Problems{{ProblemKind::oversized, 1}}));
  EXPECT_EQ(reading.seen, (std::vector<Seen>{{kMaxRecordBytes + 6, 2, ""}}));
}

TEST(JsonlOversized, WaitsForTheNewlineOfALineThatIsTooLong) {
  const TempFile file{"{}\n" + long_line(kMaxRecordBytes + (2 << 20))};
  Reading reading;
  const auto first = read_jsonl(file.path(), "", {}, reading, note_types(reading));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->bytes_read, 3U);
  EXPECT_FALSE(first->more);
  EXPECT_TRUE(jsonl_resumable(file.path(), first->cursor).value_or(false));
  file.append("\n");
  const auto second = read_jsonl(file.path(), first->cursor, {}, reading, note_types(reading));
  ASSERT_TRUE(second);
  EXPECT_EQ(reading.seen.size(), 1U);  // {} has no type and is refused
  EXPECT_EQ(reading.problems,
            (Problems{{ProblemKind::wrong_type, 1}, {ProblemKind::oversized, 2}}));
}

// --- the cursor ----------------------------------------------------------------------------------

Cursor cursor_after(const TempFile& file) {
  Reading reading;
  (void)reading.read_on(file.path());
  return reading.cursor;
}

TEST(JsonlCursor, StaysGoodWhenTheFileGrows) {
  for (const std::size_t lines : {1U, 50U, 5000U, 100'000U}) {
    std::string text;
    for (std::size_t i = 0; i < lines; ++i) text += "{\"n\":" + std::to_string(i) + "}\n";
    const TempFile file{text};
    const Cursor cursor = cursor_after(file);
    file.append("{}\n{\"torn");
    EXPECT_TRUE(jsonl_resumable(file.path(), cursor).value_or(false)) << lines;
    Reading reading;
    reading.cursor = cursor;
    ASSERT_TRUE(reading.read_on(file.path()));
    EXPECT_EQ(reading.seen, (std::vector<Seen>{{text.size(), lines + 1, ""}}));
    EXPECT_TRUE(jsonl_resumable(file.path(), reading.cursor).value_or(false)) << lines;
  }
}

TEST(JsonlCursor, IsTheSameHoweverManyCallsLedToIt) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "{\"n\":" + std::to_string(i) + "}\n";
  const TempFile file{text};
  Reading small;
  ASSERT_TRUE(small.read_on(file.path(), {100}));
  EXPECT_EQ(small.cursor, cursor_after(file));
}

TEST(JsonlCursor, IsRefusedWhenTheFileShrankOrWasRewritten) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "{\"n\":" + std::to_string(i) + "}\n";
  const TempFile file{text};
  const Cursor cursor = cursor_after(file);
  for (const std::size_t at : {std::size_t{1}, text.size() - 2}) {
    std::string changed = text;
    changed[at] = '#';
    file.write(changed);
    EXPECT_FALSE(jsonl_resumable(file.path(), cursor).value_or(true)) << at;
  }
  file.write(text.substr(0, text.size() - 1));
  EXPECT_FALSE(jsonl_resumable(file.path(), cursor).value_or(true));
  file.write(text);
  EXPECT_TRUE(jsonl_resumable(file.path(), cursor).value_or(false));
}

TEST(JsonlCursor, IsRefusedWhenItIsNone) {
  const TempFile file{"{}\n"};
  EXPECT_TRUE(jsonl_resumable(file.path(), "").value_or(false));
  EXPECT_FALSE(jsonl_resumable(file.path(), "x").value_or(true));
  EXPECT_FALSE(jsonl_resumable(file.path(), std::string(36, '\xFF')).value_or(true));
  const auto missing = jsonl_resumable(file.path() + "x", cursor_after(file));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::not_found);
}

TEST(JsonlCursor, StopsBetweenTwoLinesWhenTheLimitIsReached) {
  const TempFile file{"{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"};
  Reading reading;
  ASSERT_TRUE(reading.step(file.path(), {9}));
  EXPECT_EQ(reading.bytes_read, 16U);
  EXPECT_TRUE(reading.more);
  ASSERT_TRUE(reading.step(file.path(), {0}));
  EXPECT_EQ(reading.bytes_read, 24U);
  EXPECT_FALSE(reading.more);
  EXPECT_EQ(reading.seen.size(), 3U);
  EXPECT_EQ(reading.seen.back().line, 3U);
}

}  // namespace
}  // namespace yore::transcript
