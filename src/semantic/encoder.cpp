#include "semantic/encoder.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <new>

namespace yore::semantic {
namespace {

// Rows of a batch, at least one text: enough that reading the weights costs little beside using
// them, few enough that what is between two steps stays in the cache.
constexpr std::size_t kBatchRows = 256;
// Texts that are cut into pieces before any of them is encoded.
constexpr std::size_t kTextsAhead = 64;

// Grows, never shrinks; begins at a multiple of 64 bytes.
template <typename T>
class Buffer {
 public:
  T* data() { return data_.get(); }
  void need(std::size_t size) {
    if (size <= size_) return;
    data_.reset(static_cast<T*>(::operator new(size * sizeof(T), kAlign)));
    std::fill_n(data_.get(), size, T{});
    size_ = size;
  }

 private:
  static constexpr std::align_val_t kAlign{64};
  struct Free {
    void operator()(T* data) const { ::operator delete(data, kAlign); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

// Mean of the rows, with length 1.
void pool(const float* rows, std::size_t count, float* out) {
  std::fill_n(out, kDimensions, 0.0F);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t i = 0; i < kDimensions; ++i) out[i] += rows[r * kDimensions + i];
  }
  double squares = 0;
  for (std::size_t i = 0; i < kDimensions; ++i) squares += double{out[i]} * double{out[i]};
  const auto share = static_cast<float>(1.0 / std::sqrt(std::max(squares, 1e-30)));
  for (std::size_t i = 0; i < kDimensions; ++i) out[i] *= share;
}

}  // namespace

struct Encoder::Room {
  Buffer<float> rows;  // what goes from layer to layer
  Buffer<float> wide;  // query, key and value, then the inner layer
  Buffer<float> narrow;
  Buffer<std::uint8_t> bytes;
  Buffer<float> scales;
  Buffer<std::int32_t> zeros;
  Buffer<float> keys;
  Buffer<float> values;
  Buffer<float> scores;

  void need(std::size_t count) {
    rows.need(count * kHidden);
    wide.need(count * kInner);
    narrow.need(count * kHidden);
    bytes.need(count * kInner);
    scales.need(count);
    zeros.need(count);
    keys.need(kPositions * kHeadSize);
    values.need(kPositions * kHeadSize);
    scores.need(kPositions * AttentionRoom::kRows);
  }
};

Encoder::Encoder(std::shared_ptr<const ModelFile> model, const Kernels& kernels)
    : model_(std::move(model)),
      kernels_(&kernels),
      pieces_(*model_),
      room_(std::make_unique<Room>()) {}
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;
Encoder::~Encoder() = default;

Result<Encoder> Encoder::open(std::shared_ptr<const ModelFile> model, const Kernels& kernels) {
  if (model->weights() != Weights::int8) {
    return Error{Errc::unsupported, model->path() + ": only models of bytes are used for search"};
  }
  return Encoder(std::move(model), kernels);
}

void Encoder::encode(std::span<const std::string_view> texts, std::span<float> out) {
  assert(out.size() == texts.size() * kDimensions);
  tokens_.resize(std::max(tokens_.size(), std::min(texts.size(), kTextsAhead)));
  for (std::size_t at = 0; at < texts.size(); at += kTextsAhead) {
    const std::size_t count = std::min(kTextsAhead, texts.size() - at);
    for (std::size_t i = 0; i < count; ++i) pieces_.read(texts[at + i], kMaxTokens, tokens_[i]);
    encode_tokens(std::span(tokens_).first(count),
                  out.subspan(at * kDimensions, count * kDimensions));
  }
}

void Encoder::encode_tokens(std::span<const Tokens> texts, std::span<float> out) {
  assert(out.size() == texts.size() * kDimensions);
  std::size_t begin = 0;
  while (begin < texts.size()) {
    std::size_t rows = texts[begin].size();
    std::size_t end = begin + 1;
    while (end < texts.size() && rows + texts[end].size() <= kBatchRows) {
      rows += texts[end++].size();
    }
    encode_batch(texts.subspan(begin, end - begin), rows, out.data() + begin * kDimensions);
    begin = end;
  }
}

void Encoder::encode_batch(std::span<const Tokens> texts, std::size_t rows, float* out) {
  room_->need(rows);
  embed(texts);
  for (std::size_t i = 0; i < kLayers; ++i) run_layer(model_->layer(i), texts, rows);
  const float* row = room_->rows.data();
  for (const Tokens& tokens : texts) {
    pool(row, tokens.size(), out);
    row += tokens.size() * kHidden;
    out += kDimensions;
  }
}

void Encoder::embed(std::span<const Tokens> texts) {
  float* row = room_->rows.data();
  std::size_t rows = 0;
  for (const Tokens& tokens : texts) {
    assert(!tokens.empty() && tokens.size() <= kPositions);
    for (const TokenId token : tokens) {
      assert(token < model_->pieces());
      const std::int8_t* word = model_->packed_words() + std::size_t{token} * kHidden;
      const float scale = model_->word_scales()[token];
      for (std::size_t i = 0; i < kHidden; ++i) row[i] = static_cast<float>(word[i]) * scale;
      row += kHidden;
    }
    std::copy_n(model_->positions(), tokens.size() * kHidden,
                room_->narrow.data() + rows * kHidden);
    rows += tokens.size();
  }
  kernels_->add_norm(room_->narrow.data(), rows, model_->word_norm(), room_->rows.data());
}

void Encoder::multiply(const float* rows, std::size_t count, const Linear& matrix,
                       Activation activation, float* out) {
  const ByteRows bytes{room_->bytes.data(), room_->scales.data(), room_->zeros.data()};
  kernels_->quantise(rows, count, matrix.inputs, bytes);
  kernels_->linear(bytes, count, matrix, activation, out);
}

void Encoder::run_layer(const Layer& layer, std::span<const Tokens> texts, std::size_t rows) {
  float* const x = room_->rows.data();
  float* const wide = room_->wide.data();
  float* const narrow = room_->narrow.data();
  multiply(x, rows, layer.attention_in, Activation::none, wide);
  const AttentionRoom room{room_->keys.data(), room_->values.data(), room_->scores.data()};
  std::size_t at = 0;
  for (const Tokens& tokens : texts) {
    kernels_->attend(wide + at * 3 * kHidden, tokens.size(), room, narrow + at * kHidden);
    at += tokens.size();
  }
  // The context has become bytes before its rows are written over.
  multiply(narrow, rows, layer.attention_out, Activation::none, narrow);
  kernels_->add_norm(narrow, rows, layer.after_attention, x);
  multiply(x, rows, layer.expand, Activation::gelu, wide);
  multiply(wide, rows, layer.contract, Activation::none, narrow);
  kernels_->add_norm(narrow, rows, layer.after_inner, x);
}

}  // namespace yore::semantic
