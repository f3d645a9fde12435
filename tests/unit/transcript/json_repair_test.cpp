#include "transcript/input/json_repair.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <simdjson.h>

#include <string>
#include <vector>

#include "support/pick.hpp"
#include "transcript/input/json_scan.hpp"

namespace yore::transcript {
namespace {

using namespace std::string_literals;

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

bool parses(std::string_view text) {
  simdjson::dom::parser parser;
  return parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
}

// A document that uses everything JSON has.
std::string any_json() {
  static const std::vector<std::string> kDocuments = {
      R"({"a":"é \u00e9 \ud83d\ude00 😀","b":[1,-2.5e+10,true,false,null],"c":{"d":{}}})",
      R"({"quote":"\"","slash":"\\","more":"\/\b\f\n\r\t","empty":"","list":[[],[[]],{}]})",
      "{\"x\" : [ 0 , 0.5 ,\t1E5 ] ,\r\n \"日本\":\"語\" }",
      R"(["a",{"b":["c",{"d":"e"}]},"\ud83d\ude00\ud83d\ude00"])",
      R"("just a string \\\\ \" \u0000")"};
  return kDocuments[pick(kDocuments.size())];
}

// Up to three bytes replaced, inserted or removed.
std::string damaged(std::string text) {
  static const std::string kBytes = "\0\x01\x1F\"\\{}[],:u\x80\xC3\xE2\xED\xF0\xFF 0d"s;
  for (std::size_t n = 1 + pick(3); n > 0; --n) {
    const std::size_t at = pick(text.size());
    const char byte = kBytes[pick(kBytes.size())];
    if (const std::size_t how = pick(3); how == 0) {
      text[at] = byte;
    } else if (how == 1) {
      text.insert(at, 1, byte);
    } else if (text.size() > 1) {
      text.erase(at, 1);
    }
  }
  return text;
}

TEST(RepairJson, LeavesGoodTextAlone) {
  const std::string text = "{\"a\":\"é\\ud83d\\ude00\\u00e9\\\\ud800\"}\r\n\t[1]";
  const Repair repair = repair_json(text);
  EXPECT_FALSE(repair.changed());
  EXPECT_EQ(repair.text, text);
}

TEST(RepairJson, ReplacesInvalidUtf8ByOneCharacterForEachBrokenSequence) {
  const Repair repair = repair_json("\"a\xFF\xC3(\xE2\x82(\xF0\x9F\x98\xED\xA0\x80\xC0\xAF\"");
  EXPECT_TRUE(repair.bad_utf8);
  EXPECT_FALSE(repair.lone_surrogate || repair.control_bytes);
  EXPECT_EQ(repair.text, "\"a\uFFFD\uFFFD(\uFFFD(\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\"");
}

TEST(RepairJson, ReplacesSurrogatesWithoutPartner) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {R"("\ud83d")", R"("\ufffd")"},
           {R"("\uDE00x")", R"("\ufffdx")"},
           {R"("\ud83d\ud83d\ude00")", R"("\ufffd\ud83d\ude00")"},
           {R"("\ude00\ud83d")", R"("\ufffd\ufffd")"},
           {R"("\ud83d\n")", R"("\ufffd\n")"}}) {
    const Repair repair = repair_json(text);
    EXPECT_TRUE(repair.lone_surrogate) << text;
    EXPECT_FALSE(repair.bad_utf8 || repair.control_bytes) << text;
    EXPECT_EQ(repair.text, expected);
  }
}

TEST(RepairJson, ReplacesControlBytesInStringsAndDropsThemOutside) {
  const Repair repair = repair_json("\0{\"a\0b\n\":\x01 1,\n\t\"c\":2}\0"s);
  EXPECT_TRUE(repair.control_bytes);
  EXPECT_FALSE(repair.bad_utf8 || repair.lone_surrogate);
  EXPECT_EQ(repair.text, "{\"a\uFFFDb\uFFFD\": 1,\n\t\"c\":2}");
}

TEST(RepairJson, DropsTheBackslashBeforeADamagedByte) {
  EXPECT_EQ(repair_json("\"a\\\0b\""s).text, "\"a\uFFFDb\"");
  EXPECT_EQ(repair_json("\"a\\\xFF\"").text, "\"a\uFFFD\"");
  EXPECT_EQ(repair_json("\"a\\").text, "\"a\\");
}

RC_GTEST_PROP(RepairJson, MakesValidUtf8OfAnything, ()) {
  const std::string text = damaged(any_json());
  const Repair repair = repair_json(text);
  RC_ASSERT(is_utf8(repair.text));
  RC_ASSERT(repair.changed() == (repair.text != text));
  RC_ASSERT(repair_json(repair.text).text == repair.text);
  if (parses(text)) RC_ASSERT(!repair.changed());
}

RC_GTEST_PROP(RepairJson, MakesTextParseableWhenOnlyBytesInsideAStringAreDamaged, ()) {
  static const std::vector<std::string> kDamage = {"\xFF",     "\0"s,     "\\ud800", "\x1F",
                                                   "\xE2\x82", "\\udfff", "\\\x01",  "\n"};
  std::string inside;
  for (std::size_t n = 1 + pick(5); n > 0; --n) {
    inside += pick(2) == 0 ? "ab\\n" : kDamage[pick(kDamage.size())];
  }
  RC_ASSERT(parses(repair_json("{\"a\":\"" + inside + "\"}").text));
}

