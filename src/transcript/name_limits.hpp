// name_limits.hpp — how much is kept of what a session, its folder and the like are called, the
// same for every agent: transcripts may say anything.
#pragma once

#include <cstddef>

namespace yore::transcript {

// A session whose id is longer is none; all else is cut.
inline constexpr std::size_t kMaxIdBytes = 512;
inline constexpr std::size_t kMaxTitleBytes = 2000;
inline constexpr std::size_t kMaxFolderBytes = 4096;  // also of branches, models, versions

}  // namespace yore::transcript
