// bert_words.hpp — a text as the words that the model's vocabulary is asked for: lower case,
// without accents and control characters, punctuation and Chinese characters each a word of their
// own.
//
// The same to the last character as the BertNormalizer and BertPreTokenizer of Hugging Face
// tokenizers, whose tables are those of Unicode 8. Bytes that are not valid UTF-8 are left out.
//
// Threads: belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace yore::semantic {

class BertWords {
 public:
  // Longer words are no words to the model.
  static constexpr std::size_t kMaxChars = 100;

  // The text must outlive the words.
  void begin(std::string_view text);
  // The next word, if there is one.
  bool next();
  // Valid until next(). Only the beginning of a word that is too long.
  [[nodiscard]] std::string_view word() const { return word_; }
  [[nodiscard]] bool too_long() const { return chars_ > kMaxChars; }

 private:
  void append(std::string_view bytes, std::size_t chars);

  std::string_view rest_;
  std::string word_;
  std::size_t chars_ = 0;
};

}  // namespace yore::semantic
