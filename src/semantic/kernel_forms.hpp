// kernel_forms.hpp — the forms that were compiled, as data: asking a file that was compiled for
// another processor must not run anything in it. Only for kernels.cpp and kernels_*.cpp.
#pragma once

#include "semantic/kernels.hpp"

namespace yore::semantic {

// nullptr: not compiled.
extern const Kernels* const kAvx2Form;
extern const Kernels* const kAvxVnniForm;
extern const Kernels* const kAvx512Form;

}  // namespace yore::semantic
