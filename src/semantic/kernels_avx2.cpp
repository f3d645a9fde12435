// For x86-64 processors since about 2013; compiled for them.
//
// They multiply bytes into sums of two products with 16 bits, and it takes a second multiplication
// to widen those. Two steps share it where the sum of four products is known to fit 16 bits: by the
// weights alone, whatever the bytes are. That holds for all but some 4 % of the model's steps,
// which are found again for every block of columns: that costs less than a row does.
#include "semantic/kernel_forms.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#include "semantic/vector_body.inc"

namespace yore::semantic {
namespace {

constexpr std::size_t kRowsAtOnce = 4;  // 8 sums and what they are made of fill the 16 registers
// A pair of steps: weights and, of every row, bytes.
constexpr std::size_t kPair = 2 * kStep;
constexpr std::size_t kPairDepth = 2 * kPackDepth;
// Fewer rows than that are not worth looking for pairs.
constexpr std::size_t kRowsToSort = 12;

// The pairs of steps of a block of columns, those first that share a multiplication.
struct Order {
  std::size_t narrow = 0;
  std::size_t count = 0;
  std::uint8_t pairs[kInner / kPairDepth] = {};
};
static_assert(kInner / kPairDepth <= 256);

inline __m256i load_bytes(const std::int8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

// Sums of those weights of two steps that are above 0 and are added up in one lane.
inline __m256i upper_sums(__m256i a, __m256i b) {
  const __m256i ones = _mm256_set1_epi8(1);
  const __m256i none = _mm256_setzero_si256();
  return _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_max_epi8(a, none), ones),
                          _mm256_maddubs_epi16(_mm256_max_epi8(b, none), ones));
}

// Do the sums fit 16 bits, whatever the bytes are? 255 × 128 does, and so does 255 × -128.
bool is_narrow(const std::int8_t* pair) {
  const __m256i most = _mm256_set1_epi16(128);
  const __m256i none = _mm256_setzero_si256();
  __m256i over = none;
  unrolled<2>([&](auto half) YORE_INLINE {
    const __m256i a = load_bytes(pair + half * kStep / 2);
    const __m256i b = load_bytes(pair + kStep + half * kStep / 2);
    const __m256i lower = upper_sums(_mm256_sub_epi8(none, a), _mm256_sub_epi8(none, b));
    over = _mm256_or_si256(over, _mm256_cmpgt_epi16(upper_sums(a, b), most));
    over = _mm256_or_si256(over, _mm256_cmpgt_epi16(lower, most));
  });
  return _mm256_testz_si256(over, over) != 0;
}

// Wide ones in the order in which they lie: that is read fastest.
void sort_pairs(const std::int8_t* weights, std::size_t rows, Order& order) {
  std::uint8_t wide[kInner / kPairDepth];
  std::size_t wides = 0;
  order.narrow = 0;
  for (std::size_t i = 0; i < order.count; ++i) {
    const bool narrow = rows >= kRowsToSort && is_narrow(weights + i * kPair);
    (narrow ? order.pairs[order.narrow++] : wide[wides++]) = static_cast<std::uint8_t>(i);
  }
  __builtin_memcpy(order.pairs + order.narrow, wide, wides);
}

inline __m256i spread(const std::uint8_t* four) {
  std::int32_t value;
  __builtin_memcpy(&value, four, sizeof value);
  return _mm256_set1_epi32(value);
}

inline __m256i widened(__m256i pairs) {
  return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

// sums[row][column] of kRows rows and kPackColumns columns.
template <std::size_t kRows>
[[gnu::noinline]] void multiply(const std::uint8_t* bytes, const std::int8_t* weights,
                                std::size_t inputs, const Order& order, std::int32_t* out) {
  __m256i sums[kRows][2] = {};
  std::size_t i = 0;
  const auto pairs_until = [&](std::size_t end, auto add) YORE_INLINE {
    for (; i < end; ++i) {
      const std::int8_t* step = weights + order.pairs[i] * kPair;
      const __m256i first[2] = {load_bytes(step), load_bytes(step + kStep / 2)};
      const __m256i second[2] = {load_bytes(step + kStep), load_bytes(step + kStep * 3 / 2)};
      const std::uint8_t* at = bytes + order.pairs[i] * kPairDepth;
      unrolled<kRows>([&](auto r) YORE_INLINE {
        const __m256i a = spread(at + r * inputs);
        const __m256i b = spread(at + r * inputs + kPackDepth);
        unrolled<2>([&](auto half) YORE_INLINE {
          const __m256i products =
              add(_mm256_maddubs_epi16(a, first[half]), _mm256_maddubs_epi16(b, second[half]));
          sums[r][half] = _mm256_add_epi32(sums[r][half], products);
        });
      });
    }
  };
  pairs_until(order.narrow,
              [](__m256i a, __m256i b) YORE_INLINE { return widened(_mm256_add_epi16(a, b)); });
  pairs_until(order.count, [](__m256i a, __m256i b)
                               YORE_INLINE { return _mm256_add_epi32(widened(a), widened(b)); });
  unrolled<kRows>([&](auto r) YORE_INLINE {
    unrolled<2>([&](auto half) YORE_INLINE {
      auto* to = reinterpret_cast<__m256i*>(out + r * kPackColumns + half * kLanes);
      _mm256_storeu_si256(to, sums[r][half]);
    });
  });
}

void linear(ByteRows in, std::size_t count, const Linear& matrix, Activation activation,
            float* out) {
  constexpr decltype(&multiply<1>) kMultiply[kRowsAtOnce] = {multiply<1>, multiply<2>, multiply<3>,
                                                             multiply<4>};
  alignas(64) std::int32_t sums[kRowsAtOnce * kPackColumns];
  Order order;
  order.count = matrix.inputs / kPairDepth;
  for (std::size_t column = 0; column < matrix.outputs; column += kPackColumns) {
    const std::int8_t* weights = matrix.packed + column * matrix.inputs;
    sort_pairs(weights, count, order);
    for (std::size_t row = 0; row < count;) {
      const std::size_t rows = count - row < kRowsAtOnce ? count - row : kRowsAtOnce;
      kMultiply[rows - 1](in.bytes + row * matrix.inputs, weights, matrix.inputs, order, sums);
      for (std::size_t r = 0; r < rows; ++r, ++row) {
        finish(sums + r * kPackColumns, kPackColumns, in, row, matrix, column, activation, out);
      }
    }
  }
}

constexpr Kernels kForm = {"avx2", quantise, linear, add_norm, attend};

}  // namespace

const Kernels* const kAvx2Form = &kForm;

}  // namespace yore::semantic
#else
namespace yore::semantic {
const Kernels* const kAvx2Form = nullptr;
}
#endif
