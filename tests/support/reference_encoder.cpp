#include "support/reference_encoder.hpp"

#include <algorithm>
#include <cmath>

namespace yore::fake {

using semantic::kHeads;
using semantic::kHeadSize;
using semantic::kHidden;
using semantic::kPackColumns;
using semantic::kPackDepth;

namespace {

void add_norm(std::vector<float>& rows, const std::vector<float>& add, const semantic::Norm& norm) {
  for (std::size_t at = 0; at < rows.size(); at += kHidden) {
    double mean = 0;
    for (std::size_t i = 0; i < kHidden; ++i) mean += double{rows[at + i] += add[at + i]};
    mean /= kHidden;
    double variance = 0;
    for (std::size_t i = 0; i < kHidden; ++i) variance += std::pow(rows[at + i] - mean, 2);
    const double spread = std::sqrt(variance / kHidden + 1e-12);
    for (std::size_t i = 0; i < kHidden; ++i) {
      const double value = (rows[at + i] - mean) / spread;
      rows[at + i] = static_cast<float>(value * double{norm.gain[i]} + double{norm.shift[i]});
    }
  }
}

void gelu(std::vector<float>& values) {
  for (float& x : values) x = 0.5F * x * (1.0F + std::erf(x * 0.70710678118654752F));
}

}  // namespace

ReferenceEncoder::ReferenceEncoder(const semantic::ModelFile& model) : model_(model) {
  for (std::size_t i = 0; i < semantic::kLayers; ++i) {
    const semantic::Layer& layer = model.layer(i);
    layers_.push_back({matrix_of(layer.attention_in), matrix_of(layer.attention_out),
                       matrix_of(layer.expand), matrix_of(layer.contract), layer.after_attention,
                       layer.after_inner});
  }
}

ReferenceEncoder::Matrix ReferenceEncoder::matrix_of(const semantic::Linear& linear) {
  Matrix matrix{linear.inputs, linear.outputs, {}, linear.biases};
  matrix.weights.resize(linear.inputs * linear.outputs);
  for (std::size_t k = 0; k < linear.inputs; ++k) {
    for (std::size_t n = 0; n < linear.outputs; ++n) {
      const std::size_t at = k * linear.outputs + n;
      if (linear.plain != nullptr) {
        matrix.weights[at] = linear.plain[at];
        continue;
      }
      const std::size_t block = n / kPackColumns * linear.inputs * kPackColumns;
      const std::size_t step = k / kPackDepth * kPackColumns * kPackDepth;
      const std::size_t place = n % kPackColumns * kPackDepth + k % kPackDepth;
      const std::int8_t packed = linear.packed[block + step + place];
      matrix.weights[at] = static_cast<float>(packed) * linear.scales[n];
    }
  }
  return matrix;
}

ReferenceEncoder::Rows ReferenceEncoder::multiply(const Rows& rows, const Matrix& matrix) {
  const std::size_t count = rows.size() / matrix.inputs;
  Rows out(count * matrix.outputs);
  for (std::size_t r = 0; r < count; ++r) {
    float* to = out.data() + r * matrix.outputs;
    std::copy_n(matrix.biases, matrix.outputs, to);
    for (std::size_t k = 0; k < matrix.inputs; ++k) {
      const float value = rows[r * matrix.inputs + k];
      const float* weights = matrix.weights.data() + k * matrix.outputs;
      for (std::size_t n = 0; n < matrix.outputs; ++n) to[n] += value * weights[n];
    }
  }
  return out;
}

ReferenceEncoder::Rows ReferenceEncoder::attend(const Rows& qkv, std::size_t count) {
  constexpr std::size_t kStride = 3 * kHidden;
  const float scale = 1.0F / std::sqrt(static_cast<float>(kHeadSize));
  Rows context(count * kHidden);
  std::vector<float> weights(count);
  for (std::size_t head = 0; head < kHeads; ++head) {
    for (std::size_t i = 0; i < count; ++i) {
      const float* query = qkv.data() + i * kStride + head * kHeadSize;
      for (std::size_t j = 0; j < count; ++j) {
        const float* key = qkv.data() + j * kStride + kHidden + head * kHeadSize;
        weights[j] = 0;
        for (std::size_t d = 0; d < kHeadSize; ++d) weights[j] += query[d] * key[d] * scale;
      }
      const float top = *std::max_element(weights.begin(), weights.end());
      float total = 0;
      for (float& weight : weights) total += weight = std::exp(weight - top);
      float* to = context.data() + i * kHidden + head * kHeadSize;
      for (std::size_t j = 0; j < count; ++j) {
        const float* value = qkv.data() + j * kStride + 2 * kHidden + head * kHeadSize;
        for (std::size_t d = 0; d < kHeadSize; ++d) to[d] += weights[j] / total * value[d];
      }
    }
  }
  return context;
}

std::vector<float> ReferenceEncoder::vector_of(std::span<const std::uint16_t> tokens) const {
  Rows x;
  for (const std::uint16_t token : tokens) {
    for (std::size_t i = 0; i < kHidden; ++i) {
      const std::size_t at = std::size_t{token} * kHidden + i;
      x.push_back(model_.plain_words() != nullptr ? model_.plain_words()[at]
                                                  : static_cast<float>(model_.packed_words()[at]) *
                                                        model_.word_scales()[token]);
    }
  }
  add_norm(x, Rows(model_.positions(), model_.positions() + x.size()), model_.word_norm());
  for (const Layer& layer : layers_) {
    const Rows context = attend(multiply(x, layer.attention_in), tokens.size());
    add_norm(x, multiply(context, layer.attention_out), layer.after_attention);
    Rows inner = multiply(x, layer.expand);
    gelu(inner);
    add_norm(x, multiply(inner, layer.contract), layer.after_inner);
  }
  std::vector<float> mean(kHidden);
  for (std::size_t i = 0; i < x.size(); ++i) mean[i % kHidden] += x[i];
  double squares = 0;
  for (const float value : mean) squares += double{value} * double{value};
  for (float& value : mean) value = static_cast<float>(value / std::sqrt(squares));
  return mean;
}

}  // namespace yore::fake
