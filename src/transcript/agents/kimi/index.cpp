#include "transcript/agents/kimi/index.hpp"

#include <simdjson.h>

#include "base/digest.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/null_sink.hpp"

namespace yore::transcript::kimi {
namespace {

namespace od = simdjson::ondemand;

constexpr std::size_t kMaxIndexBytes = 16 << 20;

// Every object of a file, one a line or one over many.
void read_objects(const std::string& path, const FileView& files, const OnObject& on_object) {
  const auto text = files.read_file(path, kMaxIndexBytes);
  if (!text) return;
  NullSink sink;
  read_json_text(*text, {}, sink, on_object);
}

bool copy_text(od::value value, std::string& out) {
  std::string_view text;
  if (!get_text(value, text)) return false;
  out = text;
  return true;
}

bool read_parents(od::value value, SessionState& state) {
  return each_field(value, [&](std::string_view agent, od::value facts) {
    std::string name(agent);
    return each_field(facts, [&](std::string_view key, od::value field) {
      return key != "parentAgentId" || copy_text(field, state.parents[name]);
    });
  });
}

}  // namespace

SessionState read_state(const std::string& path, const FileView& files) {
  SessionState state;
  std::string custom;
  read_objects(path, files, [&](od::object& object, const LineInfo&) {
    state = {};
    custom.clear();
    return each_field(object, [&](std::string_view key, od::value value) {
      if (key == "title") return copy_text(value, state.title);
      if (key == "custom_title") return copy_text(value, custom);
      if (key == "workDir") return copy_text(value, state.work_dir);
      if (key == "agents") return read_parents(value, state);
      return true;
    });
  });
  if (!custom.empty()) state.title = custom;
  return state;
}

HomeIndex HomeIndex::read(const std::string& home, const FileView& files) {
  HomeIndex index;
  read_objects(path_join(home, "kimi.json"), files, [&](od::object& object, const LineInfo&) {
    return each_field(object, [&](std::string_view key, od::value value) {
      od::json_type type{};
      if (!get_type(value, type)) return false;
      if (key != "work_dirs" || type != od::json_type::array) return true;
      return each_item(value, [&](od::value item) {
        return each_field(item, [&](std::string_view name, od::value field) {
          std::string_view path;
          if (name != "path") return true;
          if (!get_text(field, path)) return false;
          if (!path.empty()) index.by_hash_.emplace(md5_hex(path), path);
          return true;
        });
      });
    });
  });
  read_objects(path_join(home, "session_index.jsonl"), files,
               [&](od::object& object, const LineInfo&) {
                 std::string id;
                 Session session;
                 const bool whole = each_field(object, [&](std::string_view key, od::value value) {
                   if (key == "sessionId") return copy_text(value, id);
                   if (key == "workDir") return copy_text(value, session.work_dir);
                   if (key == "deleted") return get_flag(value, session.deleted);
                   return true;
                 });
                 if (whole && !id.empty()) index.sessions_[id] = std::move(session);
                 return whole;
               });
  return index;
}

std::string HomeIndex::folder_directory(std::string_view folder) const {
  // "<kaos>_<hash>" for directories on other machines.
  const auto found = by_hash_.find(std::string(folder.substr(folder.rfind('_') + 1)));
  return found == by_hash_.end() ? "" : found->second;
}

std::string HomeIndex::session_directory(const std::string& session) const {
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? "" : found->second.work_dir;
}

bool HomeIndex::is_deleted(const std::string& session) const {
  const auto found = sessions_.find(session);
  return found != sessions_.end() && found->second.deleted;
}

}  // namespace yore::transcript::kimi
