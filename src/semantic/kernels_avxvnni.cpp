// For x86-64 processors since about 2021 that sum products of bytes, but in short vectors only
// (AVX-VNNI); compiled for them.
#include "semantic/kernel_forms.hpp"

#if defined(__AVX2__) && defined(__FMA__) && defined(__AVXVNNI__)
#include <immintrin.h>

#include "semantic/vector_body.inc"

namespace yore::semantic {
namespace {

constexpr std::size_t kRowsAtOnce = 6;  // 12 sums and what they are made of fill the 16 registers

inline __m256i load_bytes(const std::int8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

// sums[row][column] of kRows rows and kPackColumns columns.
template <std::size_t kRows>
[[gnu::noinline]] void multiply(const std::uint8_t* bytes, const std::int8_t* weights,
                                std::size_t inputs, std::int32_t* out) {
  __m256i sums[kRows][2] = {};
  for (std::size_t k = 0; k < inputs; k += kPackDepth, weights += kStep) {
    const __m256i steps[2] = {load_bytes(weights), load_bytes(weights + kStep / 2)};
    unrolled<kRows>([&](auto r) YORE_INLINE {
      std::int32_t four;
      __builtin_memcpy(&four, bytes + r * inputs + k, sizeof four);
      const __m256i spread = _mm256_set1_epi32(four);
      unrolled<2>([&](auto half) YORE_INLINE {
        sums[r][half] = _mm256_dpbusd_avx_epi32(sums[r][half], spread, steps[half]);
      });
    });
  }
  unrolled<kRows>([&](auto r) YORE_INLINE {
    unrolled<2>([&](auto half) YORE_INLINE {
      auto* to = reinterpret_cast<__m256i*>(out + r * kPackColumns + half * kLanes);
      _mm256_storeu_si256(to, sums[r][half]);
    });
  });
}

constexpr Forms<kRowsAtOnce> kMultiply = {
    {multiply<1>, multiply<2>, multiply<3>, multiply<4>, multiply<5>, multiply<6>}};

void linear(ByteRows in, std::size_t count, const Linear& matrix, Activation activation,
            float* out) {
  linear_by<kPackColumns>(kMultiply, in, count, matrix, activation, out);
}

constexpr Kernels kForm = {"avxvnni", quantise, linear, add_norm, attend};

}  // namespace

const Kernels* const kAvxVnniForm = &kForm;

}  // namespace yore::semantic
#else
namespace yore::semantic {
const Kernels* const kAvxVnniForm = nullptr;
}
#endif
