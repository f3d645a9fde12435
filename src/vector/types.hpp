// types.hpp — texts, rows, and a question's vector in the form that is compared with rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace yore::vector {

inline constexpr std::size_t kDimensions = 384;
using TextHash = std::uint64_t;         // hash64() of a text: its name
using Row = std::uint32_t;              // number within one VectorSet
inline constexpr Row kNoRow = ~Row{0};  // also more rows than a set can have

// Rows are bytes, a question is 16-bit numbers: 384 products sum up exactly in 32 bits, so the
// order of adding does not matter and every processor gives the same cosine to the bit.
inline constexpr std::int32_t kMaxInRow = 127;
inline constexpr std::int32_t kMaxInQuery = 32767;
static_assert(std::int64_t{kDimensions} * (kMaxInRow + 1) * kMaxInQuery <= INT32_MAX);

class Query {
 public:
  // The vector must have length 1, or scores are not cosines. One with a value that is not finite
  // is similar to nothing.
  explicit Query(std::span<const float, kDimensions> vector);
  [[nodiscard]] const std::int16_t* values() const { return values_.data(); }
  [[nodiscard]] float scale() const { return scale_; }  // what 1 in values() is worth

 private:
  alignas(64) std::array<std::int16_t, kDimensions> values_{};
  float scale_ = 0;
};

}  // namespace yore::vector
