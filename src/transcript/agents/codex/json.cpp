#include "transcript/agents/codex/json.hpp"

#include <simdjson.h>

#include <algorithm>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "transcript/agents/codex/records.hpp"
#include "transcript/input/json_scan.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript::codex {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kBlanks = " \t\r\n";

// "json <hash of the bytes>"
Cursor cursor_of(std::string_view bytes) {
  return "json " + std::to_string(hash64(bytes));
}

// What stands in the list "items", from behind its bracket on; "" when there is none.
std::string_view find_items(std::string_view text) {
  for (std::size_t at = text.find("\"items\""); at != std::string_view::npos;
       at = text.find("\"items\"", at + 1)) {
    const std::size_t colon = text.find_first_not_of(kBlanks, at + 7);
    if (colon == std::string_view::npos || text[colon] != ':') continue;
    const std::size_t open = text.find_first_not_of(kBlanks, colon + 1);
    if (open != std::string_view::npos && text[open] == '[') return text.substr(open + 1);
  }
  return {};
}

class JsonReader {
 public:
  JsonReader(const SessionRef& session, RecordSink& sink)
      : sink_(sink), records_(session, state_, sink) {}

  void read(std::string_view text) {
    std::string_view items = find_items(text);
    const std::string_view head = text.substr(0, text.size() - items.size());
    read_session(head);
    // One by one, so that a damaged item costs itself only.
    while (true) {
      const std::size_t start = items.find_first_not_of(" \t\r\n,");
      if (start == std::string_view::npos || items[start] == ']') return;
      items.remove_prefix(start);
      const std::size_t size = items.front() == '{' ? json_extent(items) : std::string_view::npos;
      if (size == std::string_view::npos) {
        return sink_.problem(ProblemKind::invalid_json, line_of(text, items));
      }
      read_value(items.substr(0, size), line_of(text, items));
      items.remove_prefix(size);
    }
  }

 private:
  // Everything before the items: {"session":{"timestamp":…,"id":…},"items":[
  void read_session(std::string_view head) {
    const std::size_t open = head.find('{', head.find('{') + 1);
    if (open == std::string_view::npos) {
      if (!head.empty()) sink_.problem(ProblemKind::invalid_json, 1);
      return;
    }
    const std::size_t size = json_extent(head.substr(open));
    if (size != std::string_view::npos) read_value(head.substr(open, size), 1);
  }

  void read_value(std::string_view value, std::uint64_t line) {
    if (value.size() > kMaxRecordBytes) return sink_.problem(ProblemKind::oversized, line);
    // On one line: what is damaged must not be taken for several values.
    line_.assign(value);
    std::ranges::replace(line_, '\n', ' ');
    read_json_text(line_, {line, line}, sink_,
                   [&](ondemand::object& object, const LineInfo& where) {
                     return records_.read(object, where);
                   });
  }

  std::uint64_t line_of(std::string_view text, std::string_view rest) {
    const auto at = text.size() - rest.size();
    for (; counted_ < at; ++counted_) lines_ += text[counted_] == '\n' ? 1 : 0;
    return lines_;
  }

  RecordSink& sink_;
  State state_;
  RecordReader records_;
  std::string line_;
  std::size_t counted_ = 0;
  std::uint64_t lines_ = 1;
};

}  // namespace

Result<bool> json_resumable(const SessionRef& session, const Cursor& cursor) {
  const auto bytes = read_file(session.path, kMaxJsonBytes + 1);
  if (!bytes) return bytes.error();
  return cursor == cursor_of(*bytes);
}

Result<ReadStep> read_json(const SessionRef& session, const Cursor& cursor, RecordSink& sink) {
  auto bytes = read_file(session.path, kMaxJsonBytes + 1);
  if (!bytes) return bytes.error();
  ReadStep step;
  step.cursor = cursor_of(*bytes);
  if (cursor == step.cursor) return step;
  step.bytes_read = bytes->size();
  if (bytes->size() > kMaxJsonBytes) {
    bytes->resize(kMaxJsonBytes);
    sink.problem(ProblemKind::oversized, 0);
  }
  JsonReader(session, sink).read(*bytes);
  return step;
}

}  // namespace yore::transcript::codex
