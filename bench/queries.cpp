#include "queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <unordered_set>

namespace yore::bench {
namespace {

// Shares of all passages that a word of a class occurs in.
struct Class {
  double at_least;
  double below;
  std::uint32_t permille;  // of the words drawn
};
constexpr std::array<Class, 3> kClasses = {{
    {0.01, 0.10, 250},    // frequent
    {0.0005, 0.01, 450},  // medium
    {0.0, 0.0005, 300},   // rare
}};

constexpr std::array<std::string_view, 5> kQuestions = {
    "what did we do about {}?", "how should I have fixed the {} in that?",
    "why is there {} and where does it come from?", "when was it that the {} had been changed?",
    "which of these is the one with {}?"};

// The same numbers everywhere.
class Dice {
 public:
  std::uint64_t below(std::uint64_t limit) {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return (x ^ (x >> 31)) % limit;
  }

 private:
  std::uint64_t state_ = 20;
};

}  // namespace

std::vector<std::string> query_terms(std::string_view text, text::Analyzer& analyzer,
                                     text::Stemmer& stemmer) {
  std::vector<std::string> terms;
  std::vector<std::string> stop_words;
  for (const text::Term& term : analyzer.analyze(text)) {
    if (text::is_stop_word(term.text)) {
      stop_words.emplace_back(term.text);
      continue;
    }
    const std::string_view stem = term.stemmable ? stemmer.stem(term.text) : term.text;
    if (std::ranges::find(terms, stem) == terms.end()) terms.emplace_back(stem);
  }
  return terms.empty() ? stop_words : terms;
}

void save_queries(const std::string& path, const std::vector<Query>& queries) {
  std::ofstream file(path);
  for (const Query& query : queries) file << query.text << '\n';
}

std::vector<Query> load_queries(const std::string& path) {
  text::Analyzer analyzer;
  text::Stemmer stemmer;
  std::vector<Query> queries;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    queries.push_back({line, query_terms(line, analyzer, stemmer)});
  }
  return queries;
}

void Vocabulary::add(std::string_view text) {
  ++passages_;
  std::unordered_set<std::string> seen;
  for (const text::Term& term : analyzer_.analyze(text)) {
    if (!term.stemmable || text::is_stop_word(term.text)) continue;
    if (seen.emplace(term.text).second) ++documents_[std::string(term.text)];
  }
}

std::vector<Query> Vocabulary::make_queries(std::size_t count) {
  // Words of each class in a fixed order, whatever the hash table says.
  std::array<std::vector<std::string>, kClasses.size()> words;
  for (const auto& [word, documents] : documents_) {
    const double share = static_cast<double>(documents) / static_cast<double>(passages_);
    for (std::size_t i = 0; i < kClasses.size(); ++i) {
      if (share >= kClasses[i].at_least && share < kClasses[i].below) words[i].push_back(word);
    }
  }
  for (auto& list : words) std::ranges::sort(list);

  Dice dice;
  const auto draw = [&]() -> std::string {
    std::uint64_t at = dice.below(1000);
    for (std::size_t i = 0; i < kClasses.size(); ++i) {
      if (at < kClasses[i].permille && !words[i].empty())
        return words[i][dice.below(words[i].size())];
      at -= std::min<std::uint64_t>(at, kClasses[i].permille);
    }
    return words[1].empty() ? "test" : words[1].front();
  };
  std::vector<Query> queries;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (std::size_t word = 0; word <= i % 5; ++word) text += (word == 0 ? "" : " ") + draw();
    if (i % 4 == 3) {
      text = fmt::format(fmt::runtime(kQuestions[i / 4 % kQuestions.size()]), text);
    }
    std::vector<std::string> terms = query_terms(text, analyzer_, stemmer_);
    queries.push_back({std::move(text), std::move(terms)});
  }
  return queries;
}

}  // namespace yore::bench
