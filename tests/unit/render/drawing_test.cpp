// Turns as blocks, and as they are drawn. The screens lie in tests/unit/render/screens, one for
// each width, with and without colour; YORE_UPDATE_CASES=1 writes them anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "render/conversation.hpp"
#include "render/html.hpp"
#include "render/markdown.hpp"
#include "render/markdown_text.hpp"
#include "render/terminal_text.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"
#include "unit/render/sample.hpp"

namespace yore::render {
namespace {

using Kind = Block::Kind;

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::vector<Kind> kinds_of(const Turn& turn) {
  std::vector<Kind> kinds;
  for (const Block& block : turn.blocks) kinds.push_back(block.kind);
  return kinds;
}

TEST(MakeTurn, JoinsResultsToTheirCallsWhateverTheirOrder) {
  const Turn turn = make_turn(sample_turn(), View::all);
  EXPECT_EQ(kinds_of(turn),
            (std::vector<Kind>{Kind::prompt, Kind::thinking, Kind::answer, Kind::tool, Kind::tool,
                               Kind::tool, Kind::note, Kind::answer}));
  EXPECT_EQ(turn.blocks[3].name, "Bash");
  EXPECT_TRUE(turn.blocks[3].text.starts_with("upstream timed out\n"));
  EXPECT_EQ(turn.blocks[4].text, "edited");
  EXPECT_EQ(turn.blocks[4].diff,
            " location / {\n-  proxy_read_timeout 5s;\n+  proxy_read_timeout 60s;\n }");
  EXPECT_EQ(turn.blocks[5].detail, "docs/接続.md");
  EXPECT_FALSE(turn.blocks[2].conclusion);
  EXPECT_TRUE(turn.blocks[7].conclusion);
}

TEST(MakeTurn, FocusedIsWhatWasAskedAndWhatWasConcluded) {
  const Turn turn = make_turn(sample_turn(), View::focused);
  EXPECT_EQ(kinds_of(turn), (std::vector<Kind>{Kind::prompt, Kind::digest, Kind::answer}));
  EXPECT_EQ(turn.blocks[1].text, "3 tool calls: Bash, Edit, Read");
  EXPECT_TRUE(turn.blocks[2].text.starts_with("## What was wrong"));
}

TEST(MakeTurn, WithoutPartsAnAnswerIsOneBlock) {
  turns::WholeTurn whole = sample_turn();
  whole.parts.clear();
  whole.abandoned = true;
  const Turn turn = make_turn(whole, View::all);
  EXPECT_EQ(kinds_of(turn),
            (std::vector<Kind>{Kind::prompt, Kind::tool, Kind::tool, Kind::tool, Kind::answer}));
  EXPECT_EQ(turn.marks, (std::vector<std::string>{"abandoned"}));
}

TEST(MakeTurn, AResultWithoutIdBelongsToTheCallRightBeforeIt) {
  turns::WholeTurn whole;
  whole.parts = {call("", R"({"tool":"ls"})"), part(turns::TurnPart::Kind::result, "a.txt"),
                 part(turns::TurnPart::Kind::result, "late", "gone")};
  const Turn turn = make_turn(whole, View::all);
  ASSERT_EQ(kinds_of(turn), (std::vector<Kind>{Kind::tool, Kind::output}));
  EXPECT_EQ(turn.blocks[0].text, "a.txt");
}

TEST(EditDiff, ShowsWhatChangedAndWhere) {
  EXPECT_EQ(edit_diff("", "a\nb"), "+a\n+b");
  EXPECT_EQ(edit_diff("a\nb\n", ""), "-a\n-b");
  EXPECT_EQ(edit_diff("1\n2\n3\n4\nx\n5\n6\n7", "1\n2\n3\n4\ny\n5\n6\n7"),
            " 3\n 4\n-x\n+y\n 5\n 6");
  EXPECT_EQ(edit_diff("a\na", "a\na\na"), " a\n a\n+a");
}

TEST(CallLine, TellsTheToolAndItsMostTellingField) {
  EXPECT_EQ(call_line(R"({"tool":"Write","file":"/x","chars":1234})").detail, "/x (1,234 chars)");
  EXPECT_EQ(call_line("{broken").name, "{broken");
}

struct ScreenSize {
  std::size_t columns;
  bool colour;
};

class Screens : public testing::TestWithParam<ScreenSize> {};

TEST_P(Screens, AreAsTheyWere) {
  ::setenv("TZ", "UTC", 1);
  const auto [columns, colour] = GetParam();
  turns::WholeTurn whole = sample_turn();
  whole.time = *parse_iso8601("2026-02-10T08:19:00Z");
  whole.superseded = true;
  TerminalOptions options{Style(colour), columns, 0};
  std::string screen = terminal_turn(make_turn(whole, View::all), "Claude", options);
  options.folded_lines = 2;
  screen += "\n" + terminal_turn(make_turn(whole, View::all), "Claude", options);
  options.folded_lines = kUnfolded;
  screen += "\n" + terminal_turn(make_turn(whole, View::focused), "Claude", options);

  const std::string path = std::string(YORE_SOURCE_DIR) + "/tests/unit/render/screens/turn-" +
                           std::to_string(columns) + (colour ? "-colour" : "") + ".txt";
  if (std::getenv("YORE_UPDATE_CASES") != nullptr) std::ofstream(path) << screen;
  std::stringstream golden;
  golden << std::ifstream(path).rdbuf();
  EXPECT_EQ(screen, golden.str()) << path;
  if (colour) return;
  for (std::string_view rest = screen; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    EXPECT_LE(text::display_width(line), columns) << line;
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Screens,
                         testing::Values(ScreenSize{60, false}, ScreenSize{60, true},
                                         ScreenSize{80, false}, ScreenSize{80, true},
                                         ScreenSize{140, false}, ScreenSize{140, true}));

TEST(TerminalText, ColourChangesNothingButColour) {
  const Turn turn = make_turn(sample_turn(), View::all);
  const auto drawn = [&](bool colour) {
    return terminal_turn(turn, "Claude", {Style(colour), 72, kUnfolded});
  };
  std::string plain = text::for_terminal(drawn(true));
  std::string uncoloured = drawn(false);
  // Without colour, marks say what colour would.
  for (std::string* each : {&plain, &uncoloured}) {
    std::erase_if(*each,
                  [](char c) { return c == '#' || c == '`' || c == '~' || c == ' ' || c == '\n'; });
  }
  EXPECT_EQ(plain, uncoloured);
}

TEST(TerminalText, LinksAreLinksWhereTheTerminalCan) {
  const Style style(true, true);
  const std::string shown = terminal_markdown("see [docs](https://x.org/a)", {style, 80, 0}, "");
  EXPECT_TRUE(has(shown, "\x1b]8;;https://x.org/a\x1b\\")) << shown;
  EXPECT_TRUE(has(shown, "(https://x.org/a)"));
  EXPECT_FALSE(has(terminal_markdown("[d](javascript:x)", {style, 80, 0}, ""), "]8;;"));
  EXPECT_EQ(file_url("/a b/ü\x1b"), "file:///a%20b/%C3%BC%1B");
  EXPECT_EQ(file_url("relative"), "");
}

TEST(TerminalText, ANarrowScreenStillShowsEverything) {
  const Turn turn = make_turn(sample_turn(), View::all);
  for (const std::size_t columns : {1U, 2U, 7U, 20U}) {
    const std::string shown = terminal_turn(turn, "Claude", {Style(false), columns, 3});
    EXPECT_TRUE(has(shown, "n")) << columns;
  }
}

Conversation hostile() {
  Conversation conversation;
  conversation.heading.title = "</title><script>alert(1)</script>";
  conversation.heading.assistant = "<i>";
  conversation.heading.facts = {{"project", "\"><img src=x onerror=alert(1)>"}};
  turns::WholeTurn whole;
  const std::string evil =
      "</pre></details><script>alert(1)</script>\n<img src=x onerror=alert(1)>\n"
      "[x](javascript:alert(1)) ![y](http://evil.example/p.png)\n```html\"onload=\n</code><b>\n```";
  whole.user_text = evil;
  whole.parts = {part(turns::TurnPart::Kind::thinking, evil),
                 part(turns::TurnPart::Kind::note, evil),
                 call("a", R"({"tool":"<script>","command":"</code><script>"})", evil, evil + "x"),
                 part(turns::TurnPart::Kind::result, evil, "a"),
                 part(turns::TurnPart::Kind::result, evil, "b"),
                 part(turns::TurnPart::Kind::text, evil)};
  whole.tools_used = {whole.parts[2].rendering};
  conversation.turns = {make_turn(whole, View::all), make_turn(whole, View::focused)};
  return conversation;
}

TEST(Html, AHostileTranscriptStaysText) {
  const Conversation conversation = hostile();
  const std::string page = html_document(conversation.heading.title, html_fragment(conversation));
  for (const char* tag : {"<script", "<img", "<b>\n", "\"javascript:"}) {
    EXPECT_FALSE(has(page, tag)) << tag;
  }
  // Every tag is one that we write ourselves.
  for (std::size_t at = 0; (at = page.find('<', at)) != std::string::npos; ++at) {
    std::size_t end = page[at + 1] == '/' ? at + 2 : at + 1;
    const std::size_t begin = end;
    while (end < page.size() &&
           (std::isalnum(static_cast<unsigned char>(page[end])) != 0 || page[end] == '!')) {
      ++end;
    }
    const std::string name = page.substr(begin, end - begin);
    static const std::string kOurs =
        " !doctype html head meta title style body main header h1 h2 h3 h4 h5 h6 dl div dt dd "
        "article "
        "a time span p details summary small b code pre strong em del ul ol li blockquote table tr "
        "th "
        "td br hr ";
    EXPECT_TRUE(has(kOurs, " " + name + " ")) << name;
  }
  // Nothing is fetched: links alone lead anywhere.
  EXPECT_FALSE(has(page, "@import"));
  EXPECT_FALSE(has(page, "url("));
  EXPECT_TRUE(has(page, "default-src 'none'"));
}

TEST(Html, ToolsFoldAndCodeIsColoured) {
  const std::string html = html_turn(make_turn(sample_turn(), View::all), "Claude");
  EXPECT_TRUE(has(html, "<details class=\"tool\"><summary><b>Bash</b> <code>tail -n 3"));
  EXPECT_TRUE(has(html, "<span class=\"r\">-  proxy_read_timeout 5s;</span>"));
  EXPECT_TRUE(has(html, "<span class=\"k\">def</span>"));
  EXPECT_TRUE(has(html, "<p class=\"tool\"><b>Read</b> <code>docs/接続.md</code></p>"));
  EXPECT_TRUE(has(html, "<a href=\"https://nginx.org/en/docs\" rel=\"noopener noreferrer\">"));
  EXPECT_TRUE(has(html, "this <span class=\"target\">(javascript:alert(1))</span>"));
  EXPECT_TRUE(has(html, "<th class=\"right\">seconds</th>"));
}

TEST(MarkdownText, IsReadAsItWasMeant) {
  for (const char* text :
       {"a *b* **c** `d` ~~e~~", "###### h\n\ntext", "- a\n- b\n  - c\n\nd", "1. a\n2. b",
        "> q\n> r", "```c\nx\n```", "| a | b |\n|---|---|\n| 1 | `x` |", "a\\*b snake_case <b>",
        "***", "a\nb", "- [x] done\n- [ ] not", "[t](https://x.org) <https://y.org>", "`` a`b ``",
        "- a\n\n  second\n\n- b", "> - a\n>   - b"}) {
    const std::string once = clean_markdown(text);
    EXPECT_EQ(clean_markdown(once), once) << text << "\n--\n" << once;
  }
  EXPECT_EQ(html_markdown(clean_markdown("- a\n- b **c**\n\n1. x")),
            html_markdown("- a\n- b **c**\n\n1. x"));
}

TEST(MarkdownText, AHostileTranscriptStaysText) {
  const std::string text = markdown_document(hostile(), 100);
  const std::string html = html_markdown(text);
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_FALSE(has(html, "href=\"javascript"));
  EXPECT_TRUE(has(text, "\\<script>alert(1)\\</script>"));
}

TEST(MarkdownText, FencesHoldWhatStandsInThem) {
  Conversation conversation;
  turns::WholeTurn whole;
  whole.parts = {call("a", R"({"tool":"cat","file":"a`b"})"),
                 part(turns::TurnPart::Kind::result, "````\n# not a heading\n```", "a")};
  conversation.turns = {make_turn(whole, View::all)};
  const std::string text = markdown_document(conversation, 100);
  EXPECT_TRUE(has(text, "\n`````text\n````\n# not a heading\n```\n`````\n")) << text;
  whole.parts[1].text = "1\n2\n3\n4";
  conversation.turns = {make_turn(whole, View::all)};
  EXPECT_TRUE(has(markdown_document(conversation, 2), "1\n2\n… 2 more lines\n"));
}

}  // namespace
}  // namespace yore::render
