#include "transcript/agents/opencode/store.hpp"

#include <simdjson.h>

#include <array>

#include "base/time.hpp"
#include "transcript/input/json_line.hpp"
#include "transcript/input/json_values.hpp"

namespace yore::transcript::opencode {
namespace {

namespace od = simdjson::ondemand;

bool copy_text(od::value value, std::string& out) {
  std::string_view text;
  if (!get_text(value, text)) return false;
  out = text;
  return true;
}

bool read_revert(od::value value, SessionInfo& out) {
  return each_field(value, [&](std::string_view key, od::value field) {
    if (key == "messageID") return copy_text(field, out.reverted_message);
    if (key == "partID") return copy_text(field, out.reverted_part);
    return true;
  });
}

bool read_times(od::value value, SessionInfo& out) {
  return each_field(value, [&](std::string_view key, od::value field) {
    Time time = kNoTime;
    if (key != "updated") return true;
    if (!get_time(field, time)) return false;
    out.updated_ms = to_ms(time);
    return true;
  });
}

template <typename OnValue>
bool with_json(std::string_view json, OnValue&& on_value) {
  const Padded text(json);
  od::parser parser;
  od::document document;
  const simdjson::padded_string_view view(text.view(),
                                          text.view().size() + simdjson::SIMDJSON_PADDING);
  if (parser.iterate(view).get(document) != simdjson::SUCCESS) return false;
  od::value value;
  return document.get_value().get(value) == simdjson::SUCCESS && on_value(value);
}

}  // namespace

bool is_placeholder(std::string_view title) {
  for (const std::string_view start : {"New session - ", "Child session - "}) {
    if (title.starts_with(start)) return parse_iso8601(title.substr(start.size())).has_value();
  }
  return false;
}

bool read_session_json(std::string_view json, SessionInfo& out) {
  return with_json(json, [&](od::value value) {
    od::json_type type{};
    if (!get_type(value, type) || type != od::json_type::object) return false;
    return each_field(value, [&](std::string_view key, od::value field) {
      if (key == "id") return copy_text(field, out.id);
      if (key == "parentID") return copy_text(field, out.parent_id);
      if (key == "directory") return copy_text(field, out.directory);
      if (key == "title") return copy_text(field, out.title);
      if (key == "version") return copy_text(field, out.version);
      if (key == "revert") return read_revert(field, out);
      if (key == "time") return read_times(field, out);
      return true;
    });
  });
}

void read_revert_json(std::string_view json, SessionInfo& out) {
  if (json.empty()) return;
  static_cast<void>(with_json(json, [&](od::value value) { return read_revert(value, out); }));
}

SessionRef make_ref(const SessionInfo& info, const std::string& path, std::string_view row) {
  SessionRef ref;
  ref.id = info.id;
  ref.path = path;
  ref.row = std::string(row) + info.id;
  if (!info.parent_id.empty()) {
    ref.kind = SessionKind::subagent;
    ref.parent_id = info.parent_id;
  }
  if (!is_placeholder(info.title)) ref.title = info.title;
  ref.cwd = info.directory;
  ref.directory = info.directory;
  return ref;
}

}  // namespace yore::transcript::opencode
