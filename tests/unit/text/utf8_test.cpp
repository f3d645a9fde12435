#include "text/utf8.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace yore::text {
namespace {

// Text that mixes whole characters of every length with stray bytes.
rc::Gen<std::string> mixed_text() {
  const auto piece = rc::gen::elementOf(
      std::vector<std::string>{"a", "Z", " ", "é", "€", "漢", "😀", "e\u0301", "\x80", "\xC3",
                               "\xE2\x82", "\xF0\x9F\x98", "\xC0\xAF", "\xED\xA0\x80", "\xFF"});
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& p : pieces) text += p;
                        return text;
                      });
}

// Slow twin: the bytes at which a character begins, and the end.
std::vector<std::size_t> boundaries(std::string_view text) {
  std::vector<std::size_t> result = {0};
  while (result.back() < text.size()) {
    result.push_back(result.back() + decode_at(text, result.back()).size_bytes);
  }
  return result;
}

TEST(DecodeAt, ReadsSequencesOfEveryLength) {
  const auto code_point = [](std::string_view text) {
    const Char c = decode_at(text, 0);
    EXPECT_EQ(c.size_bytes, text.size());
    return static_cast<std::uint32_t>(c.code_point);
  };
  EXPECT_EQ(code_point("A"), 0x41U);
  EXPECT_EQ(code_point("\x7F"), 0x7FU);
  EXPECT_EQ(code_point("\xC2\x80"), 0x80U);
  EXPECT_EQ(code_point("\xDF\xBF"), 0x7FFU);
  EXPECT_EQ(code_point("\xE0\xA0\x80"), 0x800U);
  EXPECT_EQ(code_point("\xED\x9F\xBF"), 0xD7FFU);
  EXPECT_EQ(code_point("\xEF\xBF\xBD"), 0xFFFDU);
  EXPECT_EQ(code_point("\xF0\x90\x80\x80"), 0x10000U);
  EXPECT_EQ(code_point("\xF4\x8F\xBF\xBF"), 0x10FFFFU);
}

TEST(DecodeAt, CallsEveryOtherByteStray) {
  for (const std::string_view text : {"\x80",
                                      "\xBF",
                                      "\xC2",
                                      "\xC2 ",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xE0\x80\x80",
                                      "\xE0\x9F\xBF",
                                      "\xE2\x82",
                                      "\xE2\x82 ",
                                      "\xED\xA0\x80",
                                      "\xED\xBF\xBF",
                                      "\xF0\x80\x80\x80",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF0\x9F\x98",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xF8\x88\x80\x80\x80",
                                      "\xFE",
                                      "\xFF"}) {
    EXPECT_TRUE(decode_at(text, 0).is_stray()) << testing::PrintToString(text);
  }
  EXPECT_FALSE(decode_at("\uFFFD", 0).is_stray());
}

TEST(CountChars, CountsCodePointsAndStrayBytes) {
  EXPECT_EQ(count_chars(""), 0U);
  EXPECT_EQ(count_chars("naïve"), 5U);
  EXPECT_EQ(count_chars("漢字😀"), 3U);
  EXPECT_EQ(count_chars("a\xE2\x82z"), 4U);
}

TEST(FirstChars, TakesWholeCharacters) {
  EXPECT_EQ(first_chars("naïve", 3), "naï");
  EXPECT_EQ(first_chars("naïve", 0), "");
  EXPECT_EQ(first_chars("naïve", 99), "naïve");
}

TEST(PrefixBytes, StopsBeforeASplitSequence) {
  EXPECT_EQ(prefix_bytes("a😀b", 4), "a");
  EXPECT_EQ(prefix_bytes("a😀b", 5), "a😀");
  EXPECT_EQ(prefix_bytes("😀", 3), "");
  EXPECT_EQ(prefix_bytes("abc", 99), "abc");
}

TEST(SuffixBytes, StartsAfterASplitSequence) {
  EXPECT_EQ(suffix_bytes("a😀b", 4), "b");
  EXPECT_EQ(suffix_bytes("a😀b", 5), "😀b");
  EXPECT_EQ(suffix_bytes("😀", 3), "");
  EXPECT_EQ(suffix_bytes("abc", 2), "bc");
}

RC_GTEST_PROP(PrefixBytes, EndsAtTheLastBoundaryThatFits, ()) {
  const std::string text = *mixed_text();
  const auto max_bytes = *rc::gen::inRange<std::size_t>(0, text.size() + 3);
  std::size_t expected = 0;
  for (const std::size_t boundary : boundaries(text)) {
    if (boundary <= max_bytes) expected = boundary;
  }
  RC_ASSERT(prefix_bytes(text, max_bytes).size() == expected);
}

