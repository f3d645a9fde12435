// queries.hpp — what people might ask of a corpus: made from its own vocabulary, always the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/analyzer.hpp"

namespace yore::bench {

struct Query {
  std::string text;                // as typed
  std::vector<std::string> terms;  // of the index: stems, without stop words, each once
};

// Counts in how many passages a word occurs; a sample of the passages is enough.
class Vocabulary {
 public:
  void add(std::string_view text);
  // 1 to 5 words each, equally often; frequent, medium and rare words mixed; every fourth is a
  // question with stop words around them.
  [[nodiscard]] std::vector<Query> make_queries(std::size_t count);

 private:
  text::Analyzer analyzer_;
  text::Stemmer stemmer_;
  std::uint64_t passages_ = 0;
  std::unordered_map<std::string, std::uint32_t> documents_;
};

// The texts, one a line; so that two corpora can be asked the same.
void save_queries(const std::string& path, const std::vector<Query>& queries);
std::vector<Query> load_queries(const std::string& path);

// The terms a plain text is searched by.
std::vector<std::string> query_terms(std::string_view text, text::Analyzer& analyzer,
                                     text::Stemmer& stemmer);

}  // namespace yore::bench
