#include "text/display.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "text/utf8.hpp"

namespace yore::text {
namespace {

TEST(ForTerminal, LeavesPlainTextAlone) {
  EXPECT_EQ(for_terminal(""), "");
  EXPECT_EQ(for_terminal("if (a[0] < b) { ~x; }\nnaïve 漢字 😀"),
            "if (a[0] < b) { ~x; }\nnaïve 漢字 😀");
}

TEST(ForTerminal, RemovesCsiSequencesWhole) {
  EXPECT_EQ(for_terminal("a\x1b[31mred\x1b[0m b"), "ared b");
  EXPECT_EQ(for_terminal("a\x1b[2J\x1b[1;1H\x1b[?25lb"), "ab");
  EXPECT_EQ(for_terminal("a\x1b[38;2;1;2;3mb\x1b[!pc\x1b[0 qd"), "abcd");
  EXPECT_EQ(for_terminal("a\xC2\x9B"
                         "31mb"),
            "ab");
}

TEST(ForTerminal, RemovesStringsWhole) {
  EXPECT_EQ(for_terminal("a\x1b]0;title\x07"
                         "b"),
            "ab");
  EXPECT_EQ(for_terminal("a\x1b]0;title\x1b\\b"), "ab");
  EXPECT_EQ(for_terminal("a\x1b]0;title\xC2\x9C"
                         "b"),
            "ab");
  EXPECT_EQ(for_terminal("a\xC2\x9D"
                         "52;c;c2VjcmV0\x07"
                         "b"),
            "ab");
  EXPECT_EQ(for_terminal("\x1b]8;;http://x.y\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(for_terminal("a\x1bPq#0\n~\x1b\\b"), "ab");
  EXPECT_EQ(for_terminal("a\xC2\x90q\xC2\x9C"
                         "b"),
            "ab");
  EXPECT_EQ(for_terminal("a\x1b_Gdata\x1b\\b\x1b^pm\x1b\\c\x1bXsos\x1b\\d"), "abcd");
  EXPECT_EQ(for_terminal("a\xC2\x9Fx\x1b\\b\xC2\x9Ex\x1b\\c\xC2\x98x\x1b\\d"), "abcd");
  EXPECT_EQ(for_terminal("a\x1b]0;title\x18"
                         "b"),
            "ab");
}

TEST(ForTerminal, EndsOnlyOscWithABell) {
  EXPECT_EQ(for_terminal("a\x1bPone\x07two\x1b\\b"), "ab");
}

TEST(ForTerminal, RemovesShortEscapes) {
  EXPECT_EQ(for_terminal("a\x1b"
                         "cb"),
            "ab");
  EXPECT_EQ(for_terminal("a\x1b(Bb\x1b#8c\x1b%Gd"), "abcd");
  EXPECT_EQ(for_terminal("a\x1b\x37"
                         "b\x1b=c\x1b\\d\x1bMe"),
            "abcde");
}

TEST(ForTerminal, DropsAnEscapeAtTheEnd) {
  EXPECT_EQ(for_terminal("a\x1b"), "a");
  EXPECT_EQ(for_terminal("a\x1b["), "a");
  EXPECT_EQ(for_terminal("a\x1b[31"), "a");
  EXPECT_EQ(for_terminal("a\x1b("), "a");
  EXPECT_EQ(for_terminal("a\xC2\x9B"), "a");
  EXPECT_EQ(for_terminal("a\x1b]"), "a");
}

TEST(ForTerminal, DoesNotLetAStringWithoutEndHideTheRest) {
  EXPECT_EQ(for_terminal("a\x1b]0;rest of\nthe text"), "a0;rest of\nthe text");
  EXPECT_EQ(for_terminal("a\x1b]0;rest\x1b"), "a0;rest");
  EXPECT_EQ(for_terminal("a\x1bPrest\x07"), "arest");
}

TEST(ForTerminal, IsNotFooledByEscapesInsideEscapes) {
  EXPECT_EQ(for_terminal("a\x1b\x1b[31mb"), "ab");
  EXPECT_EQ(for_terminal("a\x1b[3\x1b[31mb"), "ab");
  EXPECT_EQ(for_terminal("a\x1b[\xC2\x9B"
                         "31mb"),
            "ab");
  EXPECT_EQ(for_terminal("a\x1b]0;\x1b]0;x\x07"
                         "b"),
            "a0;b");
  EXPECT_EQ(for_terminal("a\x1b]x\x1b[31mb\x07"), "axb");
  EXPECT_EQ(for_terminal("a\x1b]x\xC2\x9B"
                         "31;1mb\x07"),
            "axb");
  EXPECT_EQ(for_terminal("a\xC2\x1b[0m\x9B"
                         "31mb"),
            "a\uFFFD\uFFFD"
            "31mb");
}

TEST(ForTerminal, EndsABrokenCsiBeforeTheByteThatBrokeIt) {
  EXPECT_EQ(for_terminal("a\x1b[31\nb"), "a\nb");
  EXPECT_EQ(for_terminal("a\x1b[31é"), "aé");
  EXPECT_EQ(for_terminal("a\x1bé"), "aé");
}

TEST(ForTerminal, RemovesControls) {
  EXPECT_EQ(for_terminal(std::string_view("a\0\x01\x07\x08\x0b\x0c\x0e\x1f\x7f"
                                          "b",
                                          11)),
            "ab");
  EXPECT_EQ(for_terminal("a\xC2\x80\xC2\x85\xC2\x8E\xC2\x9C"
                         "b"),
            "ab");
  EXPECT_EQ(for_terminal("\xC2\xA0"), "\xC2\xA0");
}

TEST(ForTerminal, TranslatesTabsAndLineEnds) {
  EXPECT_EQ(for_terminal("\ta\r\nb\rc\r\r\nd"), "  a\nbc\nd");
  EXPECT_EQ(for_terminal("a\u2028b\u2029c"), "a\nb\nc");
}

TEST(ForTerminal, RemovesInvisibleCharacters) {
  EXPECT_EQ(for_terminal("a\u202Ab\u202Ec\u2066d\u2069e\u200Ef\u200Fg\u061Ch"), "abcdefgh");
  EXPECT_EQ(for_terminal("a\u200Bb\u2060c\uFEFFd\U000E0041e\U000E007Ff"), "abcdef");
}

TEST(ForTerminal, KeepsWhatEmojiAndScriptsNeed) {
  for (const std::string_view text : {"👩\u200D💻", "❤\uFE0F", "می\u200Cخواهم", "e\u0301"}) {
    EXPECT_EQ(for_terminal(text), text);
  }
}

TEST(ForTerminal, ReplacesEachStrayByte) {
  EXPECT_EQ(for_terminal("a\xFF"
                         "b"),
            "a\uFFFDb");
  EXPECT_EQ(for_terminal("\xE2\x82"), "\uFFFD\uFFFD");
  EXPECT_EQ(for_terminal("\x9B"
                         "31m"),
            "\uFFFD"
            "31m");
  EXPECT_EQ(for_terminal("\xC0\x9B"), "\uFFFD\uFFFD");  // an overlong ESC is no ESC
}

// Bytes chosen to build, break and interleave sequences.
rc::Gen<std::string> hostile_text() {
  const auto fragment = rc::gen::elementOf(std::vector<std::string>{"\x1b",
                                                                    "\x1b",
                                                                    "\x1b[",
                                                                    "\x1b]",
                                                                    "\x1bP",
                                                                    "\x1b_",
                                                                    "\x1b\\",
                                                                    "[",
                                                                    "]",
                                                                    "\\",
                                                                    "P",
                                                                    "_",
                                                                    "^",
                                                                    "X",
                                                                    "(",
                                                                    "m",
                                                                    "0",
                                                                    ";",
                                                                    " ",
                                                                    "\x07",
                                                                    "\x18",
                                                                    "\x1a",
                                                                    "\n",
                                                                    "\r",
                                                                    "\t",
                                                                    "\x7f",
                                                                    "\xC2",
                                                                    "\x9B",
                                                                    "\x9C",
                                                                    "\xC2\x9B",
                                                                    "\xC2\x9C",
                                                                    "\xC2\x9D",
                                                                    "\xC2\x90",
                                                                    "\xC2\x85",
                                                                    "é",
                                                                    "漢",
                                                                    "\xE2\x80",
                                                                    "\xAE",
                                                                    "\u202E",
                                                                    "\u200B",
                                                                    "\u2028",
                                                                    "\xF3\xA0",
                                                                    "\x81\x81",
                                                                    "\U000E0041",
                                                                    "😀",
                                                                    "\xF0\x9F",
                                                                    "\xED\xA0\x80",
                                                                    "\xFF",
                                                                    "a",
                                                                    "Z"});
  const auto byte =
      rc::gen::map(rc::gen::arbitrary<char>(), [](char c) { return std::string(1, c); });
  const auto part = rc::gen::weightedOneOf<std::string>({{5, fragment}, {1, byte}});
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(part),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& p : parts) text += p;
                        return text;
                      });
}

bool is_harmless(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Char c = decode_at(text, at);
    const char32_t p = c.code_point;
    if (c.is_stray() || (p < 0x20 && p != '\n') || (p >= 0x7F && p <= 0x9F)) return false;
    if (p == 0x061C || p == 0x200B || p == 0x200E || p == 0x200F || p == 0xFEFF) return false;
    if ((p >= 0x2028 && p <= 0x202E) || (p >= 0x2060 && p <= 0x2069)) return false;
    if (p >= 0xE0000 && p <= 0xE007F) return false;
    at += c.size_bytes;
  }
  return true;
}

