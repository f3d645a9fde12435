#include "vector/kernels.hpp"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__) && defined(__GNUC__)
#define YORE_HAS_AVX2_FORM
#include <immintrin.h>
#endif

namespace yore::vector {
namespace {

// Values as whole numbers of at most `most`; returns what 1 is worth.
template <typename Int>
float to_integers(const float* vector, std::int32_t most, Int* out) {
  float largest = 0;
  for (std::size_t i = 0; i < kDimensions; ++i) largest = std::max(largest, std::abs(vector[i]));
  const float scale = largest / static_cast<float>(most);
  // Also when a value is so small that its scale is 0.
  const float factor = scale > 0 ? 1.0F / scale : 0.0F;
  if (!std::isfinite(factor)) {
    std::fill_n(out, kDimensions, Int{0});
    return 0;
  }
  for (std::size_t i = 0; i < kDimensions; ++i) {
    const long value = std::lrint(vector[i] * factor);
    out[i] = static_cast<Int>(std::clamp<long>(value, -most, most));
  }
  return scale;
}

// The one place that says in which order factors are multiplied.
float cosine_of(std::int32_t dot, float row_scale, float query_scale) {
  return static_cast<float>(dot) * row_scale * query_scale;
}

#ifdef YORE_HAS_AVX2_FORM
// Sum of the eight numbers in each of four registers.
[[gnu::target("avx2")]] inline __m128i sums_of(__m256i a, __m256i b, __m256i c, __m256i d) {
  const __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
  return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

// 16 products of a row with the query, added to eight sums.
[[gnu::target("avx2")]] inline __m256i add_products(__m256i sums, const std::int8_t* row,
                                                    __m256i query) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row));
  return _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_cvtepi8_epi16(bytes), query));
}

// The vectors come from memory, and the hardware prefetcher does not look far enough ahead. A
// distance of 4 rows was faster than 8, 20 or 40.
constexpr std::size_t kAhead = 4 * kDimensions;

// Four rows at a time: the query is loaded once for them.
[[gnu::target("avx2")]] void score_rows_avx2(const Query& query, const std::int8_t* rows,
                                             const float* scales, std::size_t count, float* out) {
  const auto* const values = reinterpret_cast<const __m256i*>(query.values());
  const __m128 query_scale = _mm_set1_ps(query.scale());
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const std::int8_t* const row = rows + i * kDimensions;
    __m256i a{}, b{}, c{}, d{};
    for (std::size_t step = 0; step < kDimensions / 16; ++step) {
      const __m256i value = _mm256_load_si256(values + step);
      a = add_products(a, row + step * 16, value);
      b = add_products(b, row + step * 16 + kDimensions, value);
      c = add_products(c, row + step * 16 + 2 * kDimensions, value);
      d = add_products(d, row + step * 16 + 3 * kDimensions, value);
      __builtin_prefetch(row + kAhead + step * 64);
    }
    const __m128 dots = _mm_cvtepi32_ps(sums_of(a, b, c, d));
    const __m128 scaled = _mm_mul_ps(dots, _mm_loadu_ps(scales + i));
    _mm_storeu_ps(out + i, _mm_mul_ps(scaled, query_scale));
  }
  for (; i < count; ++i) {
    __m256i sums{};
    for (std::size_t step = 0; step < kDimensions / 16; ++step) {
      sums = add_products(sums, rows + i * kDimensions + step * 16, values[step]);
    }
    const __m256i none{};
    const std::int32_t dot = _mm_cvtsi128_si32(sums_of(sums, none, none, none));
    out[i] = cosine_of(dot, scales[i], query.scale());
  }
}

const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;
#endif

}  // namespace

Query::Query(std::span<const float, kDimensions> vector) {
  if (std::ranges::all_of(vector, [](float value) { return std::isfinite(value); })) {
    scale_ = to_integers(vector.data(), kMaxInQuery, values_.data());
  }
}

float quantise(const float* vector, std::int8_t* bytes) {
  return to_integers(vector, kMaxInRow, bytes);
}

void score_rows_plain(const Query& query, const std::int8_t* rows, const float* scales,
                      std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t dot = 0;
    for (std::size_t at = 0; at < kDimensions; ++at) {
      dot += rows[i * kDimensions + at] * query.values()[at];
    }
    out[i] = cosine_of(dot, scales[i], query.scale());
  }
}

void score_rows(const Query& query, const std::int8_t* rows, const float* scales, std::size_t count,
                float* out) {
#ifdef YORE_HAS_AVX2_FORM
  if (kHasAvx2) return score_rows_avx2(query, rows, scales, count, out);
#endif
  score_rows_plain(query, rows, scales, count, out);
}

}  // namespace yore::vector
