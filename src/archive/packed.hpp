// packed.hpp — zstd frames with content size and checksum, in one call each. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace yore::archive {

std::string pack(std::string_view bytes);
// corrupt: damaged, or it claims more than `most_bytes`.
Result<std::string> unpack(std::string_view packed, std::size_t most_bytes);

}  // namespace yore::archive