RC_GTEST_PROP(ForTerminal, IsHarmlessWhateverComesIn, ()) {
  RC_ASSERT(is_harmless(for_terminal(*hostile_text())));
}

RC_GTEST_PROP(ForTerminal, ChangesNothingTheSecondTime, ()) {
  const std::string once = for_terminal(*hostile_text());
  RC_ASSERT(for_terminal(once) == once);
}

RC_GTEST_PROP(ForTerminal, KeepsEveryLineOfTextWithoutEscapes, (std::vector<std::uint8_t> bytes)) {
  std::string text;
  for (const std::uint8_t byte : bytes)
    text += byte % 7 == 0 ? '\n' : static_cast<char>(' ' + byte % 95);
  RC_ASSERT(for_terminal(text) == text);
}

TEST(OneLine, JoinsLinesAndRunsOfWhiteSpace) {
  EXPECT_EQ(one_line("  a \t b\r\n\n c  "), "a b c");
  EXPECT_EQ(one_line("\x1b[31m \n\x1b[0m"), "");
  EXPECT_EQ(one_line("a\u2028b"), "a b");
}

TEST(Fit, CutsWithAnEllipsisOnlyWhenItMust) {
  EXPECT_EQ(fit("abcdef", 6), "abcdef");
  EXPECT_EQ(fit("abcdef", 5), "abcd…");
  EXPECT_EQ(fit("abc def", 5), "abc…");
  EXPECT_EQ(fit("abc", 1), "…");
  EXPECT_EQ(fit("abc", 0), "");
  EXPECT_EQ(fit("", 0), "");
  EXPECT_EQ(fit("漢字漢字", 6), "漢字…");
  EXPECT_EQ(fit("漢字漢字", 8), "漢字漢字");
}

