// tool.hpp — what a tool is to the server: a name, a schema and a function from arguments to text.
//
// A tool answers with text only. Bad arguments and things that are not there are answers too
// (tool_error), because a model reads an answer and never sees a protocol error.
// Threads: `call` runs on a worker thread, several at a time, also of the same tool.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "mcp/protocol/json.hpp"
#include "mcp/protocol/protocol_revision.hpp"

namespace yore::mcp {

// Never sends unless the client asked for progress; a value that does not exceed the one before is
// dropped, and so is what comes after the answer. Always callable, from any thread.
using Progress =
    std::function<void(double progress, std::optional<double> total, std::string_view message)>;

struct ToolCall {
  const Json& arguments;       // an object, perhaps empty; see mcp/arguments.hpp
  std::string caller_session;  // the session the client says it calls from, or ""
  std::stop_token stop;        // cancelled or shutting down: nobody reads the answer any more
  Progress progress;
  std::string client = {};        // as the client names itself: "claude-code"; ""
  std::string caller_model = {};  // the model that reads the answer, where the client says so
};

struct ToolAnswer {
  std::string text;
  bool is_error = false;
};

// {"error": sentence}, marked as an error.
ToolAnswer tool_error(std::string_view sentence);

// The texts must outlive the server; constants do.
struct Tool {
  std::string_view name;
  std::string_view title;  // for people; "" leaves it out
  std::string_view description;
  std::string_view input_schema;  // JSON text of an object schema; parsed when first listed
  bool always_load = false;       // ask clients that defer tools to show this one from the start
  std::function<ToolAnswer(const ToolCall&)> call;
};

// The tool as tools/list shows it in a revision. All tools are read-only and say so.
Json describe(const Tool& tool, Revision revision);
// The result of tools/call.
Json to_json(const ToolAnswer& answer);

}  // namespace yore::mcp
