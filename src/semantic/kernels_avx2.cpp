// For x86-64 processors since about 2013; compiled for them.
#include "semantic/kernel_forms.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include "semantic/bytes_256.inc"

namespace yore::semantic {
namespace {
constexpr Kernels kForm = {"avx2", quantise, linear, add_norm, attend};
}
const Kernels* const kAvx2Form = &kForm;
}  // namespace yore::semantic
#else
namespace yore::semantic {
const Kernels* const kAvx2Form = nullptr;
}
#endif