// --- json_scan -----------------------------------------------------------------------------------

TEST(CloseJson, ClosesWhatIsOpen) {
  for (const auto& [head, expected] : std::vector<std::pair<std::string, std::string>>{
           {"{\"a\":\"some te", "{\"a\":\"some te\"}"},
           {"{\"a\":[1,{\"b\":\"x\"", "{\"a\":[1,{\"b\":\"x\"}]}"},
           {"{\"a\":1,", "{\"a\":1}"},
           {"{\"a\":1,\"b", "{\"a\":1}"},
           {"{\"a\":1,\"b\"", "{\"a\":1}"},
           {"{\"a\":1,\"b\":", "{\"a\":1}"},
           {"{\"a\":1,\"b\":12", "{\"a\":1}"},
           {"{\"a\":1,\"b\":tr", "{\"a\":1}"},
           {"{\"a\":1,\"b\":[", "{\"a\":1,\"b\":[]}"},
           {"{\"a\":\"x\\", "{\"a\":\"x\"}"},
           {"{\"a\":\"x\\u12", "{\"a\":\"x\"}"},
           {"{\"a\":\"x\xE2\x82", "{\"a\":\"x\"}"},
           {"{\"a\":\"x\xE2\x82\xAC", "{\"a\":\"x\xE2\x82\xAC\"}"},
           {"{", "{}"},
           {" [[", " [[]]"},
           {"{\"a\":1} {\"b\"", "{\"a\":1}"},
           {"{\"a\":1,]", "{\"a\":1}"},
           {"", ""},
           {"junk", ""}}) {
    EXPECT_EQ(close_json(head), expected) << head;
  }
}

TEST(CloseJson, GivesUpOnDeepNestingWithoutRecursion) {
  EXPECT_TRUE(is_valid_json(close_json(std::string(1024, '['))));
  EXPECT_EQ(close_json(std::string(1025, '[')), "");
  EXPECT_EQ(close_json(std::string(1'000'000, '[')), "");
}

RC_GTEST_PROP(CloseJson, MakesAValueOfEveryHead, ()) {
  const std::string text = any_json();
  const std::string head = text.substr(0, 1 + pick(text.size()));
  const std::string closed = close_json(head);
  RC_ASSERT(is_valid_json(closed));
  RC_ASSERT(parses(repair_json(closed).text));
  if (head == text) RC_ASSERT(closed == text);
}

TEST(IsValidJson, KnowsTheLetterOfTheGrammar) {
  for (const std::string text : {"{}", "[]", " 3 ", "-0", "0.5e-3", "\"\"", "null",
                                 "[1,[2,{\"a\":false}]]", "\"\\u00e9\""}) {
    EXPECT_TRUE(is_valid_json(text)) << text;
  }
  for (const std::string text :
       {"",           " ",           "{",       "}",           "[1,]",
        "{\"a\":1,}", "{\"a\"}",     "{a:1}",   "01",          "1.",
        ".5",         "+1",          "1e",      "-",           "nul",
        "nulll",      "\"",          "\"\\x\"", "\"\\u12g4\"", "\"\n\"",
        "[1 2]",      "{\"a\":1}{}", "[}",      "{]",          "{\"a\":[1}}"}) {
    EXPECT_FALSE(is_valid_json(text)) << text;
  }
}

TEST(IsValidJson, TakesAnyDepth) {
  EXPECT_TRUE(is_valid_json(std::string(1'000'000, '[') + std::string(1'000'000, ']')));
  EXPECT_FALSE(is_valid_json(std::string(1'000'000, '[')));
}

RC_GTEST_PROP(IsValidJson, AgreesWithAParserOnRepairedText, ()) {
  const std::string text = repair_json(damaged(any_json())).text;
  RC_ASSERT(is_valid_json(text) == parses(text));
}

TEST(JsonExtent, FindsTheEndOfTheFirstValue) {
  EXPECT_EQ(json_extent("{}{}"), 2U);
  EXPECT_EQ(json_extent(R"({"a":"}\"}","b":[{}]} {"c":1})"), 21U);
  EXPECT_EQ(json_extent("{\"a\":["), std::string_view::npos);
  EXPECT_EQ(json_extent("{\"a\":\"}"), std::string_view::npos);
  EXPECT_EQ(json_extent("{\"a\":\"\\"), std::string_view::npos);
}

TEST(FirstUtf8Char, KnowsWhereASequenceBreaks) {
  const auto expect = [](std::string_view text, std::size_t size, bool valid) {
    const Utf8Char first = first_utf8_char(text);
    EXPECT_EQ(first.size_bytes, size) << text;
    EXPECT_EQ(first.valid, valid) << text;
  };
  expect("a", 1, true);
  expect("é!", 2, true);
  expect("€", 3, true);
  expect("😀", 4, true);
  expect("\xF0\x9F\x98", 3, false);
  expect("\xF0\x9Fz", 2, false);
  expect("\xC1\x80", 1, false);
  expect("\xED\xA0\x80", 1, false);
  expect("\xF4\x90\x80\x80", 1, false);
  expect("\x80", 1, false);
}

}  // namespace
}  // namespace yore::transcript
