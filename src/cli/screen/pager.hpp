// pager.hpp — long output through the reader's own pager.
#pragma once

#include <string_view>

#include "config/roots.hpp"

namespace yore::cli {

// Hands `text` to $PAGER (without one: less, which ends by itself when all of it fits, or more) and
// waits until the reader is done with it; leaving early is no failure, and Ctrl-C is the pager's.
// False: nothing was shown, there is no pager or it is cat.
bool show_in_pager(std::string_view text, const config::GetEnv& env);

}  // namespace yore::cli
