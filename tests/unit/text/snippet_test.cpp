#include "text/snippet.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "text/utf8.hpp"

namespace yore::text {
namespace {

using Texts = std::vector<std::string>;

class Snippets : public testing::Test {
 protected:
  Snippet snippet(std::string_view text, const MatchTerms& wanted, std::size_t max_chars) {
    return make_snippet(text, wanted, max_chars, analyzer_, stemmer_);
  }
  Texts matches(std::string_view text, const MatchTerms& wanted) {
    Texts found;
    for (const Span& span : find_matches(text, wanted, analyzer_, stemmer_)) {
      found.emplace_back(text.substr(span.begin, span.end - span.begin));
    }
    return found;
  }
  Analyzer analyzer_;
  Stemmer stemmer_;
};

Texts marked(const Snippet& snippet) {
  Texts found;
  for (const Span& span : snippet.spans) {
    found.push_back(snippet.text.substr(span.begin, span.end - span.begin));
  }
  return found;
}

std::string filler(int words) {
  std::string text;
  for (int i = 0; i < words; ++i) text += "filler ";
  return text;
}

TEST_F(Snippets, MatchesWordsWhateverTheirCaseAndAccents) {
  EXPECT_EQ(matches("Café, CAFE and cafeteria", {{"cafe"}, {}}), (Texts{"Café", "CAFE"}));
  EXPECT_EQ(matches("nothing here", {{"cafe"}, {}}), Texts{});
  EXPECT_EQ(matches("nothing here", {}), Texts{});
}

TEST_F(Snippets, MatchesByStemAndByBeginning) {
  EXPECT_EQ(matches("tokens and a token", {{"token"}, {}}), (Texts{"tokens", "token"}));
  EXPECT_EQ(matches("connect reconnect connection", {{}, {"conn"}}),
            (Texts{"connect", "connection"}));
}

TEST_F(Snippets, JoinsWhatOverlaps) {
  // The whole, its joined form and its parts all match.
  EXPECT_EQ(matches("in http.cc now", {{"http", "cc", "http.cc"}, {}}), Texts{"http.cc"});
}

TEST_F(Snippets, AShortTextIsItsOwnSnippet) {
  const Snippet whole = snippet("  a needle \n", {{"needle"}, {}}, 100);
  EXPECT_EQ(whole.text, "a needle");
  EXPECT_EQ(marked(whole), Texts{"needle"});
}

TEST_F(Snippets, WithoutAMatchTheBeginningIsShown) {
  EXPECT_EQ(snippet("one two three four five", {{"needle"}, {}}, 12).text, "one two…");
  EXPECT_EQ(snippet("one two three four five", {}, 12).text, "one two…");
  EXPECT_EQ(snippet("", {{"needle"}, {}}, 12).text, "");
}

TEST_F(Snippets, CutsAroundTheMatchAtWords) {
  const Snippet cut =
      snippet("alpha beta gamma delta needle epsilon zeta eta theta", {{"needle"}, {}}, 30);
  EXPECT_EQ(cut.text, "…delta needle epsilon zeta…");
  EXPECT_EQ(marked(cut), Texts{"needle"});
}

TEST_F(Snippets, KeepsTheEndWhenTheMatchIsThere) {
  EXPECT_EQ(snippet("alpha beta gamma delta needle", {{"needle"}, {}}, 20).text,
            "…gamma delta needle");
}

TEST_F(Snippets, PrefersDifferentWordsToRepeatedOnes) {
  const std::string text = "red red red " + filler(40) + "red green " + filler(40);
  const Snippet cut = snippet(text, {{"red", "green"}, {}}, 60);
  EXPECT_EQ(marked(cut), (Texts{"red", "green"}));
}

TEST_F(Snippets, TwoFormsOfAWordAreOneWord) {
  const std::string text = "token tokens tokens " + filler(40) + "token expired " + filler(40);
  const Snippet cut = snippet(text, {{"tokens", "token", "expired", "expir"}, {}}, 60);
  EXPECT_EQ(marked(cut), (Texts{"token", "expired"}));
}

TEST_F(Snippets, PrefersMoreMatchesAndThenTheEarlier) {
  const std::string text = "red " + filler(40) + "red red " + filler(40) + "red red";
  const Snippet cut = snippet(text, {{"red"}, {}}, 40);
  EXPECT_EQ(marked(cut), (Texts{"red", "red"}));
  EXPECT_TRUE(cut.text.starts_with("…") && cut.text.ends_with("…")) << cut.text;
}

TEST_F(Snippets, CountsCharactersNotBytes) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "検索";
  const Snippet cut = snippet(text + "索引" + text, {{"索引"}, {}}, 20);
  EXPECT_LE(count_chars(cut.text), 20U);
  EXPECT_GE(count_chars(cut.text), 18U);
  EXPECT_EQ(marked(cut), Texts{"索引"});
}

TEST_F(Snippets, AMatchLongerThanTheRoomIsCut) {
  const std::string word(38, 'x');
  const Snippet cut = snippet("a b " + word + " c", {{word}, {}}, 12);
  EXPECT_EQ(cut.text, "…" + std::string(10, 'x') + "…");
  EXPECT_EQ(marked(cut), Texts{std::string(10, 'x')});
}

// A text of words and odd bytes, some of which are wanted.
struct Case {
  std::string text;
  MatchTerms wanted;
  std::size_t max_chars = 0;
};

Case any_case() {
  const auto piece = rc::gen::oneOf(
      rc::gen::element<std::string>("red", "green", "blue", "reds", "parseJsonLine", "a.b", "検索",
                                    "索引", "é", "\xff", "…", "\n", "   ", "longer-and-longer"),
      rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
  Case made;
  for (const std::string& each : *rc::gen::container<Texts>(piece)) {
    made.text += each;
    if (*rc::gen::inRange(0, 3) > 0) made.text += ' ';
  }
  made.wanted.terms = *rc::gen::container<std::unordered_set<std::string>>(
      rc::gen::element<std::string>("red", "green", "json", "検索", "索", "a"));
  if (*rc::gen::arbitrary<bool>()) made.wanted.prefixes.emplace_back("lon");
  made.max_chars = *rc::gen::inRange<std::size_t>(0, 60);
  return made;
}

RC_GTEST_FIXTURE_PROP(Snippets, IsShortAndShowsAMatchWheneverThereIsOne, ()) {
  const Case given = any_case();
  const Snippet cut = snippet(given.text, given.wanted, given.max_chars);
  RC_ASSERT(count_chars(cut.text) <= given.max_chars);
  const Texts all = matches(given.text, given.wanted);
  if (!all.empty() && given.max_chars > 2) RC_ASSERT(!cut.spans.empty());
  std::size_t end = 0;
  for (const Span& span : cut.spans) {
    RC_ASSERT(span.begin >= end);
    RC_ASSERT(span.end > span.begin);
    RC_ASSERT(span.end <= cut.text.size());
    end = span.end;
  }
  // A mark is a match, or the beginning of one that did not fit.
  for (const std::string& mark : marked(cut)) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const std::string& match) {
      return match == mark || (match.starts_with(mark) && count_chars(mark) + 2 == given.max_chars);
    });
    RC_ASSERT(known);
  }
  // And the rest is a piece of the text.
  std::string_view body = cut.text;
  if (body != text::trim(given.text)) {
    if (body.ends_with("…")) body.remove_suffix(3);
    if (body.starts_with("…") && given.text.find(body) == std::string::npos) body.remove_prefix(3);
    RC_ASSERT(given.text.find(body) != std::string::npos);
  }
}

