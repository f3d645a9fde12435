// For x86-64 processors with AVX-512 and its sums of products of bytes (VNNI); compiled for them.
#include "semantic/kernel_forms.hpp"

#if defined(__AVX512F__) && defined(__AVX512VNNI__)
#include <immintrin.h>

#include "semantic/vector_body.inc"

namespace yore::semantic {
namespace {

constexpr std::size_t kRowsAtOnce = 8;
constexpr std::size_t kBlocks = 3;  // 24 sums in 32 registers
constexpr std::size_t kWidth = kBlocks * kPackColumns;

// sums[row][column] of kRows rows and kWidth columns.
template <std::size_t kRows>
[[gnu::noinline]] void multiply(const std::uint8_t* bytes, const std::int8_t* weights,
                                std::size_t inputs, std::int32_t* out) {
  __m512i sums[kRows][kBlocks] = {};
  for (std::size_t k = 0; k < inputs; k += kPackDepth, weights += kStep) {
    __m512i steps[kBlocks];
    unrolled<kBlocks>([&](auto b) YORE_INLINE {
      steps[b] = _mm512_loadu_si512(weights + b * inputs * kPackColumns);
    });
    unrolled<kRows>([&](auto r) YORE_INLINE {
      std::int32_t four;
      __builtin_memcpy(&four, bytes + r * inputs + k, sizeof four);
      const __m512i spread = _mm512_set1_epi32(four);
      unrolled<kBlocks>([&](auto b) YORE_INLINE {
        sums[r][b] = _mm512_dpbusd_epi32(sums[r][b], spread, steps[b]);
      });
    });
  }
  unrolled<kRows>([&](auto r) YORE_INLINE {
    unrolled<kBlocks>([&](auto b) YORE_INLINE {
      _mm512_storeu_si512(out + r * kWidth + b * kPackColumns, sums[r][b]);
    });
  });
}

constexpr Forms<kRowsAtOnce> kMultiply = {{multiply<1>, multiply<2>, multiply<3>, multiply<4>,
                                           multiply<5>, multiply<6>, multiply<7>, multiply<8>}};

void linear(ByteRows in, std::size_t count, const Linear& matrix, Activation activation,
            float* out) {
  linear_by<kWidth>(kMultiply, in, count, matrix, activation, out);
}

constexpr Kernels kForm = {"avx512", quantise, linear, add_norm, attend};

}  // namespace

const Kernels* const kAvx512Form = &kForm;

}  // namespace yore::semantic
#else
namespace yore::semantic {
const Kernels* const kAvx512Form = nullptr;
}
#endif
