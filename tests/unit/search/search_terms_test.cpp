#include "search/search_terms.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace yore::search {
namespace {

using lexical::Leaf;
using Strings = std::vector<std::string>;

SearchTerms terms_of(std::string_view query) {
  text::Analyzer analyzer;
  text::Stemmer stemmer;
  return make_terms(parse_query(query), analyzer, stemmer);
}

Strings words(const std::vector<Leaf>& leaves) {
  Strings all;
  for (const Leaf& leaf : leaves) all.insert(all.end(), leaf.terms.begin(), leaf.terms.end());
  return all;
}

bool asks_for(const SearchTerms& terms, const std::string& word) {
  const Strings all = words(terms.scored);
  return std::ranges::find(all, word) != all.end();
}

TEST(SearchTerms, AskForStemsAndTheVeryForm) {
  const SearchTerms terms = terms_of("running server");
  EXPECT_EQ(words(terms.scored), (Strings{"run", "running", "server"}));
  EXPECT_GT(terms.scored[0].boost, terms.scored[1].boost);
}

TEST(SearchTerms, LeaveOutStopWordsUnlessThereIsNothingElse) {
  EXPECT_EQ(words(terms_of("what is the server").scored), Strings{"server"});
  const SearchTerms only = terms_of("what is the");
  EXPECT_TRUE(only.only_stop_words);
  EXPECT_EQ(words(only.scored), (Strings{"what", "is", "the"}));
}

TEST(SearchTerms, AskForIdentifiersWholeAndInParts) {
  const SearchTerms terms = terms_of("parse_json_line src/net/http.cc");
  for (const char* word : {"parsejsonline", "json", "line", "http.cc", "net/http.cc", "http"}) {
    EXPECT_TRUE(asks_for(terms, word)) << word;
  }
}

TEST(SearchTerms, AskForPairsOrForTheOneCharacter) {
  EXPECT_EQ(words(terms_of("数据库").scored), (Strings{"数据", "据库"}));
  EXPECT_EQ(words(terms_of("数").scored), Strings{"数"});
}

SearchTerms dated_terms_of(std::string_view query) {
  text::Analyzer analyzer;
  text::Stemmer stemmer;
  const ParsedQuery parsed = parse_query(query);
  using namespace std::chrono_literals;
  return make_terms(parsed, analyzer, stemmer, {}, find_date(parsed, 2026y / 3 / 1));
}

TEST(SearchTerms, CountWordsOfADateLess) {
  const SearchTerms terms = dated_terms_of("parser crash on 3 June");
  EXPECT_FALSE(terms.only_date);
  for (const Leaf& leaf : terms.scored) {
    const bool of_date = leaf.terms.front() == "3" || leaf.terms.front() == "june";
    EXPECT_EQ(leaf.boost < 1, of_date) << leaf.terms.front();
  }
  // What may as well be part of a name counts like other words.
  const SearchTerms name = dated_terms_of("backup 2026-01-02");
  const auto whole =
      std::ranges::find(name.scored, std::vector<std::string>{"2026-01-02"}, &Leaf::terms);
  ASSERT_NE(whole, name.scored.end());
  EXPECT_EQ(whole->boost, 1);
}

TEST(SearchTerms, KnowWhenAQuestionSaysOnlyWhen) {
  for (const char* query : {"yesterday", "what did we do last week?", "what happened on Friday",
                            "show me all sessions of the past three days",
                            "what did we discuss on 2026-02-03", "project:shop today"}) {
    EXPECT_TRUE(dated_terms_of(query).only_date) << query;
  }
  for (const char* query : {"2026-02-03", "parser yesterday", "\"yesterday\"", "+parser yesterday",
                            "yesterday -parser", "what did we do", "yester*"}) {
    EXPECT_FALSE(dated_terms_of(query).only_date) << query;
  }
}

TEST(SearchTerms, KnowPhrasesPrefixesAndMarks) {
  const SearchTerms terms = terms_of("\"database is locked\" conn* +redis -postgres");
  ASSERT_EQ(terms.scored.size(), 4U);  // a phrase, a prefix, a stem and its word
  EXPECT_EQ(terms.scored[0].kind, Leaf::Kind::phrase);
  EXPECT_EQ(terms.scored[0].terms, (Strings{"database", "is", "locked"}));
  EXPECT_EQ(terms.scored[0].offsets, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(terms.scored[1].kind, Leaf::Kind::prefix);
  ASSERT_EQ(terms.required.size(), 1U);
  EXPECT_EQ(words(terms.required[0]), Strings{"redi"});
  ASSERT_EQ(terms.excluded.size(), 1U);
  EXPECT_EQ(words(terms.excluded[0]), Strings{"postgr"});
}

TEST(SearchTerms, TakeAShortHashForTheBeginningOfALongOne) {
  const SearchTerms terms = terms_of("a1b2c3d");
  ASSERT_EQ(terms.scored.size(), 1U);
  EXPECT_EQ(terms.scored[0].kind, Leaf::Kind::prefix);
  EXPECT_EQ(terms_of("deadbeef").scored[0].kind, Leaf::Kind::term);
  EXPECT_EQ(terms_of("20240131").scored[0].kind, Leaf::Kind::term);
}

TEST(SearchTerms, AskOnceForAWordThatIsRepeated) {
  EXPECT_EQ(words(terms_of("cache cache caches").scored), (Strings{"cach", "cache", "caches"}));
}

}  // namespace
}  // namespace yore::search
