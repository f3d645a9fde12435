// model_format.hpp — the bytes of a model file, as docs/format.md draws them, and the shape of the
// one network it can hold. Written by tools/convert_model.py, read by ModelFile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace yore::semantic {

// all-MiniLM-L6-v2. Known to the compiler, so that loops have lengths; a file that says otherwise
// is of another model.
inline constexpr std::size_t kHidden = 384;  // also what a vector has
inline constexpr std::size_t kLayers = 6;
inline constexpr std::size_t kHeads = 12;
inline constexpr std::size_t kHeadSize = kHidden / kHeads;
inline constexpr std::size_t kInner = 1536;
inline constexpr std::size_t kPositions = 512;
// The model was trained on no more; word pieces behind that are left out.
inline constexpr std::size_t kMaxTokens = 256;

// Packed weights: blocks of 16 outputs, in which 4 neighbouring inputs of one output lie together.
inline constexpr std::size_t kPackColumns = 16;
inline constexpr std::size_t kPackDepth = 4;

inline constexpr std::array<char, 8> kModelMagic = {'y', 'o', 'r', 'e', 'm', 'd', 'l', '1'};
inline constexpr std::size_t kModelAlign = 64;

enum class Weights : std::uint32_t { int8 = 1, fp32 = 2 };

// In this order, first those of the whole, then those of each layer.
enum class ModelSection : std::uint8_t {
  words,
  word_scales,
  positions,
  word_norm,
  piece_texts,
  piece_places,
  piece_slots,
  first_layer,
};
enum class LayerSection : std::uint8_t {
  attention_in,  // query, key and value side by side
  attention_in_columns,
  attention_out,
  attention_out_columns,
  expand,
  expand_columns,
  contract,
  contract_columns,
  norms,  // after the attention, after the inner layer
};
inline constexpr std::size_t kLayerSections = 9;
inline constexpr std::size_t kModelSections =
    static_cast<std::size_t>(ModelSection::first_layer) + kLayers * kLayerSections;

struct ModelPlace {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t hash = 0;
};

struct ModelHeader {
  std::array<char, 8> magic = kModelMagic;
  std::uint64_t hash = 0;  // of everything behind it up to the end of the table
  std::uint64_t file_size = 0;
  Weights weights = Weights::int8;
  std::uint32_t sections = 0;
  std::uint32_t pieces = 0;
  std::uint32_t hidden = 0;
  std::uint32_t layers = 0;
  std::uint32_t heads = 0;
  std::uint32_t inner = 0;
  std::uint32_t positions = 0;
  std::uint32_t slots = 0;  // a power of two
  std::uint32_t reserved = 0;
  std::array<std::uint8_t, 32> source{};  // sha256 of the weights it was made from
  std::array<ModelPlace, kModelSections> places{};
};
static_assert(sizeof(ModelHeader) == 96 + 24 * kModelSections);

}  // namespace yore::semantic
