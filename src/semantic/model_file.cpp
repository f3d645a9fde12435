#include "semantic/model_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/files/file.hpp"
#include "base/hash.hpp"

namespace yore::semantic {
namespace {

// What lies in the file is used as it is.
static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t kMaxPieces = 0xFFFE;  // a slot has 16 bits for one
constexpr std::size_t kMaxPieceBytes = 63;

template <typename T>
const T* as(std::string_view bytes) {
  return reinterpret_cast<const T*>(bytes.data());
}

std::uint64_t round_up(std::uint64_t size) {
  return (size + kModelAlign - 1) / kModelAlign * kModelAlign;
}

constexpr std::size_t layer_section(std::size_t layer, LayerSection which) {
  return static_cast<std::size_t>(ModelSection::first_layer) + layer * kLayerSections +
         static_cast<std::size_t>(which);
}

struct Shape {
  LayerSection first;
  std::size_t inputs;
  std::size_t outputs;
};
constexpr std::array kShapes = {
    Shape{LayerSection::attention_in, kHidden, 3 * kHidden},
    Shape{LayerSection::attention_out, kHidden, kHidden},
    Shape{LayerSection::expand, kHidden, kInner},
    Shape{LayerSection::contract, kInner, kHidden},
};

// How large each section must be; 0: any size.
std::array<std::uint64_t, kModelSections> wanted_sizes(const ModelHeader& header) {
  std::array<std::uint64_t, kModelSections> sizes{};
  const auto of = [&sizes](ModelSection which) -> std::uint64_t& {
    return sizes[static_cast<std::size_t>(which)];
  };
  const bool fp32 = header.weights == Weights::fp32;
  const std::uint64_t weight = fp32 ? sizeof(float) : 1;
  of(ModelSection::words) = header.pieces * kHidden * weight;
  of(ModelSection::word_scales) = fp32 ? 0 : header.pieces * sizeof(float);
  of(ModelSection::positions) = kPositions * kHidden * sizeof(float);
  of(ModelSection::word_norm) = 2 * kHidden * sizeof(float);
  of(ModelSection::piece_places) = (header.pieces + std::uint64_t{1}) * sizeof(std::uint32_t);
  of(ModelSection::piece_slots) = std::uint64_t{header.slots} * sizeof(std::uint32_t);
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    for (const Shape& shape : kShapes) {
      const std::size_t at = layer_section(layer, shape.first);
      sizes[at] = shape.inputs * shape.outputs * weight;
      sizes[at + 1] = shape.outputs * (2 * sizeof(float) + sizeof(std::int32_t));
    }
    sizes[layer_section(layer, LayerSection::norms)] = 4 * kHidden * sizeof(float);
  }
  return sizes;
}

}  // namespace

Result<ModelFile> ModelFile::open(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return file.error();
  ModelFile model(std::move(*file), path);
  if (Status read = model.read_header(); !read) return read.error();
  if (Status fits = model.check_shape(); !fits) return fits.error();
  if (Status lie = model.check_places(); !lie) return lie.error();
  if (Status read = model.read_vocabulary(); !read) return read.error();
  model.read_layers();
  return model;
}

Error ModelFile::damaged(std::string_view what) const {
  return {Errc::corrupt, path_ + ": the model file is damaged (" + std::string(what) + ")",
          "get it again from where yore came from"};
}

Status ModelFile::read_header() {
  const std::string_view bytes = file_.bytes();
  constexpr std::size_t kKind = kModelMagic.size() - 1;  // all but the version
  if (bytes.size() < kModelMagic.size() ||
      std::memcmp(bytes.data(), kModelMagic.data(), kKind) != 0) {
    return Error{Errc::corrupt, path_ + ": this is no model file"};
  }
  if (bytes[kKind] != kModelMagic.back()) {
    return Error{Errc::unsupported, path_ +
                                        ": the model file is of a version that this yore does "
                                        "not know"};
  }
  if (bytes.size() < sizeof header_) return damaged("cut short");
  std::memcpy(&header_, bytes.data(), sizeof header_);
  constexpr std::size_t kChecked = offsetof(ModelHeader, file_size);
  if (hash64(bytes.substr(kChecked, sizeof header_ - kChecked)) != header_.hash) {
    return damaged("its header");
  }
  if (bytes.size() != header_.file_size) return damaged("cut short");
  return {};
}

Status ModelFile::check_shape() const {
  const bool known = (header_.weights == Weights::int8 || header_.weights == Weights::fp32) &&
                     header_.sections == kModelSections && header_.hidden == kHidden &&
                     header_.layers == kLayers && header_.heads == kHeads &&
                     header_.inner == kInner && header_.positions == kPositions;
  if (!known) {
    return Error{Errc::unsupported,
                 path_ + ": the file holds a model that this yore does not know"};
  }
  if (header_.pieces == 0 || header_.pieces > kMaxPieces || !std::has_single_bit(header_.slots) ||
      header_.slots <= header_.pieces) {
    return damaged("its vocabulary");
  }
  return {};
}

