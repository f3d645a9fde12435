// term_counter.hpp — counts distinct terms and how fast their number grows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace yore::generator {

// A term is a lower-cased run of letters, digits, '_' and bytes beyond ASCII; the parts of an
// identifier (camelCase, snake_case) are terms too.
class TermCounter {
 public:
  void add(std::string_view text);

  [[nodiscard]] std::uint64_t tokens() const { return tokens_; }
  [[nodiscard]] std::uint64_t terms() const { return seen_.size(); }
  // Exponent of terms ~ tokens^β between a sixteenth of the text and its end; 0 for little text.
  [[nodiscard]] double heaps_beta() const;

 private:
  void run(std::string_view word);
  void term(std::string_view word);

  std::uint64_t tokens_ = 0;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> curve_;  // tokens, terms
  std::uint64_t next_point_ = 1 << 14;
  std::string lower_;
};

}  // namespace yore::generator
