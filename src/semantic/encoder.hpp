// encoder.hpp — texts as vectors whose inner product says how much alike they are in meaning.
//
// The forward pass of all-MiniLM-L6-v2 over bytes: matrices as bytes with a scale per output,
// activations as bytes with a scale and a zero per row, everything else in single precision. Texts
// are laid end to end, so that none is filled up to the length of another. A text has the same
// vector, to the bit, whatever it is encoded together with, and on every processor of the last ten
// years (kernels.hpp).
//
// Threads: an Encoder belongs to one thread and keeps its buffers (about 3 MB); the model is
// shared.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "semantic/kernels.hpp"
#include "semantic/model_file.hpp"
#include "semantic/word_pieces.hpp"

namespace yore::semantic {

inline constexpr std::size_t kDimensions = kHidden;

// The pieces of one text, as WordPieces::read gives them.
using Tokens = std::vector<TokenId>;

class Encoder {
 public:
  // unsupported: a file whose weights are not bytes.
  static Result<Encoder> open(std::shared_ptr<const ModelFile> model,
                              const Kernels& kernels = best_kernels());
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;
  ~Encoder();

  // One vector of kDimensions and length 1 per text, in their order. Only the first
  // kMaxTokens pieces of a text count. REQUIRES: out.size() == texts.size() * kDimensions
  void encode(std::span<const std::string_view> texts, std::span<float> out);
  // The same from pieces. REQUIRES of each: 1 to kPositions, all of the model's vocabulary.
  void encode_tokens(std::span<const Tokens> texts, std::span<float> out);

 private:
  struct Room;
  Encoder(std::shared_ptr<const ModelFile> model, const Kernels& kernels);
  void encode_batch(std::span<const Tokens> texts, std::size_t rows, float* out);
  void embed(std::span<const Tokens> texts);
  void run_layer(const Layer& layer, std::span<const Tokens> texts, std::size_t rows);
  void multiply(const float* rows, std::size_t count, const Linear& matrix, Activation activation,
                float* out);

  std::shared_ptr<const ModelFile> model_;
  const Kernels* kernels_;
  WordPieces pieces_;
  std::vector<Tokens> tokens_;
  std::unique_ptr<Room> room_;
};

}  // namespace yore::semantic
