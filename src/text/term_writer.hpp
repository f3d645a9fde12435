// term_writer.hpp — writes the terms of one word at a time: the word or its parts, the whole,
// marks, grams and pairs. Which words belong together is the analyser's business.
//
// Threads: belongs to one thread; keeps its buffers between texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/analyzer.hpp"
#include "text/byte_masks.hpp"
#include "text/fold.hpp"
#include "text/term_arena.hpp"
#include "text/word_shape.hpp"

namespace yore::text {

// A range of the original text, in bytes.
struct Bytes {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

struct Word {
  Bytes run;   // with underscores around it
  Bytes word;  // without
  bool is_ascii = true;
};

// What is to be joined from a word on: its chain, and the end of its path.
using Joins = std::span<const Bytes>;

class TermWriter {
 public:
  void start(std::string_view text);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const ByteMasks& masks() const { return masks_; }
  // No more words: the terms.
  [[nodiscard]] const std::vector<Term>& finish() const { return terms_; }
  [[nodiscard]] std::uint32_t positions() const { return position_; }
  FoldCache& fold() { return fold_; }

  void word(const Word& word, Joins joins = {});
  // An ASCII word without capitals behind its first letter and without underscores.
  // REQUIRES: at most ByteMasks::kMaxWindow bytes.
  void plain_word(Bytes word, Joins joins = {});
  // Encoded bytes, or a UUID: the first letters and digits.
  void noise(Bytes range);
  void gram(Bytes range, std::string_view text);
  // The term made of two neighbouring grams. Call before the second is written.
  void pair(Bytes range, std::string_view first, std::string_view second);

 private:
  void short_word(Bytes word, const WordBits& bits, Joins joins);
  void long_word(const Word& word, Joins joins);
  void read_chars(Bytes word);
  void pieces(const Word& word);
  std::string_view without_underscores(std::string_view folded);
  void join(Bytes range);
  void marks(Bytes word);
  [[nodiscard]] std::string_view bytes(Bytes range) const {
    return {text_.data() + range.begin, range.size()};
  }
  [[nodiscard]] std::string_view lower(Bytes range) const {
    return {masks_.lower().data() + range.begin, range.size()};
  }
  void add(std::string_view text, Bytes range, std::uint32_t position, TermKind kind,
           bool stemmable = false) {
    // Made in place: a copy of what was just written in pieces makes the processor wait.
    Term& term = terms_.emplace_back();
    term.text = text;
    term.position = position;
    term.begin = range.begin;
    term.end = range.end;
    term.kind = kind;
    term.stemmable = stemmable;
  }

  std::string_view text_;
  ByteMasks masks_;
  FoldCache fold_;
  TermArena arena_;
  std::vector<Term> terms_;
  std::uint32_t position_ = 0;

  // The characters of the word at hand; the vectors only grow.
  struct Chars {
    std::size_t count = 0;
    bool is_plain = true;  // one part
    std::vector<CharClass> classes;
    std::vector<char> folded;
    // Where each begins in the folded and in the original text, and where the last ends.
    std::vector<std::uint32_t> folded_at;
    std::vector<std::uint32_t> source_at;

    void add(CharClass kind, const char* text, std::size_t size, std::uint32_t at);
    void reserve(std::size_t bytes);
    [[nodiscard]] std::string_view text(WordPart part) const {
      return {folded.data() + folded_at[part.begin], folded_at[part.end] - folded_at[part.begin]};
    }
  };
  Chars chars_;
  std::string scratch_;
};

}  // namespace yore::text
