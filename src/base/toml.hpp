// toml.hpp — toml++ as this program reads with it: what is wrong in a file is a value, never the
// end of the process.
//
// toml++ 3.3 asserts in places that a file can reach ("[=]" has no name) and then refuses the same
// in the next lines; with NDEBUG some compilers take what was asserted for granted and leave the
// refusal out. So its assertions are off in every build. Include this and not <toml++/toml.h>: all
// of the program must see one and the same library.
#pragma once

#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(expr) static_cast<void>(0)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
#include <cassert>  // once more, with NDEBUG as it was
