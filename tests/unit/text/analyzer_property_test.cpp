// Properties of the analyser over texts made of everything that makes its rules meet: code, paths,
// hashes, encoded bytes, many scripts, broken UTF-8.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/analyzer.hpp"
#include "text/fold.hpp"
#include "text/utf8.hpp"
#include "text/word_shape.hpp"
#include "unit/text/analyzer_twin.hpp"

namespace yore::text {
namespace {

using Strings = std::vector<std::string>;

rc::Gen<std::string> one_of(const Strings& choices) {
  return rc::gen::elementOf(choices);
}

// Up to `longest` characters of `alphabet`.
rc::Gen<std::string> made_of(const std::string& alphabet, int longest) {
  return rc::gen::mapcat(rc::gen::inRange(0, longest + 1), [alphabet](int size) {
    return rc::gen::container<std::string>(static_cast<std::size_t>(size),
                                           rc::gen::elementOf(alphabet));
  });
}

const Strings& known_words() {
  static const Strings words = {"a",
                                "c",
                                "the",
                                "running",
                                "parse",
                                "Json",
                                "HTTP",
                                "URLs",
                                "IDs",
                                "v2",
                                "1234",
                                "0x",
                                "utf8",
                                "SHA256",
                                "x86",
                                "64",
                                "s",
                                "E2E",
                                "550e8400",
                                "e29b",
                                "41d4",
                                "a716",
                                "446655440000",
                                "550e8400-e29b-41d4-a716-446655440000",
                                "9f86d081884c7d659a2feaa0c55ad015",
                                "C:\\",
                                "C:\\src",
                                "deadbeefdeadbeef",
                                "deadbeefdeadbee5",
                                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"};
  return words;
}

const Strings& signs() {
  static const Strings all = {" ",    " ",  " ",  ".",  "-",  "_",
                              "/",    "\\", ":",  "#",  "+",  "++",
                              "--",   "..", "__", "\n", "\t", std::string(1, '\0'),
                              "\x7f", "\"", "=",  "'"};
  return all;
}

const Strings& foreign() {
  static const Strings all = {"é",           "ß",         "İ",
                              "ı",           "Größe",     "ſ",
                              "ﬁ",           "Ａ",        "ｓ",
                              "１",          "．",        "Łódź",
                              "привет",      "ПриветМир", "ΑΒΓς",
                              "ᾳ",           "ǅ",         "漢",
                              "字",          "か",        "が",
                              "ｶ",           "ﾞ",         "\u3099",
                              "한",          "\u1112",    "\u1161",
                              "\u11ab",      "ไทย",       "ำ",
                              "ខ្មែរ",        "हिन्दी",     "שָׁלוֹם",
                              "\u0301",      "\u00ad",    "\u200b",
                              "\u200d",      "\ufe0f",    "\u20e3",
                              "—",           "…",         "½",
                              "²",           "①",         "㊀",
                              "№",           "😀",         "👩‍💻",
                              "\ufdfa",      "𝐀",         "𝟙",
                              "،",           "\x80",      "\xff",
                              "\xc3",        "\xe6\xbc",  "\xed\xa0\x80",
                              "\xf0\x9f\x98"};
  return all;
}

rc::Gen<std::string> any_fragment() {
  static const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  static const std::string upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return rc::gen::weightedOneOf<std::string>({{6, one_of(known_words())},
                                              {8, one_of(signs())},
                                              {5, one_of(foreign())},
                                              {3, made_of("abs", 4)},
                                              {3, made_of("aAbBsS_01", 12)},
                                              {1, made_of("aAsS_é", 90)},
                                              {1, made_of("0123456789abcdefABCDEF", 40)},
                                              {1, made_of(letters + upper + "0123456789+/-_", 120)},
                                              {1, made_of("/-_ab", 60)},
                                              {1, rc::gen::arbitrary<std::string>()}});
}

rc::Gen<std::string> any_text() {
  return rc::gen::map(rc::gen::container<Strings>(any_fragment()), [](const Strings& fragments) {
    std::string text;
    for (const std::string& fragment : fragments) text += fragment;
    return text;
  });
}

std::vector<TwinTerm> copy_of(const std::vector<Term>& terms) {
  std::vector<TwinTerm> copy;
  for (const Term& term : terms) {
    copy.push_back(
        {std::string{term.text}, term.position, term.begin, term.end, term.kind, term.stemmable});
  }
  return copy;
}

RC_GTEST_PROP(AnalyzerProperty, AgreesWithTheObviousTwin, ()) {
  static Analyzer analyzer;  // one for all texts: nothing may stay from the last
  for (int i = 0; i < 5; ++i) {
    const std::string text = *any_text();
    RC_ASSERT(copy_of(analyzer.analyze(text)) == analyze_slowly(text));
  }
}

// What the twin could get wrong in the same way.
RC_GTEST_PROP(AnalyzerProperty, KeepsItsPromises, ()) {
  Analyzer analyzer;
  const std::string text = *any_text();
  // A copy without a byte behind it, so that a sanitizer sees any read past the end.
  const std::vector<char> exact(text.begin(), text.end());
  const auto& terms = analyzer.analyze({exact.data(), exact.size()});
  std::uint32_t next = 0;
  for (const Term& term : terms) {
    RC_ASSERT(!term.text.empty());
    RC_ASSERT(term.text.size() <= kMaxTermBytes);
    RC_ASSERT(term.begin < term.end);
    RC_ASSERT(term.end <= text.size());
    const bool takes_a_position =
        term.kind == TermKind::word || term.kind == TermKind::part || term.kind == TermKind::gram;
    RC_ASSERT(term.position + (takes_a_position ? 0 : 1) == next);
    if (takes_a_position) ++next;
    RC_ASSERT(prefix_bytes(term.text, kMaxTermBytes) == term.text);
    for (std::size_t at = 0; at < term.text.size();) {
      const Char c = decode_at(term.text, at);
      RC_ASSERT(!c.is_stray());
      at += c.size_bytes;
    }
  }
  RC_ASSERT(analyzer.positions() == next);
}

// The index holds folded terms; a query may be made from one of them.
RC_GTEST_PROP(AnalyzerProperty, FindsAWordByItsFoldedForm, ()) {
  Analyzer analyzer;
  const auto terms = copy_of(analyzer.analyze(*any_text()));
  for (const TwinTerm& term : terms) {
    if (term.kind != TermKind::word || term.text.size() > kNoiseChars) continue;
    const auto& again = analyzer.analyze(term.text);
    RC_ASSERT(!again.empty());
    RC_ASSERT(again.front().text == term.text);
  }
}

RC_GTEST_PROP(FoldProperty, DoesNotChangeWhatIsFolded, ()) {
  const std::string folded = fold(*any_text());
  RC_ASSERT(fold(folded) == folded);
}

RC_GTEST_PROP(SplitPartsProperty, AgreesByBitsAndByClasses, ()) {
  const std::string word = *rc::gen::suchThat(made_of("aAbBsS_019", 56),
                                              [](const std::string& w) { return !w.empty(); });
  std::vector<CharClass> classes;
  WordBits bits;
  bits.size = word.size();
  for (std::size_t i = 0; i < word.size(); ++i) {
    classes.push_back(fold_char(static_cast<unsigned char>(word[i])).kind);
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (classes.back() == CharClass::digit) bits.digit |= bit;
    if (classes.back() == CharClass::upper) bits.upper |= bit;
    if (classes.back() == CharClass::underscore) bits.underscore |= bit;
  }
  const auto slow = split_parts(classes);
  const auto fast = split_parts(bits, fold(word));
  RC_ASSERT(slow.has_value() == fast.has_value());
  if (!slow) return;
  RC_ASSERT(std::equal(
      slow->begin(), slow->end(), fast->begin(), fast->end(),
      [](const WordPart& a, const WordPart& b) { return a.begin == b.begin && a.end == b.end; }));
}

// REQUIRES: no ASCII.
std::string encoded(char32_t c) {
  const auto rest = [c](unsigned shift) { return static_cast<char>(0x80U | (c >> shift & 0x3FU)); };
  if (c < 0x800) return {static_cast<char>(0xC0U | c >> 6U), rest(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0U | c >> 12U), rest(6), rest(0)};
  return {static_cast<char>(0xF0U | c >> 18U), rest(12), rest(6), rest(0)};
}

// Also of what may become one character with it: a voicing mark, the end of a Hangul syllable.
TEST(Fold, DoesNotChangeAnyCharacterThatIsFolded) {
  constexpr char32_t kBehindSymbols = 0x20000;
  for (char32_t c = 0x80; c < kBehindSymbols; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string text = encoded(c);
    const std::string folded = fold(text + "\u3099" + text + "\u11a8");
    ASSERT_EQ(fold(folded), folded) << std::hex << static_cast<std::uint32_t>(c);
  }
}

TEST(FoldCache, AgreesWithFoldCharOnEveryCharacter) {
  FoldCache cache;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const FoldedChar folded = fold_char(c);
    ASSERT_EQ(cache(c).kind(), folded.kind) << std::hex << static_cast<std::uint32_t>(c);
    if (folded.kind == CharClass::separator) continue;
    ASSERT_EQ(cache(c).text(), folded.text) << std::hex << static_cast<std::uint32_t>(c);
  }
}

}  // namespace
}  // namespace yore::text