Status ModelFile::check_places() const {
  const auto wanted = wanted_sizes(header_);
  std::uint64_t at = round_up(sizeof header_);
  for (std::size_t i = 0; i < kModelSections; ++i) {
    const ModelPlace& place = header_.places[i];
    const bool free = i == static_cast<std::size_t>(ModelSection::piece_texts);
    if (place.offset != at || place.size > header_.file_size ||
        (!free && place.size != wanted[i])) {
      return damaged("its table");
    }
    at += round_up(place.size);
  }
  return at == header_.file_size ? Status() : damaged("its table");
}

std::string_view ModelFile::section(std::size_t i) const {
  return file_.bytes().substr(header_.places[i].offset, header_.places[i].size);
}

Status ModelFile::verify() const {
  for (std::size_t i = 0; i < kModelSections; ++i) {
    if (hash64(section(i)) != header_.places[i].hash) {
      return damaged("part " + std::to_string(i + 1) + " of " + std::to_string(kModelSections));
    }
  }
  return {};
}

Status ModelFile::read_vocabulary() {
  piece_texts_ = section(ModelSection::piece_texts);
  piece_places_ = as<std::uint32_t>(section(ModelSection::piece_places));
  slots_ = {as<std::uint32_t>(section(ModelSection::piece_slots)), header_.slots};
  // Loops without branches: everybody who searches by meaning waits for them.
  std::uint32_t longest = 0;
  for (std::uint32_t i = 0; i < header_.pieces; ++i) {
    // Without the zero behind it. Places that do not rise make a size beyond every limit.
    longest = std::max(longest, piece_places_[i + 1] - piece_places_[i] - 1);
  }
  std::uint32_t used = 0;
  std::uint32_t wrong = 0;
  for (const std::uint32_t slot : slots_) {
    const std::uint32_t number = slot & 0xFFFF;
    wrong |= static_cast<std::uint32_t>(number > header_.pieces) |
             static_cast<std::uint32_t>((number == 0) != (slot == 0));
    used += static_cast<std::uint32_t>(slot != 0);
  }
  longest_piece_ = longest;
  const bool whole = piece_places_[0] == 0 &&
                     piece_places_[header_.pieces] == piece_texts_.size() &&
                     longest <= kMaxPieceBytes && wrong == 0;
  // A table without an empty slot would be searched for ever.
  return whole && used == header_.pieces ? Status() : damaged("its vocabulary");
}

Linear ModelFile::linear(std::size_t first, std::size_t inputs, std::size_t outputs) const {
  Linear view;
  view.inputs = inputs;
  view.outputs = outputs;
  if (weights() == Weights::fp32) {
    view.plain = as<float>(section(first));
  } else {
    view.packed = as<std::int8_t>(section(first));
  }
  view.scales = as<float>(section(first + 1));
  view.biases = view.scales + outputs;
  view.sums = as<std::int32_t>(section(first + 1)) + 2 * outputs;
  return view;
}

void ModelFile::read_layers() {
  if (weights() == Weights::fp32) {
    plain_words_ = as<float>(section(ModelSection::words));
  } else {
    packed_words_ = as<std::int8_t>(section(ModelSection::words));
    word_scales_ = as<float>(section(ModelSection::word_scales));
  }
  positions_ = as<float>(section(ModelSection::positions));
  const auto* norm = as<float>(section(ModelSection::word_norm));
  word_norm_ = {norm, norm + kHidden};
  for (std::size_t i = 0; i < kLayers; ++i) {
    constexpr std::array kParts = {&Layer::attention_in, &Layer::attention_out, &Layer::expand,
                                   &Layer::contract};
    for (std::size_t part = 0; part < kParts.size(); ++part) {
      const Shape& shape = kShapes[part];
      layers_[i].*kParts[part] = linear(layer_section(i, shape.first), shape.inputs, shape.outputs);
    }
    norm = as<float>(section(layer_section(i, LayerSection::norms)));
    layers_[i].after_attention = {norm, norm + kHidden};
    layers_[i].after_inner = {norm + 2 * kHidden, norm + 3 * kHidden};
  }
}

std::vector<std::string> places_of_model(std::string_view named, std::string_view program,
                                         std::string_view built_in) {
  if (!named.empty()) return {std::string(named)};
  std::vector<std::string> places;
  if (!program.empty()) {
    const std::string_view folder = path_dirname(program);
    constexpr std::array kBeside = {"../models", "../share/yore/models",
                                    "../../../models"};  // the last: build/<x>/apps
    for (const std::string_view beside : kBeside) {
      places.push_back(absolute_path(path_join(path_join(folder, beside), kModelName)));
    }
  }
  if (!built_in.empty()) places.push_back(path_join(built_in, kModelName));
  return places;
}

Result<std::string> find_model(std::span<const std::string> places) {
  std::string looked_at;
  for (const std::string& place : places) {
    if (is_regular_file(place)) return place;
    looked_at += (looked_at.empty() ? "" : ", ") + place;
  }
  return Error{Errc::not_found, "the model file was not found (looked at " + looked_at + ")",
               "set YORE_MODEL to its path"};
}

}  // namespace yore::semantic
