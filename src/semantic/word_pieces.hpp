// word_pieces.hpp — texts as the numbers of pieces in the model's vocabulary.
//
// As Hugging Face tokenizers with the files of the model: words (bert_words.hpp), each taken apart
// from the front by the longest piece that fits, [UNK] for one that cannot be; [CLS] before, [SEP]
// behind. The names of special pieces written out in a text mean these pieces.
//
// Threads: belongs to one thread; keeps its buffers between texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "semantic/bert_words.hpp"
#include "semantic/model_file.hpp"

namespace yore::semantic {

using TokenId = std::uint16_t;

inline constexpr TokenId kUnknownToken = 100;
inline constexpr TokenId kFirstToken = 101;
inline constexpr TokenId kLastToken = 102;

class WordPieces {
 public:
  // The model must outlive it.
  explicit WordPieces(const ModelFile& model) : model_(&model) {}

  // [CLS], pieces, [SEP]: at most `max_tokens`, which is at least 2. Reads no more of the text than
  // that takes.
  void read(std::string_view text, std::size_t max_tokens, std::vector<TokenId>& tokens);

 private:
  void read_words(std::string_view text, std::size_t limit, std::vector<TokenId>& tokens);
  void append_word(std::string_view word, std::vector<TokenId>& tokens) const;
  [[nodiscard]] TokenId find(std::string_view piece, bool continues, std::uint32_t hash) const;

  const ModelFile* model_;
  BertWords words_;
};

}  // namespace yore::semantic
