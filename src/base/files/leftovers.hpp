// leftovers.hpp — what writers leave behind that were killed before they could rename.
#pragma once

#include <string>

#include "base/files/file_system.hpp"

namespace yore {

// Removes files that FileSystem::replace_file() or write_file_atomically() made beside `path` and
// could not bring there. REQUIRES: nobody writes `path` now.
void remove_leftovers(const std::string& path, const FileSystem& files = real_file_system());

}  // namespace yore
