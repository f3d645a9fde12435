// handshake.hpp — starts a server as an agent would and greets it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace yore::setup {

// "yore 0.1.0", as the server calls itself. Error: it cannot be started, or does not answer
// `initialize` in that time. The process is gone afterwards, whatever it did.
Result<std::string> shake_hands(const std::vector<std::string>& command,
                                std::chrono::milliseconds most = std::chrono::seconds(10));

}  // namespace yore::setup
