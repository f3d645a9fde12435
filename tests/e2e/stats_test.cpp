// yore stats, and the counts beside a search.
#include <fstream>
#include <sstream>

#include "e2e/search_box.hpp"

namespace yore::e2e {
namespace {

using nlohmann::json;

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class Statistics : public SearchBox {
 protected:
  json stats(Texts args = {}) {
    args.insert(args.begin(), {"stats", "--json"});
    return box_.run(args).json();
  }
};

TEST_F(Statistics, CountWhatWasSaidByDayAgentProjectModelAndTool) {
  write_three();
  const json all = stats();
  EXPECT_EQ(all["total"]["turns"], 5);
  EXPECT_EQ(all["total"]["prompts"], 5);
  EXPECT_EQ(all["total"]["sessions"], 3);
  // Every message of the samples says 3 in and 5 out; eight of them were said.
  EXPECT_EQ(all["total"]["tokens"]["input"], 24);
  EXPECT_EQ(all["total"]["tokens"]["output"], 40);
  EXPECT_EQ(all["total"]["turns_with_tokens"], 5);
  ASSERT_EQ(all["projects"].size(), 2U);
  EXPECT_EQ(all["projects"][0]["project"], "blog");
  EXPECT_EQ(all["projects"][0]["turns"], 3);
  ASSERT_EQ(all["models"].size(), 1U);
  EXPECT_EQ(all["models"][0]["model"], "claude-sonnet-4-5");
  ASSERT_EQ(all["days"].size(), 3U);
  EXPECT_EQ(all["days"][0]["day"], "2025-10-09");
  EXPECT_EQ(all["days"][0]["turns"], 3);
  EXPECT_EQ(all["tools"], json::parse(R"([{"tool":"bash","turns":1},{"tool":"read","turns":1}])"));
  std::uint64_t hours = 0;
  for (const json& day : all["hours"]) {
    for (const json& count : day) hours += count.get<std::uint64_t>();
  }
  EXPECT_EQ(hours, 5U);
}

TEST_F(Statistics, ACopyCountsOnce) {
  write_three();
  const json before = stats();
  fake::ClaudeLines blog(kFirst);
  // A fork: the same records under another session's id.
  const std::string path = box_.in_home(".claude/projects/-home-ann-code-blog/");
  const std::string fork = "4d5e6f70-0000-4000-8000-000000000004";
  box_.write(path + fork + ".jsonl",
             replaced(text_of(path + std::string(kFirst) + ".jsonl"),
                      "\"sessionId\":\"" + std::string(kFirst), "\"sessionId\":\"" + fork));
  const json after = stats();
  EXPECT_EQ(after["total"]["turns"], before["total"]["turns"]);
  EXPECT_EQ(after["total"]["tokens"], before["total"]["tokens"]);
  EXPECT_EQ(after["copies"], 3);
}

TEST_F(Statistics, CostIsKnownWhereAPriceIsAndTheSettingsHaveTheLastWord) {
  write_three();
  const json known = stats()["total"]["cost_usd"];
  ASSERT_TRUE(known.is_number());
  EXPECT_NEAR(known.get<double>(), (24 * 3.0 + 40 * 15.0) / 1e6, 1e-4);
  box_.write(box_.in_home(".config/yore/config.toml"),
             "[prices]\n\"claude-sonnet-4-5\" = { input = 1000000, output = 0 }\n");
  EXPECT_NEAR(stats()["total"]["cost_usd"].get<double>(), 24, 1e-9);
  box_.write(box_.in_home(".config/yore/config.toml"),
             "[prices]\n\"claude-sonnet\" = { input = \"cheap\" }\n");
  const Ran wrong = box_.run({"stats"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "prices.claude-sonnet.input")) << wrong.err;
}

TEST_F(Statistics, WhatTranscriptsDoNotSayIsUnknown) {
  fake::ClaudeLines lines(kFirst);
  box_.write_session("blog", kFirst,
                     replaced(lines.prompt("Hello?") + lines.answer("Hello."),
                              R"(,"usage":{"input_tokens":3,"output_tokens":5})", ""));
  const json all = stats();
  EXPECT_EQ(all["total"]["turns"], 1);
  EXPECT_TRUE(all["total"]["tokens"].is_null());
  EXPECT_TRUE(all["total"]["cost_usd"].is_null());
  const Ran shown = box_.run({"stats"});
  EXPECT_TRUE(has(shown.out, "tokens  unknown")) << shown.out;
}

TEST_F(Statistics, FiltersNarrowThemAndNothingIsNothing) {
  write_three();
  EXPECT_EQ(stats({"-p", "shop"})["total"]["turns"], 2);
  EXPECT_EQ(stats({"--since", "2025-12-16"})["total"]["turns"], 1);
  const Ran none = box_.run({"stats", "-p", "nowhere"});
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.out, "");
  EXPECT_TRUE(has(none.err, "Nothing was said there.")) << none.err;
  EXPECT_EQ(box_.run({"stats", "--by", "colour"}).code, 2);
}

TEST_F(Statistics, TheTerminalFitsItsWidthAndOneTableIsGivenInFull) {
  write_three();
  ASSERT_EQ(box_.run({"index", "--no-embed", "--quiet"}).code, 0);
  for (const unsigned short columns : std::initializer_list<unsigned short>{40, 80, 140}) {
    const Ran ran = box_.run_on_terminal({"stats", "--color=never"}, columns);
    EXPECT_EQ(ran.code, 0);
    std::stringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) {
      std::size_t width = 0;
      for (const char c : line) {
        if (c != '\r' && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++width;
      }
      EXPECT_LE(width, columns) << line;
    }
  }
  const Ran table = box_.run({"stats", "--by", "project"});
  EXPECT_TRUE(has(table.out, "PROJECT")) << table.out;
  EXPECT_TRUE(has(table.out, "blog")) << table.out;
  EXPECT_FALSE(has(table.out, "tokens ")) << table.out;
}

TEST_F(Statistics, PicturesAreSelfContainedEscapedAndPrivate) {
  fake::ClaudeLines lines(kFirst, "/home/ann/code/<script>alert(1)");
  box_.write_session("x", kFirst, lines.prompt("Hello?") + lines.answer("Hello."));
  const std::string svg = box_.in_home("stats.svg");
  const std::string html = box_.in_home("stats.html");
  const Ran ran = box_.run({"stats", "--svg", svg, "--html", html});
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const std::string& path : {svg, html}) {
    const std::string text = text_of(path);
    EXPECT_TRUE(has(text, "<svg ")) << path;
    EXPECT_FALSE(has(text, "<script")) << path;
    for (const char* outside : {"src=", "href=", "url(", "@import", "https://"}) {
      EXPECT_FALSE(has(text, outside)) << path << outside;
    }
  }
  EXPECT_EQ(text_of(svg).substr(0, 5), "<svg ");
  EXPECT_EQ(box_.run({"stats", "--svg", "/nowhere/at/all.svg"}).code, 3);
}

