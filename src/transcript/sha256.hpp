// sha256.hpp — SHA-256, for the agents that name a folder after the hash of a path. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yore::transcript {

// 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace yore::transcript
