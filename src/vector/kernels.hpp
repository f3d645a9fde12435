// kernels.hpp — the loop in which a scan spends its time, in the best form this processor has, and
// how floats become bytes. Every form gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vector/types.hpp"

namespace yore::vector {

// kDimensions floats become bytes; returns what 1 in them is worth. REQUIRES: all are finite.
float quantise(const float* vector, std::int8_t* bytes);

// Cosines of `count` rows, which lie one behind the other, with the query.
void score_rows(const Query& query, const std::int8_t* rows, const float* scales, std::size_t count,
                float* out);

// The plain form, for processors without more and for tests.
void score_rows_plain(const Query& query, const std::int8_t* rows, const float* scales,
                      std::size_t count, float* out);

}  // namespace yore::vector
