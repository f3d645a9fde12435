#include "render/painted_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "text/display.hpp"

namespace yore::render {
namespace {

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b') {
      at = text.find('m', at);
    } else {
      plain += text[at];
    }
  }
  return plain;
}

// What is painted so, piece by piece.
std::vector<std::string> painted(const std::string& text, std::string_view code) {
  std::vector<std::string> pieces;
  const std::string begin = "\x1b[" + std::string(code) + "m";
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    pieces.push_back(text.substr(at, text.find('\x1b', at) - at));
  }
  return pieces;
}

TEST(WrapPainted, WithoutColourIsPlainWrapping) {
  EXPECT_EQ(wrap_painted("one two three", {{4, 7, Paint::cyan}}, Paint::dim, 9, "  ", Style(false)),
            text::wrap("one two three", 9, "  "));
}

TEST(WrapPainted, PaintsSpansAndTheRest) {
  EXPECT_EQ(wrap_painted("You: a b", {{0, 4, Paint::cyan}, {5, 6, Paint::green}}, Paint::plain, 40,
                         "  ", Style(true)),
            "  \x1b[36mYou:\x1b[0m \x1b[32ma\x1b[0m b");
  EXPECT_EQ(wrap_painted("a b", {}, Paint::dim, 40, "  ", Style(true)), "  \x1b[2ma b\x1b[0m");
}

TEST(WrapPainted, NoColourReachesOverALine) {
  EXPECT_EQ(wrap_painted("aaaa bbbb", {{0, 9, Paint::cyan}}, Paint::plain, 6, "  ", Style(true)),
            "  \x1b[36maaaa\x1b[0m\n  \x1b[36mbbbb\x1b[0m");
}

RC_GTEST_PROP(WrapPainted, ChangesNothingButColours, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc  \n.")));
  const auto columns = *rc::gen::inRange<std::size_t>(1, 20);
  std::vector<PaintedSpan> spans;
  std::string marked;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at + *rc::gen::inRange<std::size_t>(0, 6);
    const std::size_t end = begin + *rc::gen::inRange<std::size_t>(1, 6);
    if (end > text.size()) break;
    spans.push_back({begin, end, Paint::cyan});
    for (const char c : text.substr(begin, end - begin))
      marked += c == ' ' || c == '\n' ? "" : std::string(1, c);
    at = end;
  }
  const std::string out = wrap_painted(text, spans, Paint::dim, columns, " ", Style(true));
  RC_ASSERT(without_colours(out) == text::wrap(text, columns, " "));
  std::string found;
  for (const std::string& piece : painted(out, "36")) {
    RC_ASSERT(piece.find('\n') == std::string::npos);
    for (const char c : piece) found += c == ' ' ? "" : std::string(1, c);
  }
  RC_ASSERT(found == marked);
}

}  // namespace
}  // namespace yore::render
