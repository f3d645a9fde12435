// heads.cpp — what a message of OpenCode says of itself.
#include <algorithm>
#include <array>

#include "text/utf8.hpp"
#include "transcript/agents/opencode/records.hpp"
#include "transcript/input/json_values.hpp"

namespace yore::transcript::opencode {
namespace {

namespace od = simdjson::ondemand;

constexpr std::size_t kMaxFindings = 64;  // of one message

// Keys of messages and of rows of session_message that are understood, or known and not needed.
// Sorted.
constexpr std::array<std::string_view, 41> kMessageKeys = {
    "agent",  "agents",    "callID",     "command", "content",    "cost",       "error",
    "exit",   "files",     "finish",     "format",  "id",         "include",    "metadata",
    "mode",   "model",     "modelID",    "output",  "parentID",   "path",       "previous",
    "prompt", "provider",  "providerID", "reason",  "recent",     "references", "retry",
    "role",   "sessionID", "snapshot",   "status",  "structured", "summary",    "system",
    "text",   "time",      "tokens",     "tools",   "type",       "variant",
};
static_assert(std::is_sorted(kMessageKeys.begin(), kMessageKeys.end()));

bool copy_if_said(od::value value, std::string& out) {
  std::string_view text;
  if (!get_text(value, text)) return false;
  if (!text.empty()) out = text;
  return true;
}

bool read_times(od::value value, MessageHead& head) {
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "created") return get_time(field, head.created);
    if (key != "completed") return true;
    // That it was completed counts, whatever is left of when.
    od::json_type type{};
    if (!get_type(field, type)) return false;
    head.completed = head.completed || type != od::json_type::null;
    return true;
  });
}

// {"modelID":…} of a person's message, {"id":…} in session_message.
bool read_model(od::value value, MessageHead& head) {
  return each_field(value, [&](std::string_view key, od::value field) {
    return (key != "modelID" && key != "id") || copy_if_said(field, head.model);
  });
}

bool read_tokens(od::value value, Usage& usage) {
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "input") return get_count(field, usage.input_tokens);
    if (key == "output") return get_count(field, usage.output_tokens);
    if (key != "cache") return true;
    return each_field(field, [&](std::string_view name, od::value count) {
      if (name == "read") return get_count(count, usage.cache_read_tokens);
      if (name == "write") return get_count(count, usage.cache_write_tokens);
      return true;
    });
  });
}

// true of an assistant's compaction, text of a row of that type, an object of a person's message.
bool read_summary(od::value value, MessageHead& head) {
  std::string_view text;
  if (!get_flag(value, head.compaction) || !get_text(value, text)) return false;
  head.has_words = !text.empty();
  return true;
}

bool read_error(od::value value, MessageHead& head) {
  od::json_type type{};
  if (!get_type(value, type)) return false;
  head.completed = head.completed || type == od::json_type::object;
  return true;
}

bool read_field(std::string_view key, od::value value, MessageHead& head) {
  if (key == "role") return copy_if_said(value, head.type);
  if (key == "time") return read_times(value, head);
  if (key == "modelID") return copy_if_said(value, head.model);
  if (key == "model") return read_model(value, head);
  if (key == "tokens") return read_tokens(value, head.usage);
  if (key == "summary") return read_summary(value, head);
  if (key == "error") return read_error(value, head);
  if (key != "path") return true;
  return each_field(value, [&](std::string_view name, od::value field) {
    return name != "cwd" || copy_if_said(field, head.cwd);
  });
}

}  // namespace

void Findings::problem(ProblemKind kind, std::uint64_t line) {
  if (problems_.size() < kMaxFindings) problems_.emplace_back(kind, line);
}

void Findings::unknown(std::string_view what) {
  if (unknown_.size() < kMaxFindings) unknown_.emplace_back(what);
}

void Findings::hand_over(RecordSink& sink) {
  for (const auto& [kind, line] : problems_) sink.problem(kind, line);
  for (const std::string& what : unknown_) sink.unknown(what);
  clear();
}

void Findings::clear() {
  problems_.clear();
  unknown_.clear();
}

MessageHead read_head(const Item& message, std::uint64_t number, Findings& findings) {
  MessageHead head;
  if (message.problem || message.json.empty()) {
    findings.problem(message.problem.value_or(ProblemKind::invalid_json), number);
    return head;
  }
  std::vector<std::string> unknown_keys;
  read_json_text(
      message.json, {number, number}, findings, [&](od::object& object, const LineInfo&) {
        head = {};
        unknown_keys.clear();
        const bool whole = each_field(object, [&](std::string_view key, od::value value) {
          const bool known = std::binary_search(kMessageKeys.begin(), kMessageKeys.end(), key);
          if (!known && unknown_keys.size() < kMaxFindings) {
            unknown_keys.emplace_back(text::prefix_bytes(key, kMaxNameBytes));
          }
          return read_field(key, value, head);
        });
        if (!message.type.empty()) head.type = message.type;
        if (!whole || head.type.empty()) head = {};
        return !head.type.empty();
      });
  if (head.type.empty()) return head;
  for (const std::string& key : unknown_keys) findings.unknown("message." + key);
  return head;
}

}  // namespace yore::transcript::opencode