RC_GTEST_PROP(Fit, NeverTakesMoreColumnsThanItMay, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(0, 12);
  const std::string line = fit(*hostile_text(), columns);
  RC_ASSERT(display_width(line) <= columns);
  RC_ASSERT(is_harmless(line));
  RC_ASSERT(line.find('\n') == std::string::npos);
}

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrap("one two three four", 9, ""), "one two\nthree\nfour");
  EXPECT_EQ(wrap("one two", 3, ""), "one\ntwo");
  EXPECT_EQ(wrap("one    two", 5, ""), "one\ntwo");
  EXPECT_EQ(wrap("one two", 7, ""), "one two");
}

TEST(Wrap, CountsTheIndent) {
  EXPECT_EQ(wrap("one two three", 9, "  "), "  one two\n  three");
  EXPECT_EQ(wrap("one two", 5, "│ "), "│ one\n│ two");
}

TEST(Wrap, KeepsNewlinesAndIndentation) {
  EXPECT_EQ(wrap("a\n\n  b c\n", 10, "| "), "| a\n|\n|   b c\n");
  EXPECT_EQ(wrap("a\n\nb", 10, "  "), "  a\n\n  b");
  EXPECT_EQ(wrap("    word word", 8, ""), "    word\nword");
  EXPECT_EQ(wrap("", 10, "  "), "");
}

TEST(Wrap, CutsAWordThatIsLongerThanALine) {
  EXPECT_EQ(wrap("abcdefgh", 3, ""), "abc\ndef\ngh");
  EXPECT_EQ(wrap("a bcdefgh", 3, ""), "a\nbcd\nefg\nh");
  EXPECT_EQ(wrap("  abcdefgh", 4, ""), "  ab\ncdef\ngh");
  EXPECT_EQ(wrap("漢字漢", 4, ""), "漢字\n漢");
}

TEST(Wrap, GoesOnWhereNothingFits) {
  EXPECT_EQ(wrap("漢字", 1, ""), "漢\n字");
  EXPECT_EQ(wrap("ab", 0, ">>"), ">>a\n>>b");
  EXPECT_EQ(wrap("     x", 2, ""), "\nx");
}

TEST(Wrap, DropsSpacesAtTheEndOfALine) {
  EXPECT_EQ(wrap("a   \n   \nb ", 80, ""), "a\n\nb");
}

RC_GTEST_PROP(Wrap, KeepsEveryCharacterButSpacesAndFitsTheColumns, ()) {
  const std::string text = for_terminal(*hostile_text());
  const auto columns = *rc::gen::inRange<std::size_t>(2, 12);
  const std::string wrapped = wrap(text, columns, "");
  std::string letters;
  std::string wrapped_letters;
  for (const char c : text) {
    if (c != ' ' && c != '\n') letters += c;
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= wrapped.size(); ++i) {
    if (i < wrapped.size() && wrapped[i] != '\n') {
      if (wrapped[i] != ' ') wrapped_letters += wrapped[i];
      continue;
    }
    RC_ASSERT(display_width(std::string_view(wrapped).substr(begin, i - begin)) <= columns);
    begin = i + 1;
  }
  RC_ASSERT(wrapped_letters == letters);
}

}  // namespace
}  // namespace yore::text
