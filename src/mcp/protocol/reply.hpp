// reply.hpp — where an answer goes: out on its own line, or into its place in a batch.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/protocol/transport.hpp"

namespace yore::mcp {

// Called exactly once for each request, from any thread; "" means that there is no answer. Not
// called at all when the connection ends first.
using Reply = std::function<void(std::string line)>;

// Sends a line; a peer that is gone closes the transport.
void deliver(Transport& transport, std::string_view line);

// The transport must outlive the replies.
Reply reply_alone(Transport& transport);
// One reply per slot. When all were called, the answers go out as one array in the order of the
// slots, or nothing when none has an answer.
std::function<Reply(std::size_t slot)> replies_of_batch(Transport& transport, std::size_t slots);

}  // namespace yore::mcp
