#include "transcript/agents/openclaw/index.hpp"

#include <simdjson.h>

#include <utility>

#include "base/files/file.hpp"
#include "transcript/automated.hpp"
#include "transcript/input/json_scan.hpp"
#include "transcript/input/json_values.hpp"

namespace yore::transcript::openclaw {
namespace {

namespace od = simdjson::ondemand;

constexpr std::size_t kMaxIndexBytes = 64 << 20;

struct FileEntry {
  std::string_view session_id;
  std::string_view session_file;
  std::string_view label;
  std::string_view display_name;
  std::string_view spawned_by;
  std::string_view parent_key;
};

bool read_file_entry(od::value value, FileEntry& entry) {
  od::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return false;
  if (type != od::json_type::object) return true;
  od::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return false;
  return each_field(object, [&](std::string_view key, od::value field) {
    if (key == "sessionId") return get_text(field, entry.session_id);
    if (key == "sessionFile") return get_text(field, entry.session_file);
    if (key == "label") return get_text(field, entry.label);
    if (key == "displayName") return get_text(field, entry.display_name);
    if (key == "spawnedBy") return get_text(field, entry.spawned_by);
    if (key == "parentSessionKey") return get_text(field, entry.parent_key);
    return true;
  });
}

}  // namespace

void SessionIndex::add(std::string stem, IndexEntry entry, bool current) {
  if (stem.empty()) return;
  if (current) current_[entry.session_key] = stem;
  entries_[std::move(stem)] = std::move(entry);
}

Status SessionIndex::add_file(const std::string& path, const FileView& files) {
  const auto text = files.read_file(path, kMaxIndexBytes + 1);
  if (!text) return text.error();
  if (text->size() > kMaxIndexBytes) {
    return Error{Errc::unsupported, path + ": session map of more than 64 MB, titles are not read"};
  }
  if (add_text(*text)) return {};
  // Cut off, most likely: what stands before the end is still good.
  add_text(close_json(*text));
  return Error{Errc::corrupt, path + ": session map is damaged, titles may be missing"};
}

bool SessionIndex::add_text(std::string_view text) {
  const simdjson::padded_string padded(text);
  od::parser parser;
  od::document document;
  od::object object;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return false;
  if (document.get_object().get(object) != simdjson::SUCCESS) return false;
  return each_field(object, [&](std::string_view key, od::value value) {
    FileEntry entry;
    if (!read_file_entry(value, entry)) return false;
    // Topics of one chat share a session id and have a file each.
    const auto stem = entry.session_file.empty() ? entry.session_id : path_stem(entry.session_file);
    const auto title = entry.label.empty() ? entry.display_name : entry.label;
    const auto parent = entry.spawned_by.empty() ? entry.parent_key : entry.spawned_by;
    add(std::string(stem), {std::string(key), std::string(title), std::string(parent)}, true);
    return true;
  });
}

void SessionIndex::describe(std::string_view stem, SessionRef& session) const {
  const auto found = entries_.find(std::string(stem));
  if (found == entries_.end()) return;
  const auto& entry = found->second;
  session.title = entry.title;
  session.resume_key = entry.session_key;
  session.automated = names_automation(entry.session_key);
  if (entry.session_key.find(":subagent:") == std::string::npos) return;
  session.kind = SessionKind::subagent;
  const auto parent = current_.find(entry.parent_key);
  if (parent == current_.end() || parent->second == stem) return;
  session.parent_id = std::string(kIdPrefix) + parent->second;
}

}  // namespace yore::transcript::openclaw
