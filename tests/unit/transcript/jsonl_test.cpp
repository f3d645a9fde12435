#include "transcript/input/jsonl.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "jsonl_testing.hpp"
#include "support/cpu_time.hpp"

namespace yore::transcript {
namespace {

using jsonl_testing::Problem;
using jsonl_testing::read_bytes;
using jsonl_testing::Reading;
using jsonl_testing::Seen;
using jsonl_testing::TempFile;
using Texts = std::vector<std::string>;
using Problems = std::vector<Problem>;
using namespace std::string_literals;

const Problems kNoProblems;

Problems one(ProblemKind kind, std::uint64_t line = 1) {
  return {{kind, line}};
}

TEST(Jsonl, GivesEachObjectWithItsOffsetAndLine) {
  const Reading reading = read_bytes("{\"a\":1}\n  {\"b\":\"x\\ny\"}\n");
  EXPECT_EQ(reading.seen, (std::vector<Seen>{{0, 1, "a=1.000000,"}, {10, 2, "b='x\ny',"}}));
  EXPECT_EQ(reading.problems, kNoProblems);
  EXPECT_EQ(reading.bytes_read, 23U);
}

// Reading zeros at memory speed would take a minute.
TEST(Jsonl, GoesOverTheHolesOfASparseFile) {
  const TempFile file{"{\"a\":1}\n"};
  constexpr std::uint64_t kHole = 100ULL << 30;
  std::filesystem::resize_file(file.path(), kHole);
  file.append("\n{\"b\":2}\n");
  Reading reading;
  const double seconds = fake::cpu_seconds([&] { reading.read_on(file.path()); });
  EXPECT_LT(seconds, 2.0);
  EXPECT_EQ(reading.seen,
            (std::vector<Seen>{{0, 1, "a=1.000000,"}, {kHole + 1, 3, "b=2.000000,"}}));
  EXPECT_EQ(reading.problems, one(ProblemKind::oversized, 2));
  EXPECT_TRUE(*jsonl_resumable(file.path(), reading.cursor));
  file.append("{\"c\":3}\n");
  ASSERT_TRUE(reading.read_on(file.path()));
  EXPECT_EQ(reading.seen.size(), 3U);
}

TEST(Jsonl, LeavesAHoleAtTheEndForLater) {
  const TempFile file{"{\"a\":1}\n"};
  std::filesystem::resize_file(file.path(), 100ULL << 30);
  Reading reading;
  const double seconds = fake::cpu_seconds([&] { reading.read_on(file.path()); });
  EXPECT_LT(seconds, 2.0);
  EXPECT_EQ(reading.seen.size(), 1U);
  EXPECT_EQ(reading.bytes_read, 8U);
}

TEST(Jsonl, IgnoresBlankLinesButCountsThem) {
  const Reading reading = read_bytes("\n \t\r\n{\"a\":\"x\"}\n\n\n");
  EXPECT_EQ(reading.seen, (std::vector<Seen>{{5, 3, "a='x',"}}));
  EXPECT_EQ(reading.problems, kNoProblems);
}

TEST(Jsonl, ReadsLinesThatEndWithCarriageReturns) {
  const Reading reading = read_bytes("{\"a\":\"x\"}\r\n{\"a\":\"y\"}\r\n");
  EXPECT_EQ(reading.texts(), (Texts{"a='x',", "a='y',"}));
  EXPECT_EQ(reading.problems, kNoProblems);
}

TEST(Jsonl, SkipsAByteOrderMarkAtTheStartOfTheFile) {
  const Reading reading = read_bytes("\xEF\xBB\xBF{\"a\":\"x\"}\n");
  EXPECT_EQ(reading.seen, (std::vector<Seen>{{3, 1, "a='x',"}}));
  EXPECT_EQ(reading.problems, kNoProblems);
}

TEST(Jsonl, ReadsAllValuesOfALine) {
  const Reading reading = read_bytes("{\"a\":\"x\"}{\"a\":\"y\"} {\"a\":\"z\"}\n{}\n");
  EXPECT_EQ(reading.seen, (std::vector<Seen>{
                              {0, 1, "a='x',"}, {9, 1, "a='y',"}, {19, 1, "a='z',"}, {29, 2, ""}}));
  EXPECT_EQ(reading.problems, kNoProblems);
}

TEST(Jsonl, ReadsALineOfVeryManyValuesInOnePass) {
  std::string line;
  for (int i = 0; i < 200'000; ++i) line += "{}";
  EXPECT_EQ(read_bytes(line + '\n').seen.size(), 200'000U);
  EXPECT_EQ(read_bytes(line + "x\n").seen.size(), 200'000U);
}

TEST(Jsonl, ReadsBothRecordsAroundANewlineDamagedToAnyByte) {
  const TempFile file;
  for (int byte = 0; byte < 256; ++byte) {
    if (byte == '\n') continue;
    const std::string text = "{\"a\":\"x\"}" + std::string(1, static_cast<char>(byte)) +
                             "{\"a\":\"y\"}\n{\"a\":\"z\"}\n";
    file.write(text);
    Reading reading;
    ASSERT_TRUE(reading.read_on(file.path()));
    EXPECT_EQ(reading.texts(), (Texts{"a='x',", "a='y',", "a='z',"})) << byte;
    EXPECT_LE(reading.problems.size(), 1U) << byte;
  }
  EXPECT_EQ(read_bytes("{}#{}\n").problems, one(ProblemKind::invalid_json));
}

TEST(Jsonl, KeepsWhatWasReadBeforeJunk) {
  const Reading reading = read_bytes("{\"a\":\"x\"} trailing junk\n{\"a\":\"y\"}}\n");
  EXPECT_EQ(reading.texts(), (Texts{"a='x',", "a='y',"}));
  EXPECT_EQ(reading.problems,
            (Problems{{ProblemKind::invalid_json, 1}, {ProblemKind::invalid_json, 2}}));
}

TEST(Jsonl, DoesNotTakeTheInsideOfADamagedObjectForARecord) {
  // A bracket too early, a first byte lost, a comma gone.
  for (const std::string line : {"{\"type\":\"u\"},\"message\":{\"role\":\"x\"}}",
                                 "X\"type\":\"u\",\"message\":{\"role\":\"x\"}}",
                                 ":{\"role\":\"x\"}}", "{\"m\":{\"a\":1}\"n\":{\"role\":\"x\"}}"}) {
    const Reading reading = read_bytes(line + "\n{\"a\":\"y\"}\n");
    for (const Seen& seen : reading.seen) EXPECT_NE(seen.text, "role='x',") << line;
    EXPECT_EQ(reading.seen.back().text, "a='y',") << line;
    EXPECT_EQ(reading.problems, one(ProblemKind::invalid_json)) << line;
  }
}

TEST(Jsonl, CountsValuesThatAreNoObjectsAsWrongType) {
  for (const std::string line : {"null", "3", "\"text\"", "[{\"a\":1}]", "true", "-1.5e3"}) {
    const Reading reading = read_bytes(line + "\n{}\n");
    EXPECT_EQ(reading.seen.size(), 1U) << line;
    EXPECT_EQ(reading.problems, one(ProblemKind::wrong_type)) << line;
  }
}

TEST(Jsonl, CountsWhatIsNoJsonAsInvalid) {
  for (const std::string line : {"nul", "{", "{\"a\":", "{\"a\":\"x}", "{\"a\" 1}", "{\"a\":tru}",
                                 "}{", "{\"a\":[1}", "\x80\x80", "{\"a\":\"\\q\"}", "{\"a\":01}"}) {
    const Reading reading = read_bytes(line + "\n{}\n");
    EXPECT_EQ(reading.seen.size(), 1U) << line;
    EXPECT_EQ(reading.problems, one(ProblemKind::invalid_json)) << line;
  }
}

TEST(Jsonl, CountsWhatTheHandlerRefusesAsWrongType) {
  const TempFile file{"{\"a\":1}\n{\"a\":\"\\ud800\"}\n{\"a\":nope}\n"};
  Reading sink;
  const auto step = read_jsonl(file.path(), "", {}, sink,
                               [](simdjson::ondemand::object&, const LineInfo&) { return false; });
  ASSERT_TRUE(step);
  EXPECT_EQ(sink.problems, (Problems{{ProblemKind::wrong_type, 1},
                                     {ProblemKind::wrong_type, 2},
                                     {ProblemKind::invalid_json, 3}}));
}

TEST(Jsonl, RepairsDamagedBytesAndCountsEachKindOnceALine) {
  EXPECT_EQ(read_bytes("{\"a\":\"x\xFFy\xFFz\"}\n").texts(), Texts{"a='x\uFFFDy\uFFFDz',"});
  EXPECT_EQ(read_bytes("{\"a\":\"x\xFFy\xFFz\"}\n").problems, one(ProblemKind::invalid_utf8));
  EXPECT_EQ(read_bytes("{\"a\":\"x\\ud83d!\"}\n").texts(), Texts{"a='x\uFFFD!',"});
  EXPECT_EQ(read_bytes("{\"a\":\"x\\ud83d!\"}\n").problems, one(ProblemKind::lone_surrogate));
  EXPECT_EQ(read_bytes("{\"a\":\"x\0\x01y\"}\n"s).texts(), Texts{"a='x\uFFFD\uFFFDy',"});
  EXPECT_EQ(read_bytes("{\"a\":\"x\0\x01y\"}\n"s).problems, one(ProblemKind::control_bytes));
  const Reading all = read_bytes("{}\n{\"a\":\"\xFF\\udead\x02\"}{\"b\":\"\xFE\"}\n");
  EXPECT_EQ(all.texts(), (Texts{"", "a='\uFFFD\uFFFD\uFFFD',", "b='\uFFFD',"}));
  EXPECT_EQ(all.problems, (Problems{{ProblemKind::invalid_utf8, 2},
                                    {ProblemKind::lone_surrogate, 2},
                                    {ProblemKind::control_bytes, 2}}));
}

TEST(Jsonl, ReadsAnObjectBehindZerosThatACrashLeft) {
  const Reading reading = read_bytes(std::string(5000, '\0') + "{\"a\":\"x\"}\0\0\n{}\n"s);
  EXPECT_EQ(reading.seen, (std::vector<Seen>{{5000, 1, "a='x',"}, {5012, 2, ""}}));
  EXPECT_EQ(reading.problems, one(ProblemKind::control_bytes));
}

TEST(Jsonl, ReadsACompleteLastLineWithoutItsNewlineOnce) {
  const TempFile file{"{\"a\":\"x\"}\n{\"a\":\"y\"}"};
  Reading reading;
  ASSERT_TRUE(reading.read_on(file.path()));
  EXPECT_EQ(reading.texts(), (Texts{"a='x',", "a='y',"}));
  file.append("\n{\"a\":\"z\"}");
  ASSERT_TRUE(reading.read_on(file.path()));
  file.append("{\"a\":\"same line\"}\r");
  ASSERT_TRUE(reading.read_on(file.path()));
  file.append("\n{}\n");
  ASSERT_TRUE(reading.read_on(file.path()));
  EXPECT_EQ(reading.seen, (std::vector<Seen>{{0, 1, "a='x',"},
                                             {10, 2, "a='y',"},
                                             {20, 3, "a='z',"},
                                             {29, 3, "a='same line',"},
                                             {48, 4, ""}}));
  EXPECT_EQ(reading.problems, kNoProblems);
}

TEST(Jsonl, LeavesATornLastLineAloneUntilItIsComplete) {
  const TempFile file{"{}\n{\"a\":\"x\xC3"};
  Reading reading;
  ASSERT_TRUE(reading.read_on(file.path()));
  EXPECT_EQ(reading.bytes_read, 3U);
  const Cursor before = reading.cursor;
  ASSERT_TRUE(reading.read_on(file.path()));
  EXPECT_EQ(reading.cursor, before);
  file.append("\xA9\"}\n");
  ASSERT_TRUE(reading.read_on(file.path()));
  EXPECT_EQ(reading.seen, (std::vector<Seen>{{0, 1, ""}, {3, 2, "a='xé',"}}));
  EXPECT_EQ(reading.problems, kNoProblems);
}

TEST(Jsonl, JudgesADoubtfulLastLineOnlyWhenItsNewlineIsThere) {
  for (const std::string tail : {"{\"a\":\"\\ud800\"}", "{\"a\":\"\xFF\"}", "null", "junk",
                                 "{\"a\":}}", "{\"a\":tru}", "{\"a\":1,}"}) {
    const TempFile file{"{}\n" + tail};
    Reading reading;
    ASSERT_TRUE(reading.read_on(file.path()));
    EXPECT_EQ(reading.seen.size(), 1U) << tail;
    EXPECT_EQ(reading.problems, kNoProblems) << tail;
    file.append("\n");
    ASSERT_TRUE(reading.read_on(file.path()));
    EXPECT_EQ(reading.problems.size(), 1U) << tail;
  }
}

TEST(Jsonl, ReadsAnUntouchedObjectToItsEnd) {
  const TempFile file{"{\"a\":{\"b\":[1,2]},\"c\":3}{\"d\":4}\n{\"e\":5}\n"};
  Reading sink;
  int calls = 0;
  const auto step = read_jsonl(file.path(), "", {}, sink,
                               [&](simdjson::ondemand::object& object, const LineInfo&) {
                                 simdjson::ondemand::value value;
                                 if (++calls != 2) return true;
                                 return object.find_field("d").get(value) == simdjson::SUCCESS;
                               });
  ASSERT_TRUE(step);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(sink.problems, kNoProblems);
}

TEST(Jsonl, SurvivesNestingOfAnyDepth) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string objects = [] {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "{\"a\":";
    return text + "1" + std::string(100'000, '}');
  }();
  const TempFile file{"{\"a\":1}\n{\"d\":" + deep + "}\n" + objects + "\n" +
                      std::string(100'000, '{') + "\n{\"d\":" + deep + "}"};
  Reading sink;
  std::vector<std::uint64_t> lines;
  const auto step = read_jsonl(file.path(), "", {}, sink,
                               [&](simdjson::ondemand::object& object, const LineInfo& where) {
                                 for (auto field : object) {
                                   if (field.error()) return false;
                                 }
                                 lines.push_back(where.line);
                                 return true;
                               });
  ASSERT_TRUE(step);
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{1, 2, 3, 5}));
  EXPECT_EQ(sink.problems, one(ProblemKind::invalid_json, 4));
}

TEST(Jsonl, LetsAHandlerReadAnotherText) {
  const TempFile file{"{\"a\":\"x\",\"b\":\"y\"}\n{\"a\":\"x\",\"b\":\"z\"}\n"};
  Reading outer;
  Reading inner;
  const auto step = read_jsonl(file.path(), "", {}, outer,
                               [&](simdjson::ondemand::object& object, const LineInfo&) {
                                 std::string_view a;
                                 std::string_view b;
                                 if (object["a"].get_string().get(a)) return false;
                                 read_json_text("{\"inner\":\"text\"}", {}, inner, inner.handler());
                                 if (object["b"].get_string().get(b)) return false;
                                 outer.seen.push_back({0, 0, std::string{a} + std::string{b}});
                                 return true;
                               });
  ASSERT_TRUE(step);
  EXPECT_EQ(outer.texts(), (Texts{"xy", "xz"}));
  EXPECT_EQ(inner.seen.size(), 2U);
}

TEST(Jsonl, SaysWhatIsWrongWithAFileThatCannotBeRead) {
  const TempFile file;
  Reading reading;
  const auto missing = read_jsonl(file.path() + "x", "", {}, reading, reading.handler());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::not_found);
  const auto directory = read_jsonl(file.directory(), "", {}, reading, reading.handler());
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, Errc::io);
  const auto cursor = read_jsonl(file.path(), "no cursor", {}, reading, reading.handler());
  ASSERT_FALSE(cursor);
  EXPECT_EQ(cursor.error().code, Errc::invalid_argument);
}

TEST(Jsonl, EndsQuietlyWhenTheFileShrinks) {
  std::string lines;
  while (lines.size() < (4U << 20)) lines += "{\"a\":\"some text of some length\"}\n";
  const TempFile file{lines};
  Reading sink;
  std::size_t calls = 0;
  const auto step =
      read_jsonl(file.path(), "", {}, sink, [&](simdjson::ondemand::object&, const LineInfo&) {
        if (calls++ == 0) std::filesystem::resize_file(file.path(), 100);
        return true;
      });
  ASSERT_TRUE(step);
  EXPECT_GE(calls, 2U);
  EXPECT_LT(step->bytes_read, lines.size());
  const auto again = read_jsonl(file.path(), step->cursor, {}, sink,
                                [](simdjson::ondemand::object&, const LineInfo&) { return true; });
  ASSERT_TRUE(again);
  EXPECT_EQ(again->cursor, step->cursor);
  EXPECT_EQ(again->bytes_read, 0U);
}

// --- texts in memory -----------------------------------------------------------------------------

Reading read_text(std::string_view text, const LineInfo& where) {
  Reading reading;
  read_json_text(text, where, reading, reading.handler());
  return reading;
}

TEST(JsonText, ReadsEveryLineOfATextAndCountsFromWhereItStarts) {
  const Reading reading = read_text("{\"a\":\"x\"}\nnull\n{\"a\":\"\\ud800\"}", {100, 7});
  EXPECT_EQ(reading.seen, (std::vector<Seen>{{100, 7, "a='x',"}, {115, 9, "a='\uFFFD',"}}));
  EXPECT_EQ(reading.problems,
            (Problems{{ProblemKind::wrong_type, 8}, {ProblemKind::lone_surrogate, 9}}));
}

TEST(JsonText, ReadsAValueThatStretchesOverLines) {
  const Reading reading = read_text("{\n  \"a\": [\n    \"x\"\n  ]\n}\n", {3, 0});
  EXPECT_EQ(reading.seen, (std::vector<Seen>{{3, 0, "a=['x',],"}}));
  EXPECT_EQ(reading.problems, kNoProblems);
}

TEST(JsonText, LosesOnlyATornLine) {
  const Reading reading = read_text("{\"a\":\n{\"b\":\"x\"}\n{\"c\":", {0, 1});
  EXPECT_EQ(reading.texts(), Texts{"b='x',"});
  EXPECT_EQ(reading.problems,
            (Problems{{ProblemKind::invalid_json, 1}, {ProblemKind::invalid_json, 3}}));
}

TEST(JsonText, HandsARowsPositionOnAsItIs) {
  const Reading reading = read_text(" {\"a\":\"x\"}{\"b\":\"y\"}\n{\"c\":\"z\"}", {42, 0});
  EXPECT_EQ(reading.seen,
            (std::vector<Seen>{{42, 0, "a='x',"}, {42, 0, "b='y',"}, {42, 0, "c='z',"}}));
}

}  // namespace
}  // namespace yore::transcript
