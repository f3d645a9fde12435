// message.hpp — the JSON-RPC 2.0 envelope: a line in, messages out; results and errors to lines.
//
// Nothing here knows MCP beyond two rules it adds to JSON-RPC: an id is a string or an integer, and
// params are an object. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mcp/protocol/json.hpp"

namespace yore::mcp {

// Every code that we send. -32000 to -32019 belong to older uses and are never sent.
enum class RpcCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  unsupported_version = -32022,
};

struct RpcError {
  RpcCode code = RpcCode::internal_error;
  std::string message;
  Json data = nullptr;  // null: left out
};
RpcError invalid_request(std::string message);

// An id is kept as its JSON text, in its shortest form: what is echoed equals what came, 64-bit
// integers included, and equal ids have equal texts.
using Id = std::string;

struct Request {
  Id id;
  std::string method;
  Json params;  // an object, perhaps empty
};
struct Notification {
  std::string method;
  Json params;
};
struct Malformed {
  Id id;  // "" when it could not be told
  RpcError error;
};
// To be passed over: a response (we ask nothing), a notification with params that are no object.
struct Ignored {};
using Message = std::variant<Request, Notification, Malformed, Ignored>;

struct Incoming {
  bool batch = false;
  std::vector<Message> messages;  // one unless a batch
};

// A batch of more is refused as a whole.
inline constexpr std::size_t kMaxBatch = 1000;

Incoming parse_line(std::string_view line);
// The text of an id, or "" when the value is none.
Id id_text(const Json& value);

// Lines without the newline, always valid UTF-8.
std::string result_line(const Id& id, const Json& result);
std::string notification_line(std::string_view method, const Json& params);
// What stands in for an id that is not known.
enum class NoId { null, absent };
std::string error_line(const Id& id, const RpcError& error, NoId no_id = NoId::absent);

}  // namespace yore::mcp
