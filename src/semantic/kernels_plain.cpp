// The form for every processor: loops that compilers turn into whatever vectors there are.
#include "semantic/vector_body.inc"

namespace yore::semantic {
namespace {

std::int32_t dot(const std::int16_t* a, const std::int16_t* b, std::size_t count) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// A block of packed weights with the inputs of each output in a row.
void unpack(const std::int8_t* packed, std::size_t inputs, std::int16_t* rows) {
  for (std::size_t k = 0; k < inputs; ++k) {
    const std::int8_t* step = packed + k / kPackDepth * kStep + k % kPackDepth;
    for (std::size_t i = 0; i < kPackColumns; ++i)
      rows[i * inputs + k] = static_cast<std::int16_t>(step[i * kPackDepth]);
  }
}

void linear(ByteRows in, std::size_t count, const Linear& matrix, Activation activation,
            float* out) {
  const std::size_t inputs = matrix.inputs;
  alignas(64) std::int16_t weights[kPackColumns * kInner];
  alignas(64) std::int16_t row[kInner];
  for (std::size_t column = 0; column < matrix.outputs; column += kPackColumns) {
    unpack(matrix.packed + column * inputs, inputs, weights);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t k = 0; k < inputs; ++k) row[k] = in.bytes[r * inputs + k];
      std::int32_t sums[kPackColumns];
      for (std::size_t i = 0; i < kPackColumns; ++i) {
        sums[i] = dot(row, weights + i * inputs, inputs);
      }
      finish(sums, kPackColumns, in, r, matrix, column, activation, out);
    }
  }
}

}  // namespace

const Kernels& plain_kernels() {
  static constexpr Kernels kKernels = {"plain", quantise, linear, add_norm, attend};
  return kKernels;
}

}  // namespace yore::semantic
