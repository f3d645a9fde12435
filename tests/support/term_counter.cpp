#include "term_counter.hpp"

#include <cmath>

#include "base/hash.hpp"

namespace yore::generator {
namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_word(char c) {
  return is_upper(c) || is_lower(c) || (c >= '0' && c <= '9') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

}  // namespace

void TermCounter::term(std::string_view word) {
  lower_.clear();
  for (const char c : word) lower_ += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  seen_.insert(hash64(lower_));
}

void TermCounter::run(std::string_view word) {
  if (++tokens_ >= next_point_) {
    curve_.emplace_back(tokens_, seen_.size());
    next_point_ += next_point_ / 8;
  }
  term(word);
  std::size_t start = 0;
  for (std::size_t i = 1; i <= word.size(); ++i) {
    const bool end =
        i == word.size() || word[i] == '_' || (is_lower(word[i - 1]) && is_upper(word[i]));
    if (!end) continue;
    if (i > start && i - start < word.size()) term(word.substr(start, i - start));
    start = i < word.size() && word[i] == '_' ? i + 1 : i;
  }
}

void TermCounter::add(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (!is_word(text[i])) {
      ++i;
      continue;
    }
    const std::size_t start = i;
    while (i < text.size() && is_word(text[i])) ++i;
    run(text.substr(start, i - start));
  }
}

double TermCounter::heaps_beta() const {
  for (const auto& [tokens, terms] : curve_) {
    if (tokens * 16 < tokens_ || tokens == tokens_) continue;
    return std::log(static_cast<double>(seen_.size()) / static_cast<double>(terms)) /
           std::log(static_cast<double>(tokens_) / static_cast<double>(tokens));
  }
  return 0;
}

}  // namespace yore::generator