RC_GTEST_PROP(SuffixBytes, BeginsAtTheFirstBoundaryThatFits, ()) {
  const std::string text = *mixed_text();
  const auto max_bytes = *rc::gen::inRange<std::size_t>(0, text.size() + 3);
  std::size_t expected = 0;
  for (const std::size_t boundary : boundaries(text)) {
    expected = boundary;
    if (text.size() - boundary <= max_bytes) break;
  }
  RC_ASSERT(suffix_bytes(text, max_bytes) == std::string_view(text).substr(expected));
}

RC_GTEST_PROP(PrefixColumns, IsTheLongestPrefixThatFits, ()) {
  const std::string text = *mixed_text();
  const auto columns = *rc::gen::inRange<std::size_t>(0, display_width(text) + 2);
  std::size_t expected = 0;
  for (const std::size_t boundary : boundaries(text)) {
    if (display_width(std::string_view(text).substr(0, boundary)) <= columns) expected = boundary;
  }
  RC_ASSERT(prefix_columns(text, columns).size() == expected);
}

TEST(DisplayWidth, KnowsWideAndCombiningCharacters) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("漢字"), 4U);
  EXPECT_EQ(display_width("😀"), 2U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("a\xFF"), 2U);
  EXPECT_EQ(display_width(""), 0U);
}

TEST(PrefixColumns, KeepsAMarkWithItsLetterAndAWideCharacterWhole) {
  EXPECT_EQ(prefix_columns("e\u0301x", 1), "e\u0301");
  EXPECT_EQ(prefix_columns("a漢", 2), "a");
  EXPECT_EQ(prefix_columns("a漢", 3), "a漢");
}

TEST(Trim, RemovesAsciiWhiteSpaceAtBothEnds) {
  EXPECT_EQ(trim(" \t\r\n\v\f a b \n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("\xA0"), "\xA0");
}

TEST(ValidUtf8, ReplacesEachStrayByteAndNothingElse) {
  EXPECT_EQ(valid_utf8("plain é 漢"), "plain é 漢");
  EXPECT_EQ(valid_utf8("a\xFFz\x80"), "a\uFFFDz\uFFFD");
  EXPECT_EQ(valid_utf8("\xE2\x82"), "\uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8(""), "");
}

RC_GTEST_PROP(ValidUtf8, HasAsManyCharactersAndNoStrayByte, ()) {
  const std::string text = *mixed_text();
  const std::string mended = valid_utf8(text);
  RC_ASSERT(count_chars(mended) == count_chars(text));
  for (std::size_t at = 0; at < mended.size();) {
    const Char c = decode_at(mended, at);
    RC_ASSERT(!c.is_stray());
    at += c.size_bytes;
  }
  RC_ASSERT(valid_utf8(mended) == mended);
}

TEST(Iequals, IgnoresAsciiCaseOnly) {
  EXPECT_TRUE(iequals("Claude", "cLAUDE"));
  EXPECT_FALSE(iequals("É", "é"));
  EXPECT_FALSE(iequals("abc", "ab"));
  EXPECT_FALSE(iequals("[", "{"));
  EXPECT_FALSE(iequals("@", "`"));
}

TEST(Icontains, FindsANeedleAnywhere) {
  EXPECT_TRUE(icontains("src/MyApp", "myapp"));
  EXPECT_TRUE(icontains("MyApp", "MYA"));
  EXPECT_TRUE(icontains("aab", "AB"));
  EXPECT_TRUE(icontains("x", ""));
  EXPECT_TRUE(icontains("", ""));
  EXPECT_FALSE(icontains("", "x"));
  EXPECT_FALSE(icontains("my", "mya"));
}

TEST(NaturalLess, ComparesRunsOfDigitsAsNumbers) {
  EXPECT_TRUE(natural_less("2.1.5", "2.1.42"));
  EXPECT_FALSE(natural_less("2.1.42", "2.1.5"));
  EXPECT_TRUE(natural_less("1.0.119", "2.0.9"));
  EXPECT_TRUE(natural_less("2.1", "2.1.0"));
  EXPECT_FALSE(natural_less("2.1.0", "2.1.0"));
  EXPECT_TRUE(natural_less("3", "v1"));
}

}  // namespace
}  // namespace yore::text
