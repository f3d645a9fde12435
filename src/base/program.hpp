// program.hpp — the seam to the running process.
#pragma once

#include <cstddef>
#include <string>

namespace yore {

// Where the program lies; "" when the system does not tell.
std::string executable_path();

// Standard input up to its end, or its first `limit_bytes`; what was read before a failure.
std::string read_standard_input(std::size_t limit_bytes);

}  // namespace yore