TEST_F(Statistics, FacetsAndHistogramComeWithASearchWhenTheyAreAskedFor) {
  write_three();
  const json plain = box_.run({"search", "empty", "--json"}).json();
  EXPECT_FALSE(plain.contains("facets"));
  const json counted = box_.run({"search", "empty", "--json", "--facets", "-n", "1"}).json();
  EXPECT_EQ(counted["matched"], 2);
  EXPECT_EQ(counted["facets"]["project"],
            json::parse(R"([{"value":"blog","count":1},{"value":"shop","count":1}])"));
  EXPECT_EQ(counted["facets"]["agent"], json::parse(R"([{"value":"claude-code","count":2}])"));
  EXPECT_EQ(counted["facets"]["tool"],
            json::parse(R"([{"value":"bash","count":1},{"value":"read","count":1}])"));
  EXPECT_EQ(counted["histogram"]["unit"], "day");
  EXPECT_EQ(counted["histogram"]["bars"].front()["first"], "2025-10-09");
  EXPECT_EQ(counted["histogram"]["bars"].back()["until"], "2025-12-07");
  EXPECT_EQ(counted["facets"]["starred"], json::array());
  EXPECT_EQ(box_.run({"star", kFirst}).code, 0);
  const json marked = box_.run({"search", "empty", "--json", "--facets"}).json();
  EXPECT_EQ(marked["facets"]["starred"], json::parse(R"([{"value":"starred","count":1}])"));
  // Filters alone match whatever passes them.
  EXPECT_EQ(box_.run({"search", "--has-tool", "--json", "--facets"}).json()["matched"], 2);
  const json none = box_.run({"search", "zzzunheardof", "--json", "--facets"}).json();
  EXPECT_EQ(none["matched"], 0);
}

}  // namespace
}  // namespace yore::e2e
