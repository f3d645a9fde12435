#include "render/markdown.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "render/code.hpp"
#include "render/html.hpp"
#include "render/markdown_text.hpp"
#include "render/terminal_text.hpp"
#include "text/display.hpp"

namespace yore::render {
namespace {

// Counts what comes, and whether each element is left in the order in which it was entered.
class Watcher final : public MarkdownSink {
 public:
  void enter(Element element, const Attributes& attributes) override {
    open.push_back(element);
    deepest = std::max(deepest, open.size());
    ++events;
    if (!attributes.url.empty()) urls.emplace_back(attributes.url);
  }
  void leave(Element element) override {
    balanced = balanced && !open.empty() && open.back() == element;
    if (!open.empty()) open.pop_back();
    ++events;
  }
  void text(std::string_view said) override {
    all += said;
    ++events;
  }
  void line_break() override {
    all += '\n';
    ++events;
  }
  std::vector<Element> open;
  std::vector<std::string> urls;
  std::string all;
  std::size_t deepest = 0;
  std::size_t events = 0;
  bool balanced = true;
};

Watcher walked(std::string_view markdown) {
  Watcher watcher;
  walk_markdown(markdown, watcher);
  EXPECT_TRUE(watcher.open.empty());
  EXPECT_TRUE(watcher.balanced);
  return watcher;
}

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += piece;
  return out;
}

TEST(Markdown, LinksLeadOnlyWhereALinkMayLead) {
  for (const char* url : {"javascript:alert(1)", "JavaScript:x", "data:text/html,x",
                          "file:///etc/passwd", "vbscript:x", "//evil.example", "relative/path",
                          "java&#115;cript:x", "&#x6A;avascript:x"}) {
    const Watcher watcher = walked("[click](" + std::string(url) + ")");
    EXPECT_TRUE(watcher.urls.empty()) << url;
    EXPECT_EQ(watcher.all, "click");
  }
  EXPECT_EQ(walked("[a](https://x.org/b) <mailto:a@b.c> ![p](http://x.org/p.png)").urls,
            (std::vector<std::string>{"https://x.org/b", "mailto:a@b.c", "http://x.org/p.png"}));
}

TEST(Markdown, HtmlAndEntitiesAreText) {
  EXPECT_EQ(walked("<script>alert(1)</script>").all, "<script>alert(1)</script>");
  EXPECT_EQ(walked("a &lt;b&gt; &#65; &#27;[31m &#x202e; &unknown;").all,
            "a <b> A [31m  &unknown;");
  EXPECT_EQ(walked("&#0;").all, "\uFFFD");
}

TEST(Markdown, WhatControlsOrDisguisesIsGone) {
  const Watcher watcher = walked(
      "a\x1b]8;;http://evil\x07link\u202e\x9b"
      "31m\n\n`\x1b[2J`");
  EXPECT_EQ(watcher.all.find('\x1b'), std::string::npos);
  EXPECT_EQ(watcher.all.find("\u202e"), std::string::npos);
}

TEST(Markdown, NestingEnds) {
  EXPECT_LE(walked(std::string(3000, '>') + " deep").deepest, kMaxDepth + 2);
  EXPECT_LE(walked(repeated("- ", 4000) + "deep").deepest, kMaxDepth + 2);
}

// A piece unfolds to no more than so much, whatever it is: cost is linear, memory that of a piece.
TEST(Markdown, HostileTextUnfoldsToAFewTimesItself) {
  constexpr std::size_t kBytes = 200'000;
  const std::string table =
      repeated("|a", 4000) + "\n" + repeated("|-", 4000) + "\n" + repeated("|\n", kBytes);
  for (const std::string& text :
       {repeated("*a ", kBytes), repeated("[", kBytes), repeated("![[](", kBytes),
        repeated("`", kBytes), repeated("`a``b", kBytes), repeated(">", kBytes),
        repeated("> > > > >\n", kBytes), repeated("- ", kBytes), repeated("<a ", kBytes),
        repeated("&#1", kBytes), repeated("```\n", kBytes), repeated("a\n-\n", kBytes),
        repeated("[a]: b\n", kBytes), repeated("|", kBytes), table, repeated("\\", kBytes),
        repeated("_a__b", kBytes), repeated("~~a", kBytes), std::string(kBytes, 'a')}) {
    const Watcher watcher = walked(text);
    EXPECT_LE(watcher.events, 4 * text.size() + 100) << text.substr(0, 20);
    EXPECT_LE(watcher.all.size(), 2 * text.size()) << text.substr(0, 20);
  }
}

TEST(Markdown, ALongBlockOfCodeStaysCode) {
  const std::string code = repeated("if (a) *b* = <c>;\n", 5 * kPieceBytes);
  class CodeOnly final : public MarkdownSink {
   public:
    void enter(Element element, const Attributes&) override {
      in_code = element == Element::code_block;
    }
    void leave(Element) override { in_code = false; }
    void text(std::string_view text) override { (in_code ? code : other) += text; }
    void line_break() override {}
    bool in_code = false;
    std::string code;
    std::string other;
  } sink;
  walk_markdown("```c\n" + code + "```\nafter\n", sink);
  EXPECT_EQ(sink.code, code);
  EXPECT_EQ(sink.other, "after");
}

TEST(Markdown, WhatTheParserEndsWithoutABeginningIsShownAsItWasWritten) {
  const Watcher watcher = walked("<[~](*)*");
  EXPECT_EQ(watcher.all, "<[~](*)*");
}

RC_GTEST_PROP(MarkdownDrawing, NeverControlsATerminalNorOpensATag, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "*", "_", "`", "```\n", "[", "](", ")", "http://x.y", "javascript:", "<b>", "&lt;", "&#27;",
      "\n", "\n\n", "> ", "- ", "1. ", "|", "|-|-|\n", "#", " ", "a", "\x1b[2J", "\u202e", "\xff",
      "~~", "\\", "'", "\"", "<script>", "onload=", "接"));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  const std::string shown = terminal_markdown(text, {Style(false), 30, 0}, "  ");
  RC_ASSERT(text::for_terminal(shown) == shown);
  const std::string html = html_markdown(text);
  for (const char* tag : {"<b>", "<script", "<img"}) RC_ASSERT(html.find(tag) == std::string::npos);
  for (std::size_t at = 0; (at = html.find("<a ", at)) != std::string::npos; ++at) {
    RC_ASSERT(html.substr(at, 16) == "<a href=\"http://");
  }
  // What was cleaned once is clean: it leads nowhere else and holds no HTML.
  const std::string clean = clean_markdown(text);
  RC_ASSERT(html_markdown(clean).find("<script") == std::string::npos);
}

TEST(CodeSpans, AreInOrderAndInside) {
  const std::string code = "// a \"b\"\nint x = 12; /* if\n */ return \"no // comment\"; it's";
  std::vector<std::string> kinds;
  std::size_t last = 0;
  for (const CodeSpan& span : code_spans("CPP", code)) {
    EXPECT_GE(span.begin, last);
    last = span.end;
    kinds.push_back(code.substr(span.begin, span.end - span.begin));
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"// a \"b\"", "int", "12", "/* if\n */", "return",
                                             "\"no // comment\""}));
  EXPECT_TRUE(code_spans("brainfuck", code).empty());
  EXPECT_EQ(code_spans("diff", "@@ 1 @@\n-a\n+b\n c").size(), 3U);
  EXPECT_EQ(language_of_path("/a.b/c.PY"), "py");
  EXPECT_EQ(language_of_path("/a.py/c"), "");
}

}  // namespace
}  // namespace yore::render
