// For x86-64 processors since about 2021 that sum products of bytes, but in short vectors only
// (AVX-VNNI); compiled for them.
#include "semantic/kernel_forms.hpp"

#if defined(__AVX2__) && defined(__FMA__) && defined(__AVXVNNI__)
#include "semantic/bytes_256.inc"

namespace yore::semantic {
namespace {
constexpr Kernels kForm = {"avxvnni", quantise, linear, add_norm, attend};
}
const Kernels* const kAvxVnniForm = &kForm;
}  // namespace yore::semantic
#else
namespace yore::semantic {
const Kernels* const kAvxVnniForm = nullptr;
}
#endif
