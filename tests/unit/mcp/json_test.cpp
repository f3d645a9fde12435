#include "mcp/protocol/json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace yore::mcp {
namespace {

std::string repeated(std::string_view piece, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}

std::optional<JsonFault> fault_of(std::string_view text) {
  const auto parsed = parse_json(text);
  const auto* fault = std::get_if<JsonFault>(&parsed);
  return fault == nullptr ? std::nullopt : std::optional(*fault);
}

Json value_of(std::string_view text) {
  const auto parsed = parse_json(text);
  const Json* const value = std::get_if<Json>(&parsed);
  return value == nullptr ? Json("no JSON") : *value;
}

TEST(ParseJson, SurvivesDeepNestingWhetherItIsClosedOrNot) {
  const std::string open = repeated("[", 200'000);
  EXPECT_EQ(fault_of(open), JsonFault::not_json);
  EXPECT_EQ(fault_of(open + repeated("]", 200'000)), JsonFault::too_complex);
  EXPECT_EQ(fault_of(repeated(R"({"a":)", 200'000)), JsonFault::not_json);
  EXPECT_EQ(fault_of(repeated("[", kMaxJsonDepth) + repeated("]", kMaxJsonDepth)), std::nullopt);
}

TEST(ParseJson, BoundsTheNumberOfValues) {
  EXPECT_EQ(fault_of("[" + repeated("1,", kMaxJsonValues) + "1]"), JsonFault::too_complex);
  EXPECT_EQ(fault_of("[" + repeated("1,", kMaxJsonValues - 10) + "1]"), std::nullopt);
  std::string keys = "{";
  for (std::size_t i = 0; i < kMaxJsonKeys; ++i) keys += "\"" + std::to_string(i) + "\":1,";
  EXPECT_EQ(fault_of(keys + "\"x\":1}"), JsonFault::too_complex);
}

TEST(ParseJson, DoesNotCountWhatStandsInStrings) {
  const std::string text = repeated("[,{", 100'000) + R"(\"[)";
  EXPECT_EQ(value_of("\"" + text + "\""), repeated("[,{", 100'000) + "\"[");
}

TEST(ParseJson, ReplacesHalfCharacters) {
  EXPECT_EQ(value_of(R"("a\ud83d")"), "a\uFFFD");
  EXPECT_EQ(value_of(R"("\udc00\ud83d\ude00\ud83dx")"), "\uFFFD\U0001F600\uFFFDx");
  EXPECT_EQ(value_of("\"a\xC3\""), "a\uFFFD");
  EXPECT_EQ(value_of("\"\xFF\xFE\""), "\uFFFD\uFFFD");
  // An escaped backslash is no escape.
  EXPECT_EQ(value_of(R"(["\\ud83d", "\ud83d"])"), Json({"\\ud83d", "\uFFFD"}));
}

TEST(ParseJson, OfEqualKeysTheLastCounts) {
  EXPECT_EQ(value_of(R"({"a":1,"b":2,"a":3})"), Json({{"a", 3}, {"b", 2}}));
}

TEST(ParseJson, RefusesWhatIsNoJson) {
  for (const std::string_view text :
       {"", "{this is not json", "{\"a\":1", "nul", "\"\x01\"", "{} {}", R"("\ud8")", "\\"}) {
    EXPECT_EQ(fault_of(text), JsonFault::not_json) << text;
  }
}

RC_GTEST_PROP(ParseJson, ReadsAnyBytesInsideAString, (const std::string& bytes)) {
  std::string text = "\"";
  for (const char c : bytes) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') text += c;
  }
  RC_ASSERT(fault_of(text + "\"") == std::nullopt);
}

RC_GTEST_PROP(JsonText, CanAlwaysBeReadAgain, (const std::string& bytes)) {
  const std::string text = json_text(Json{{bytes, bytes}});
  RC_ASSERT(!Json::parse(text, nullptr, false).is_discarded());
  RC_ASSERT(text.find('\n') == std::string::npos);
}

TEST(Member, IsNothingWhenAbsentNullOrNoObject) {
  const Json object = {{"a", 1}, {"b", nullptr}};
  ASSERT_NE(member(object, "a"), nullptr);
  EXPECT_EQ(*member(object, "a"), 1);
  EXPECT_EQ(member(object, "b"), nullptr);
  EXPECT_EQ(member(object, "c"), nullptr);
  EXPECT_EQ(member(Json::array(), "a"), nullptr);
}

}  // namespace
}  // namespace yore::mcp
