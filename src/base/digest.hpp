// digest.hpp — the digests after which agents name folders. Pure; yore's own hash is hash64().
#pragma once

#include <string>
#include <string_view>

namespace yore {

std::string md5_hex(std::string_view bytes);     // 32 lower-case hex digits
std::string sha256_hex(std::string_view bytes);  // 64

}  // namespace yore
