// connection.hpp — one client: what it settled, what it has under way, and how each line is
// answered.
//
// connection.cpp takes lines apart and brings answers together; methods.cpp has the methods.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mcp/protocol/call_pool.hpp"
#include "mcp/protocol/reply.hpp"
#include "mcp/server.hpp"

namespace yore::mcp {

// A request on its way to an answer.
struct Asked {
  Request request;
  Revision revision = kNewestLegacy;
  std::size_t line_bytes = 0;
  bool in_batch = false;
  const Reply& reply;
};

// What a method says at once. Later: a call was started, which answers by itself.
struct Later {};
using Answer = std::variant<Json, RpcError, Later>;

class Connection {
 public:
  Connection(const ServerInfo& info, const std::vector<Tool>& tools, Limits limits,
             Transport& transport)
      : info_(info),
        tools_(tools),
        transport_(transport),
        info_json_(info_json(/*with_title=*/true)),
        calls_(limits) {}

  void take(const Line& line);
  // For a failure of our own while a line was taken.
  void say_internal_error();

 private:
  struct Method {
    std::string_view name;
    bool legacy;
    bool stateless;
    Answer (Connection::*answer)(Asked&);
  };
  static const std::array<Method, 5> kMethods;

  void take_batch(std::vector<Message> messages, std::size_t line_bytes);
  void take_message(Message message, std::size_t line_bytes, bool in_batch, const Reply& reply);
  void take_notification(const Notification& notification);
  Answer answer(Asked& asked);
  Answer initialize(Asked& asked);
  Answer ping(Asked& asked);
  Answer discover(Asked& asked);
  Answer list_tools(Asked& asked);
  Answer call_tool(Asked& asked);
  [[nodiscard]] Json info_json(bool with_title) const;
  // The answer to something whose id is not known.
  [[nodiscard]] std::string nameless_error(const RpcError& error) const;

  const ServerInfo& info_;
  const std::vector<Tool>& tools_;
  Transport& transport_;
  const Json info_json_;
  Era era_;
  std::string client_;  // as initialize named it; stateless requests name it themselves
  CallPool calls_;      // last: its threads use the rest
};

}  // namespace yore::mcp