// The slow twin: every window that begins at a match, tried one by one.
RC_GTEST_FIXTURE_PROP(Snippets, NoWindowHoldsMoreWords, ()) {
  const Texts vocabulary = {"red", "green", "blue", "grey", "xy"};
  Texts words;
  const std::size_t count = *rc::gen::inRange<std::size_t>(0, 60);
  for (std::size_t i = 0; i < count; ++i) words.push_back(*rc::gen::elementOf(vocabulary));
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  const std::size_t max_chars = *rc::gen::inRange<std::size_t>(10, 60);
  const MatchTerms wanted{{"red", "green", "blue"}, {}};

  std::size_t best = 0;
  for (std::size_t first = 0; first < words.size(); ++first) {
    if (!wanted.terms.contains(words[first])) continue;
    std::set<std::string> seen;
    std::size_t size = 0;
    for (std::size_t i = first; i < words.size(); ++i) {
      size += words[i].size() + (i > first ? 1 : 0);
      if (size > max_chars - 2) break;
      if (wanted.terms.contains(words[i])) seen.insert(words[i]);
    }
    best = std::max(best, seen.size());
  }
  const Texts found = marked(snippet(text, wanted, max_chars));
  RC_ASSERT(std::set<std::string>(found.begin(), found.end()).size() >= best);
}

}  // namespace
}  // namespace yore::text
