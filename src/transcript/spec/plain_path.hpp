// plain_path.hpp — a directory as a path, whichever way an agent writes it. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yore::transcript {

// "file:///home/ann/my%20app" is "/home/ann/my app"; anything else is what it is. The answer is a
// view of `text` or of `storage`.
std::string_view plain_path(std::string_view text, std::string& storage);

}  // namespace yore::transcript
