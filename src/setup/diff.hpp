// diff.hpp — what an edit changes, for people to look at before it is made. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yore::setup {

// "@@ line 3 @@", then the lines that go behind "-" and those that come behind "+". Settings hold
// keys: lines that do not change are not shown, and of long ones only the part that does.
std::string diff_text(std::string_view before, std::string_view after);

}  // namespace yore::setup
