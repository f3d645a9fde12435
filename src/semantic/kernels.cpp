#include "semantic/kernels.hpp"

#include <array>

#include "semantic/kernel_forms.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace yore::semantic {
namespace {

#if defined(__x86_64__)
bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

bool has_avxvnni() {
  // Not every compiler knows it by name: leaf 7, sub-leaf 1, EAX bit 4.
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a >> 4 & 1) != 0;
}

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512vnni") != 0;
}
#else
bool has_avx2() {
  return false;
}
bool has_avxvnni() {
  return false;
}
bool has_avx512() {
  return false;
}
#endif

}  // namespace

const Kernels* avx2_kernels() {
  return has_avx2() ? kAvx2Form : nullptr;
}
const Kernels* avxvnni_kernels() {
  return has_avxvnni() ? kAvxVnniForm : nullptr;
}
const Kernels* avx512_kernels() {
  return has_avx512() ? kAvx512Form : nullptr;
}

const Kernels& best_kernels() {
  static const Kernels& best = []() -> const Kernels& {
    for (const auto form : std::array{avx512_kernels, avxvnni_kernels, avx2_kernels}) {
      if (const Kernels* found = form()) return *found;
    }
    return plain_kernels();
  }();
  return best;
}

}  // namespace yore::semantic
