#include "lexical/write/term_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "lexical/write/token_log.hpp"

namespace yore::lexical {
namespace {

// Few letters, so that texts repeat and share beginnings and ends; all sizes up to a long path.
rc::Gen<std::string> some_text() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 40), [](std::size_t size) {
    return rc::gen::container<std::string>(size, rc::gen::elementOf(std::string("ab\0\xC3", 4)));
  });
}

RC_GTEST_PROP(TermTable, GivesEachTextOneNumber, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(some_text());
  std::vector<text::Term> terms;
  for (const std::string& text : texts) terms.push_back({text});
  TermTable table;
  std::map<std::string, TermId> wanted;
  const auto check = [&](const std::string& text, TermId id) {
    RC_ASSERT(wanted.emplace(text, static_cast<TermId>(wanted.size())).first->second == id);
    RC_ASSERT(table.text(id) == text);
  };
  for (std::size_t i = 0; i < texts.size() / 2; ++i) check(texts[i], table.find_or_add(texts[i]));
  terms.erase(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(texts.size() / 2));
  const std::vector<TermId> ids = table.find_or_add(terms);
  for (std::size_t i = 0; i < ids.size(); ++i) check(texts[texts.size() / 2 + i], ids[i]);
  RC_ASSERT(table.size() == wanted.size());

  std::vector<TermId> sorted;
  for (const auto& [text, id] : wanted) sorted.push_back(id);
  RC_ASSERT(table.sorted() == sorted);
}

TEST(TermTable, KeepsItsNumbersWhenItGrows) {
  constexpr TermId kTerms = 20'000;
  TermTable table;
  const auto text = [](TermId id) { return "some longer words " + std::to_string(id); };
  for (TermId id = 0; id < kTerms; ++id) ASSERT_EQ(table.find_or_add(text(id)), id);
  for (TermId id = 0; id < kTerms; ++id) ASSERT_EQ(table.find_or_add(text(id)), id);
}

using Occurrence = std::tuple<Doc, std::uint32_t, bool>;

RC_GTEST_PROP(TokenLog, GroupsByTermWhatCameInTheOrderOfTheText, ()) {
  constexpr TermId kTerms = 6;
  const std::vector<TermId> stems = {0, 0, 2, 0, 5, 5};
  std::vector<std::vector<Occurrence>> wanted(kTerms);
  TokenLog log;
  const auto documents = *rc::gen::inRange<Doc>(0, 60);
  for (Doc doc = 0; doc < documents; ++doc) {
    const auto count = *rc::gen::inRange(0, 30);
    std::vector<TermId> ids;
    std::vector<text::Term> terms;
    for (int i = 0; i < count; ++i) {
      text::Term term;
      term.position = i == 0 ? 0 : terms.back().position + (*rc::gen::arbitrary<bool>() ? 1 : 0);
      term.stemmable = *rc::gen::arbitrary<bool>();
      ids.push_back(*rc::gen::inRange<TermId>(0, kTerms));
      terms.push_back(term);
      wanted[ids.back()].emplace_back(doc, term.position, false);
      const TermId stem = stems[ids.back()];
      if (term.stemmable && stem != ids.back()) wanted[stem].emplace_back(doc, term.position, true);
    }
    log.add(ids, terms);
  }
  log.close(kTerms);
  log.group(stems, std::vector<TermId>{3, 0, 5, 1, 4, 2});
  for (TermId id = 0; id < kTerms; ++id) {
    std::vector<Occurrence> found;
    log.each(id, [&](Doc doc, std::uint32_t position, bool by_stem) {
      found.emplace_back(doc, position, by_stem);
    });
    RC_ASSERT(found == wanted[id]);
    RC_ASSERT(log.count(id) == found.size());
  }
}

}  // namespace
}  // namespace yore::lexical
