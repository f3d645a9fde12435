// task.cpp — a task of Warp (Protocol Buffers) as a list of JSON objects, whose keys warp.toml
// speaks of:
//   Task      1 id, 2 description, 3 dependencies (none: the first), 5 messages, 6 summary
//   Message   1 id, 14 time {1 seconds}, and what it is:
//             2 the person {1 text, 2 context {1 directory {1 path}}}, 3 answer {1 text},
//             4 call {1 id, then by tool}, 5 result {1 id, then by tool}, 15 reasoning {1 text} …
// No description of these messages is part of ours: fields that are not named here are passed over,
// messages of other kinds are counted by their number.
#include <simdjson.h>

#include <array>

#include "transcript/agents/warp/hooks.hpp"
#include "transcript/input/proto_fields.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::transcript::warp {
namespace {

enum : std::uint32_t { kMessageId = 1, kTaskId = 11, kRequestId = 13, kTime = 14 };

struct Kind {
  std::uint32_t number;
  std::string_view name;
};
constexpr std::array kKinds = {
    Kind{2, "query"},    Kind{3, "output"}, Kind{4, "call"},   Kind{5, "result"},
    Kind{7, "todos"},    Kind{9, "system"}, Kind{10, "todos"}, Kind{15, "reasoning"},
    Kind{16, "summary"}, Kind{21, "debug"},
};

// A call's field says which tool it is; its most telling argument stands at `path`.
struct Tool {
  std::uint32_t number;
  std::string_view name;
  std::string_view argument;
  std::array<std::uint32_t, 2> path;
};
constexpr std::array kTools = {
    Tool{2, "run_shell_command", "command", {1, 0}},
    Tool{3, "search_codebase", "query", {1, 0}},
    Tool{5, "read_files", "file_path", {1, 1}},
    Tool{6, "apply_file_diffs", "file_path", {2, 1}},
    Tool{9, "grep", "query", {1, 0}},
    Tool{12, "call_mcp_tool", "query", {1, 0}},
    Tool{15, "file_glob", "query", {1, 0}},
    Tool{19, "subagent", "query", {1, 0}},
    Tool{22, "create_documents", "file_path", {1, 1}},
};

void add_text(std::string& out, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  out.append(out.ends_with('{') ? "\"" : ",\"").append(key).append("\":\"");
  append_json_escaped(out, text);
  out += '"';
}

// Words: valid, and without the control characters that lengths and tags mostly are.
bool is_words(std::string_view bytes) {
  for (const char c : bytes) {
    const bool blank = c == '\n' || c == '\t' || c == '\r' || c == 0x1b;
    if (static_cast<unsigned char>(c) < ' ' && !blank) return false;
  }
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

// Every text in what a tool gave, one below the other.
void collect_words(std::string_view bytes, int depth, std::string& out) {
  constexpr int kMaxDepth = 6;
  if (bytes.empty() || depth > kMaxDepth) return;
  if (depth > 0 && is_words(bytes)) {
    if (!out.empty()) out += '\n';
    out += bytes;
    return;
  }
  each_proto_field(bytes,
                   [&](const ProtoField& field) { collect_words(field.bytes, depth + 1, out); });
}

void add_call(std::string_view call, std::string& out) {
  add_text(out, "call", proto_bytes(call, 1));
  each_proto_field(call, [&](const ProtoField& field) {
    if (field.number == 1 || field.bytes.data() == nullptr) return;
    for (const Tool& tool : kTools) {
      if (tool.number != field.number) continue;
      add_text(out, "tool", tool.name);
      std::string_view argument = field.bytes;
      for (const std::uint32_t step : tool.path) {
        if (step != 0) argument = proto_bytes(argument, step);
      }
      std::string input = "{";
      if (is_words(argument)) add_text(input, tool.argument, argument);
      out.append(",\"input\":").append(input).append("}");
      return;
    }
    add_text(out, "tool", "tool_" + std::to_string(field.number));
  });
}

void add_result(std::string_view result, std::string& out) {
  add_text(out, "call", proto_bytes(result, 1));
  std::string words;
  each_proto_field(result, [&](const ProtoField& field) {
    if (field.number != 1) collect_words(field.bytes, 0, words);
  });
  add_text(out, "output", words);
}

void add_body(const ProtoField& field, std::string& out) {
  for (const Kind& kind : kKinds) {
    if (kind.number != field.number) continue;
    add_text(out, "kind", kind.name);
    if (kind.name == "call") return add_call(field.bytes, out);
    if (kind.name == "result") return add_result(field.bytes, out);
    if (kind.name == "query") {
      add_text(out, "cwd", proto_bytes(proto_bytes(proto_bytes(field.bytes, 2), 1), 1));
    }
    if (kind.name != "todos") add_text(out, "text", proto_bytes(field.bytes, 1));
    return;
  }
  add_text(out, "kind", "message " + std::to_string(field.number));
}

std::string message_json(std::string_view message) {
  std::string out = "{";
  bool told = false;
  each_proto_field(message, [&](const ProtoField& field) {
    if (field.number == kMessageId) return add_text(out, "key", field.bytes);
    if (field.number == kTime) {
      each_proto_field(field.bytes, [&](const ProtoField& part) {
        const bool seconds = part.number == 1 && out.size() > 1;
        if (seconds) out.append(",\"time\":").append(std::to_string(part.value));
      });
      return;
    }
    const bool about = field.number == kTaskId || field.number == kRequestId;
    const bool body = !about && field.number != 12 && field.bytes.data() != nullptr && !told;
    if (!body) return;
    told = true;
    add_body(field, out);
  });
  return out + "}";
}

std::string unpack(std::string_view task) {
  std::string list = "[";
  if (proto_bytes(task, 3).empty()) {
    std::string own = "{";
    add_text(own, "kind", "task");
    add_text(own, "title", proto_bytes(task, 2));
    list += own + "}";
  }
  const bool whole = each_proto_field(task, [&](const ProtoField& field) {
    if (field.number != 5) return;
    if (list.size() > 1) list += ',';
    list += message_json(field.bytes);
  });
  // What is cut off is counted as such: a list without its end.
  return whole ? list + "]" : list;
}

}  // namespace

const Hooks kHooks = {.unpack = unpack};

}  // namespace yore::transcript::warp
