#include "text/passages.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/cpu_time.hpp"
#include "text/utf8.hpp"

namespace yore::text {
namespace {

using Pieces = std::vector<std::string_view>;

// Cuts fall in bytes 10 to 20, or at 30.
constexpr PassageSize kSmall{20, 30};

std::string_view first_piece(std::string_view text) {
  return split_passages(text, kSmall).at(0);
}

TEST(SplitPassages, GivesNoPieceForNoText) {
  EXPECT_TRUE(split_passages("", kSmall).empty());
}

TEST(SplitPassages, KeepsAShortTextWhole) {
  const std::string text = "One. Two.\n\nThree. Four. Five..";
  ASSERT_EQ(text.size(), kSmall.max_bytes);
  EXPECT_EQ(split_passages(text, kSmall), Pieces{text});
}

TEST(SplitPassages, TakesARemainderThatFitsWhole) {
  const std::string text = "aaaa bbbb cccc dddd eeee ffff gggg hhhh";
  EXPECT_EQ(split_passages(text, kSmall), (Pieces{"aaaa bbbb cccc dddd ", "eeee ffff gggg hhhh"}));
}

TEST(SplitPassages, PrefersABlankLineToALineEnd) {
  EXPECT_EQ(first_piece("first part\n\nsecond\nthird is long, really"), "first part\n\n");
  EXPECT_EQ(first_piece("first part\r\n\r\nsecond\r\nthird is long"), "first part\r\n\r\n");
  EXPECT_EQ(first_piece("first part\n  \nsecond\nthird is long, really"), "first part\n  \n");
}

TEST(SplitPassages, PrefersALineEndToASentenceEnd) {
  EXPECT_EQ(first_piece("first part\nIs it. Yes and it goes on"), "first part\n");
}

TEST(SplitPassages, PrefersASentenceEndToASpace) {
  EXPECT_EQ(first_piece("First part. and so on and on and on"), "First part. ");
  EXPECT_EQ(first_piece("First part! and so on and on and on"), "First part! ");
  EXPECT_EQ(first_piece("(First part?) and so on and on and on"), "(First part?) ");
  EXPECT_EQ(first_piece("一二三。四 五六七八九十"), "一二三。");
  EXPECT_EQ(first_piece("一二三？四 五六七八九十"), "一二三？");
}

TEST(SplitPassages, DoesNotTakeADotInsideAWordForASentenceEnd) {
  EXPECT_EQ(first_piece("see the file.cpp or ask somebody"), "see the file.cpp or ");
}

TEST(SplitPassages, CutsAfterTheLastSpaceBeforeTheTarget) {
  EXPECT_EQ(first_piece("aaaa bbbb cccc dddd eeee ffff gggg"), "aaaa bbbb cccc dddd ");
}

TEST(SplitPassages, IgnoresPlacesInTheFirstHalfOfTheTarget) {
  const std::string text = "a. b\n\n" + std::string(40, 'x');
  EXPECT_EQ(first_piece(text), text.substr(0, 30));
}

TEST(SplitPassages, CutsBetweenCharactersWhenThereIsNoPlace) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "漢";
  EXPECT_EQ(first_piece("x" + text).size(), 28U);
  EXPECT_EQ(split_passages(text, kSmall),
            (Pieces{std::string_view(text).substr(0, 30), std::string_view(text).substr(30)}));
}

TEST(SplitPassages, GoesOnThroughLongRunsWithoutAnyPlace) {
  EXPECT_EQ(split_passages(std::string(1'000'000, 'x'), kConversation).size(), 715U);
  EXPECT_EQ(split_passages(std::string(1'000'000, '\x80'), kConversation).size(), 715U);
  EXPECT_EQ(split_passages(std::string(1'000'000, '\n'), kToolOutput).size(), 500U);
  EXPECT_EQ(split_passages(std::string(1'000'000, ' '), kToolOutput).size(), 500U);
}

// A prompt may have 32 MB. Looking for the next line end to the end of the text takes ten seconds
// here, looking where a cut may fall some milliseconds.
TEST(SplitPassages, TakesTimeInProportionToATextWithoutLineEnds) {
  const std::string text(32U << 20, 'x');
  const double seconds = fake::cpu_seconds([&] { split_passages(text, kConversation); });
  EXPECT_LT(seconds, 2.0);
}

// Pieces of which texts are made: every kind of place, long words, stray bytes at will.
rc::Gen<std::string> text_of(std::vector<std::string> parts) {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::move(parts))),
      [](const std::vector<std::string>& chosen) {
        std::string text;
        for (const std::string& part : chosen) text += part;
        return text;
      });
}

const std::vector<std::string> kValidParts = {"a",     "word", " ",    ". ",   "! ",
                                              ".\") ", "\n",   "\n\n", "\r\n", "\t",
                                              "。",    "漢字", "é",    "😀",    "identifier"};
const std::vector<std::string> kAnyParts = {
    "a", "word", " ", ". ", "\n", "\n \n", "。", "漢", "😀", "\x80", "\xE3\x80", "\xF0\x9F", "\xFF"};

PassageSize any_size() {
  const auto max_bytes = *rc::gen::inRange<std::size_t>(4, 60);
  const auto target_bytes = *rc::gen::inRange<std::size_t>(0, max_bytes + 5);
  return {target_bytes, max_bytes};
}

RC_GTEST_PROP(SplitPassages, LosesNothingAndKeepsTheLimits, ()) {
  const std::string text = *text_of(kAnyParts);
  const PassageSize size = any_size();
  std::string joined;
  const Pieces pieces = split_passages(text, size);
  for (const std::string_view piece : pieces) {
    RC_ASSERT(!piece.empty());
    RC_ASSERT(piece.size() <= size.max_bytes);
    joined += piece;
  }
  RC_ASSERT(joined == text);
  if (text.size() <= size.max_bytes) RC_ASSERT(pieces.size() <= 1U);
}

RC_GTEST_PROP(SplitPassages, NeverSplitsACharacter, ()) {
  const std::string text = *text_of(kValidParts);
  for (const std::string_view piece : split_passages(text, any_size())) {
    for (std::size_t at = 0; at < piece.size();) {
      const Char c = decode_at(piece, at);
      RC_ASSERT(!c.is_stray());
      at += c.size_bytes;
    }
  }
}

}  // namespace
}  // namespace yore::text
