#include "text/glob.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace yore::text {
namespace {

TEST(GlobMatch, ComparesPlainTextWhole) {
  EXPECT_TRUE(glob_match("abc", "abc"));
  EXPECT_FALSE(glob_match("abc", "abcd"));
  EXPECT_FALSE(glob_match("abc", "ab"));
  EXPECT_FALSE(glob_match("abc", "ABC"));
  EXPECT_TRUE(glob_match("", ""));
  EXPECT_FALSE(glob_match("", "a"));
}

TEST(GlobMatch, LetsAStarMatchAnyRunEvenSlashes) {
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("*.jsonl", "a/b/c.jsonl"));
  EXPECT_TRUE(glob_match("a*b*c", "a-b-b/c"));
  EXPECT_TRUE(glob_match("**a**", "a"));
  EXPECT_FALSE(glob_match("a*b", "a-b-c"));
  EXPECT_FALSE(glob_match("*a", ""));
}

TEST(GlobMatch, LetsAQuestionMarkMatchOneCharacter) {
  EXPECT_TRUE(glob_match("?", "a"));
  EXPECT_TRUE(glob_match("?", "漢"));
  EXPECT_TRUE(glob_match("a?c", "a😀c"));
  EXPECT_FALSE(glob_match("?", ""));
  EXPECT_FALSE(glob_match("?", "ab"));
}

TEST(GlobMatch, KnowsSetsAndRanges) {
  EXPECT_TRUE(glob_match("[abc]", "b"));
  EXPECT_TRUE(glob_match("[a-c]x", "cx"));
  EXPECT_FALSE(glob_match("[a-c]", "d"));
  EXPECT_TRUE(glob_match("[!a-c]", "d"));
  EXPECT_FALSE(glob_match("[!a-c]", "b"));
  EXPECT_FALSE(glob_match("[!a-c]", ""));
  EXPECT_TRUE(glob_match("[а-я]", "ж"));
  EXPECT_TRUE(glob_match("[-a]", "-"));
  EXPECT_TRUE(glob_match("[a-]", "-"));
  EXPECT_FALSE(glob_match("[c-a]", "b"));
  EXPECT_TRUE(glob_match("[]a]", "]"));
  EXPECT_TRUE(glob_match("[!]a]", "b"));
  EXPECT_FALSE(glob_match("[!]a]", "]"));
  EXPECT_TRUE(glob_match("[*]", "*"));
  EXPECT_FALSE(glob_match("[*]", "a"));
}

TEST(GlobMatch, TakesAnEscapedCharacterAsItIs) {
  EXPECT_TRUE(glob_match("\\*", "*"));
  EXPECT_FALSE(glob_match("\\*", "a"));
  EXPECT_TRUE(glob_match("\\[a]", "[a]"));
  EXPECT_TRUE(glob_match("[\\]]", "]"));
  EXPECT_TRUE(glob_match("[a\\-c]", "-"));
  EXPECT_FALSE(glob_match("[a\\-c]", "b"));
  EXPECT_TRUE(glob_match("a\\", "a\\"));
}

TEST(GlobMatch, TakesASetThatNeverClosesAsPlainText) {
  EXPECT_TRUE(glob_match("[abc", "[abc"));
  EXPECT_TRUE(glob_match("[", "["));
  EXPECT_TRUE(glob_match("[]", "[]"));
  EXPECT_TRUE(glob_match("[!]", "[!]"));
  EXPECT_TRUE(glob_match("[[*", "[[x"));
  EXPECT_FALSE(glob_match("[abc", "a"));
}

TEST(GlobMatch, ComparesStrayBytesAsBytes) {
  EXPECT_TRUE(glob_match("a\xFF*", "a\xFF-"));
  EXPECT_FALSE(glob_match("\xFE", "\xFF"));
  EXPECT_TRUE(glob_match("?", "\xFF"));
}

TEST(GlobMatch, FinishesOnPatternsMadeToBeSlow) {
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "*a";
  EXPECT_FALSE(glob_match(stars + "b", std::string(5000, 'a')));
  EXPECT_FALSE(glob_match(std::string(20'000, '[') + "x", "y"));
}

// Slow twin for patterns without sets: says what each sign means and tries everything.
bool matches_slowly(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  const char first = pattern.front();
  if (first == '*') {
    return matches_slowly(pattern.substr(1), text) ||
           (!text.empty() && matches_slowly(pattern, text.substr(1)));
  }
  if (text.empty()) return false;
  if (first == '\\' && pattern.size() > 1) {
    return pattern[1] == text.front() && matches_slowly(pattern.substr(2), text.substr(1));
  }
  if (first == '[' && pattern.starts_with("[!b]")) {
    return text.front() != 'b' && matches_slowly(pattern.substr(4), text.substr(1));
  }
  return (first == '?' || first == text.front()) &&
         matches_slowly(pattern.substr(1), text.substr(1));
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

RC_GTEST_PROP(GlobMatch, AgreesWithTryingEverything, ()) {
  const auto part = rc::gen::elementOf(
      std::vector<std::string>{"a", "b", "*", "*", "*", "?", "\\*", "\\a", "[!b]", "\\\\"});
  const auto letter = rc::gen::elementOf(std::vector<std::string>{"a", "b", "a", "b", "*", "\\"});
  const auto parts = *rc::gen::resize(10, rc::gen::container<std::vector<std::string>>(part));
  const auto letters = *rc::gen::resize(12, rc::gen::container<std::vector<std::string>>(letter));
  const std::string pattern = joined(parts);
  const std::string text = joined(letters);
  const bool expected = matches_slowly(pattern, text);
  RC_ASSERT(glob_match(pattern, text) == expected);
}

RC_GTEST_PROP(GlobMatch, FindsAnyTextByItsEscapedSelf, (std::string text)) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view{"*?[\\"}.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  RC_ASSERT(glob_match(escaped, text));
  RC_ASSERT(glob_match("*" + escaped, "x" + text));
}

}  // namespace
}  // namespace yore::text
