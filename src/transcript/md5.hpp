// md5.hpp — MD5, for the agents that name a folder after the hash of a path. Pure; no use for
// secrets.
#pragma once

#include <string>
#include <string_view>

namespace yore::transcript {

// 32 lower-case hex digits.
std::string md5_hex(std::string_view bytes);

}  // namespace yore::transcript
