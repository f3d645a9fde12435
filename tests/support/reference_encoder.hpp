// reference_encoder.hpp — the forward pass written down as plainly as it can be, in floating point:
// what the encoder over bytes is measured against. Reads both kinds of model files; of one with
// bytes it takes the weights that the bytes stand for. Slow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semantic/model_file.hpp"

namespace yore::fake {

class ReferenceEncoder {
 public:
  // The model must outlive it.
  explicit ReferenceEncoder(const semantic::ModelFile& model);
  // REQUIRES: 1 to kPositions pieces.
  [[nodiscard]] std::vector<float> vector_of(std::span<const std::uint16_t> tokens) const;

 private:
  using Rows = std::vector<float>;
  struct Matrix {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    std::vector<float> weights;  // [input][output]
    const float* biases = nullptr;
  };
  struct Layer {
    Matrix attention_in, attention_out, expand, contract;
    semantic::Norm after_attention, after_inner;
  };

  static Matrix matrix_of(const semantic::Linear& linear);
  static Rows multiply(const Rows& rows, const Matrix& matrix);
  static Rows attend(const Rows& qkv, std::size_t count);

  const semantic::ModelFile& model_;
  std::vector<Layer> layers_;
};

}  // namespace yore::fake
