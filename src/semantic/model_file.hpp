// model_file.hpp — the weights and the vocabulary, in place in a mapped file.
//
// open() believes nothing: sizes, places and the vocabulary are checked, so that whatever the file
// holds, nobody reads beside it. That the weights themselves are whole only verify() tells, which
// reads all of it (some milliseconds).
//
// Threads: everything is const; one is shared by all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/mapped_file.hpp"
#include "base/result.hpp"
#include "semantic/layers.hpp"
#include "semantic/model_format.hpp"

namespace yore::semantic {

inline constexpr std::string_view kModelName = "all-minilm-l6-v2.yoremodel";

class ModelFile {
 public:
  // not_found: absent; corrupt: damaged; unsupported: another version or another model.
  static Result<ModelFile> open(const std::string& path);

  // Whether every byte is what the converter wrote.
  [[nodiscard]] Status verify() const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Weights weights() const { return header_.weights; }
  // Equal in files with the same content: vectors are comparable only when it is.
  [[nodiscard]] std::uint64_t fingerprint() const { return header_.hash; }

  // Word table: as bytes with a scale per row, or as it is; [piece][kHidden].
  [[nodiscard]] const std::int8_t* packed_words() const { return packed_words_; }
  [[nodiscard]] const float* word_scales() const { return word_scales_; }
  [[nodiscard]] const float* plain_words() const { return plain_words_; }
  [[nodiscard]] const float* positions() const { return positions_; }  // [kPositions][kHidden]
  [[nodiscard]] const Norm& word_norm() const { return word_norm_; }
  [[nodiscard]] const Layer& layer(std::size_t i) const { return layers_[i]; }

  [[nodiscard]] std::uint32_t pieces() const { return header_.pieces; }
  // REQUIRES: i < pieces()
  [[nodiscard]] std::string_view piece(std::uint32_t i) const {
    return piece_texts_.substr(piece_places_[i], piece_places_[i + 1] - piece_places_[i] - 1);
  }
  // A hash table: the upper 16 bits of a slot are those of the piece's hash, the lower its number
  // and 1; an empty slot is 0. A power of two, never full.
  [[nodiscard]] std::span<const std::uint32_t> slots() const { return slots_; }
  // Bytes of the longest piece.
  [[nodiscard]] std::size_t longest_piece() const { return longest_piece_; }

 private:
  ModelFile(MappedFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  [[nodiscard]] Error damaged(std::string_view what) const;
  Status read_header();
  Status check_shape() const;
  Status check_places() const;
  Status read_vocabulary();
  void read_layers();
  [[nodiscard]] std::string_view section(std::size_t i) const;
  [[nodiscard]] std::string_view section(ModelSection which) const {
    return section(static_cast<std::size_t>(which));
  }
  [[nodiscard]] Linear linear(std::size_t first, std::size_t inputs, std::size_t outputs) const;

  MappedFile file_;
  std::string path_;
  ModelHeader header_;
  const std::int8_t* packed_words_ = nullptr;
  const float* plain_words_ = nullptr;
  const float* word_scales_ = nullptr;
  const float* positions_ = nullptr;
  Norm word_norm_;
  std::array<Layer, kLayers> layers_;
  std::string_view piece_texts_;
  const std::uint32_t* piece_places_ = nullptr;
  std::span<const std::uint32_t> slots_;
  std::size_t longest_piece_ = 0;
};

// Where a model may lie, in the order of looking. `named` ($YORE_MODEL) is the only place when it
// is not empty; `program` is the path of the executable, "" when it is not known; `built_in` a
// folder of the source tree, or "".
std::vector<std::string> places_of_model(std::string_view named, std::string_view program,
                                         std::string_view built_in);
// The first place that has a file; not_found with what was looked at.
Result<std::string> find_model(std::span<const std::string> places);

}  // namespace yore::semantic
