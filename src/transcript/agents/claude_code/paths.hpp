// paths.hpp — how Claude Code names the folder of a working directory. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yore::transcript::claude_code {

// Every UTF-16 unit that is no ASCII letter or digit becomes '-'; a name of more than 200 units is
// cut there and gets '-' and a hash of the whole path. Lossy: it cannot be reversed.
// "/home/ann/blog.engine" -> "-home-ann-blog-engine"
std::string directory_name(std::string_view cwd);

}  // namespace yore::transcript::claude_code
