// analyzer.hpp — from text to index terms: one analyser for documents and queries.
//
// Text is folded (case, accents, width; NFKD with marks removed) and cut into words: runs of
// letters and digits. Each word takes one position, and these terms may stand at it:
//
//   word      the folded word: "running", "econnrefused", "v2"
//   part      of an identifier: parseJsonLine, parse_json_line → parse · json · line, each at a
//             position of its own
//   whole     of the same identifier, at its first part: parsejsonline; so both spellings meet
//   joined    up to six words joined by one . or - each: http.cc, v2.1.3, no-verify, 10.0.0.1; and
//             the last two steps of a path: net/http.cc (C:\net\http.cc too; a backslash without a
//             drive is an escape). At the position of their first word
//   mark      "#1234" (a number behind #), at the position of the number; c++ and c# likewise
//   gram      scripts without spaces (Han, kana, Hangul, Thai …): each character at its position,
//             and each pair of neighbours at the position of the first
//
// What keeps the dictionary small (all of it also applies to queries, so nothing is lost):
//   - a term is at most kMaxTermBytes long; what is longer is cut at a character
//   - 16 or more hexadecimal digits with at least one digit are one word of its first 12
//     characters; so is a UUID, with or without its dashes
//   - 40 or more characters of the base64 alphabet that change between lower case, upper case and
//     digits as often as only noise does are one word of its first 12 characters
//   - both separate the words around them: they are in no whole and in no joined term
//   - an identifier with parts shorter than 2 characters on average, or more than 16 of them, is
//   not
//     split
// The exact rules are in word_shape.hpp (parts, noise) and fold.hpp (characters).
//
// Threads: an Analyzer belongs to one thread; it keeps buffers between calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace yore::text {

inline constexpr std::size_t kMaxTermBytes = 40;

enum class TermKind : std::uint8_t { word, part, whole, joined, mark, gram, pair };

struct Term {
  std::string_view text;  // folded; valid until the next call
  std::uint32_t position = 0;
  std::uint32_t begin = 0;  // bytes of the original text, for highlighting
  std::uint32_t end = 0;
  TermKind kind = TermKind::word;
  bool stemmable = false;  // a word or part of ASCII letters only, 3 to 32 of them
};

class Analyzer {
 public:
  Analyzer();
  ~Analyzer();
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;

  // All terms of `text` in order of position (at one position: word or part or gram first, then
  // whole, joined, mark; or pair). Input may be invalid UTF-8; stray bytes separate words. O(n).
  const std::vector<Term>& analyze(std::string_view text);
  // Positions used by the last text: its length for ranking.
  [[nodiscard]] std::uint32_t positions() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The Snowball stem (English) of a folded word. Keeps its tables; belongs to one thread.
class Stemmer {
 public:
  Stemmer();
  ~Stemmer();
  Stemmer(Stemmer&&) noexcept;
  Stemmer& operator=(Stemmer&&) noexcept;
  // Valid until the next call.
  std::string_view stem(std::string_view folded);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// English words that say nothing in a question: "the", "did", "what", and what is left of "don't".
bool is_stop_word(std::string_view folded);

// The folded form of a whole text (no cutting into words): for comparing names.
std::string fold(std::string_view text);

}  // namespace yore::text
