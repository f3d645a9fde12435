// layers.hpp — views of the weights as the kernels want them. Plain data: included where code is
// compiled for processors that this one may not be.
#pragma once

#include <cstddef>
#include <cstdint>

namespace yore::semantic {

// outputs = inputs × weights + bias. Exactly one of the two forms of weights is present.
struct Linear {
  std::size_t inputs = 0;               // a multiple of 64
  std::size_t outputs = 0;              // a multiple of 48
  const std::int8_t* packed = nullptr;  // see kPackColumns; each within -63 … 63
  const float* plain = nullptr;         // [input][output]
  // One per output:
  const float* scales = nullptr;  // what a packed weight of 1 is worth
  const float* biases = nullptr;
  const std::int32_t* sums = nullptr;  // of the packed weights
};

struct Norm {
  const float* gain = nullptr;
  const float* shift = nullptr;
};

struct Layer {
  Linear attention_in;  // query, key, value
  Linear attention_out;
  Linear expand;
  Linear contract;
  Norm after_attention;
  Norm after_inner;
};

}  // namespace yore::semantic
