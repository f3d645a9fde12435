#include "transcript/spec/tool_render.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace yore::transcript {
namespace {

using namespace std::string_literals;

// A tool's input together with the parser that its views point into.
struct Parsed {
  simdjson::ondemand::parser parser;
  simdjson::padded_string json;
  simdjson::ondemand::document document;
  ToolInput input;
  bool ok = false;
};

std::unique_ptr<Parsed> read_input(const std::string& json) {
  auto parsed = std::make_unique<Parsed>();
  parsed->json = simdjson::padded_string("{\"input\":" + json + ",\"after\":1}");
  simdjson::ondemand::value value;
  if (parsed->parser.iterate(parsed->json).get(parsed->document)) return parsed;
  if (parsed->document["input"].get(value)) return parsed;
  parsed->ok = parsed->input.read(value);
  // Whatever was not looked into must be skipped rightly.
  std::int64_t after = 0;
  if (parsed->ok) parsed->ok = !parsed->document["after"].get(after) && after == 1;
  return parsed;
}

TEST(Rendering, IsOneCompactObjectInTheOrderOfTheCalls) {
  std::string out = "old";
  Rendering rendering(out, "Read");
  rendering.add("file", "/x/é.cpp");
  rendering.add("chars", std::uint64_t{18'446'744'073'709'551'615U});
  rendering.finish();
  EXPECT_EQ(out, R"({"tool":"Read","file":"/x/é.cpp","chars":18446744073709551615})");
}

TEST(Rendering, EscapesWhatCannotStandInAString) {
  std::string out;
  append_json_escaped(out, "a\"b\\c\n\t\r\0\x1F/\x7F\xFF\xC3é"s);
  EXPECT_EQ(out, "a\\\"b\\\\c\\n\\t\\r\\u0000\\u001f/\x7F\uFFFD\uFFFDé");
}

RC_GTEST_PROP(Rendering, IsValidJsonWhateverTheValues, (std::string tool, std::string value)) {
  std::string out;
  Rendering rendering(out, tool);
  rendering.add("value", value);
  rendering.finish();
  const auto json = nlohmann::json::parse(out, nullptr, false);
  RC_ASSERT(json.is_object());
  RC_ASSERT(json.size() == 2U);
  if (simdjson::validate_utf8(value.data(), value.size())) {
    RC_ASSERT(json["value"].get<std::string>() == value);
  }
}

TEST(ToolInput, FindsStringsByTheFirstNameThatIsThere) {
  const auto parsed = read_input(
      R"({"limit":3,"path":"/p","file_path":"/f\n","nested":{"path":"/no"},"path":"/second"})");
  ASSERT_TRUE(parsed->ok);
  EXPECT_EQ(parsed->input.get({"file_path", "path"}), "/f\n");
  EXPECT_EQ(parsed->input.get({"missing", "path"}), "/p");
  EXPECT_EQ(parsed->input.get({"limit"}), "");
  EXPECT_EQ(parsed->input.get({}), "");
}

TEST(ToolInput, CollectsAllStringsForTheSearch) {
  const auto parsed = read_input(
      R"({"a":"one","n":1,"b":["two",{"c":"three"},[],null],"e":"","d":{"e":{"f":"four"}}})");
  ASSERT_TRUE(parsed->ok);
  EXPECT_EQ(parsed->input.search_text(), "one\ntwo\nthree\nfour");
}

TEST(ToolInput, LooksFourLevelsDeepAndNoDeeper) {
  const auto parsed =
      read_input(R"({"a":[[[["deep enough"]]]],"b":[[[[["too deep"]]]]],"c":"end"})");
  ASSERT_TRUE(parsed->ok);
  EXPECT_EQ(parsed->input.search_text(), "end");
  const auto fitting = read_input(R"({"a":[[["level four"]]]})");
  EXPECT_EQ(fitting->input.search_text(), "level four");
}

TEST(ToolInput, SurvivesNestingOfAnyDepth) {
  const auto parsed = read_input("{\"a\":" + std::string(50'000, '[') + std::string(50'000, ']') +
                                 ",\"b\":\"end\"}");
  ASSERT_TRUE(parsed->ok);
  EXPECT_EQ(parsed->input.get({"b"}), "end");
}

TEST(ToolInput, JoinsACommandGivenAsWords) {
  const auto parsed = read_input(R"({"command":["bash","-lc","ls\nwc"],"cmd":["git",7,"log"]})");
  ASSERT_TRUE(parsed->ok);
  EXPECT_EQ(parsed->input.get({"command"}), "bash -lc ls\nwc");
  EXPECT_EQ(parsed->input.get({"cmd"}), "git log");
  EXPECT_EQ(parsed->input.search_text(), "bash -lc ls\nwc\ngit log");
}

TEST(ToolInput, KeepsItsViewsWhenItIsMoved) {
  const auto parsed = read_input(R"({"command":["ls","-l"],"path":"/p"})");
  ASSERT_TRUE(parsed->ok);
  std::vector<ToolInput> inputs;
  inputs.push_back(std::move(parsed->input));
  for (int i = 0; i < 20; ++i) inputs.emplace_back();
  EXPECT_EQ(inputs[0].get({"command"}), "ls -l");
  EXPECT_EQ(inputs[0].get({"path"}), "/p");
}

TEST(ToolInput, OnlySearchesWhatIsNoObject) {
  EXPECT_EQ(read_input(R"("plain text")")->input.search_text(), "plain text");
  EXPECT_EQ(read_input(R"(["a","b"])")->input.search_text(), "a\nb");
  EXPECT_TRUE(read_input("null")->ok);
  EXPECT_TRUE(read_input("17")->ok);
}

TEST(ToolInput, BoundsTheSearchedTextWithoutCuttingACharacter) {
  const std::string text(kInputBytes - 1, 'x');
  const auto parsed = read_input("{\"a\":\"" + text + "é\",\"b\":\"behind\",\"c\":[\"behind\"]}");
  ASSERT_TRUE(parsed->ok);
  EXPECT_TRUE(parsed->input.search_text() == text);  // 16 KB are no message
  EXPECT_EQ(parsed->input.get({"b"}), "behind");
}

TEST(ToolInput, RefusesWhatTheParserCannotDecode) {
  EXPECT_FALSE(read_input(R"({"a":"\ud800"})")->ok);
  EXPECT_FALSE(read_input(R"({"\ud800":"a"})")->ok);
  EXPECT_FALSE(read_input(R"({"a":["\ud800"]})")->ok);
  EXPECT_FALSE(read_input(R"({"cmd":["\ud800"]})")->ok);
  EXPECT_FALSE(read_input(R"({"a" "b"})")->ok);
  EXPECT_FALSE(read_input(R"(["a" "b"])")->ok);
}

TEST(ToolInput, StartsAnewWithEachInput) {
  const auto first = read_input(R"({"a":"x"})");
  const auto second = read_input(R"({"b":["y"]})");
  ToolInput input = std::move(first->input);
  simdjson::ondemand::value value;
  second->document.rewind();
  ASSERT_EQ(second->document["input"].get(value), simdjson::SUCCESS);
  ASSERT_TRUE(input.read(value));
  EXPECT_EQ(input.get({"a"}), "");
  EXPECT_EQ(input.search_text(), "y");
}

}  // namespace
}  // namespace yore::transcript
