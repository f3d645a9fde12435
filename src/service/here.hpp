// here.hpp — "this folder's project", as a folder.
#pragma once

#include <string>

namespace yore::service {

// The root of the repository that holds `folder` (of a worktree: of the main one); the folder
// itself where there is none. Looks at the folders above it.
std::string project_root(const std::string& folder);

}  // namespace yore::service
