#include "transcript/stores/beside.hpp"

#include <algorithm>

#include "base/files/file.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/null_sink.hpp"
#include "transcript/spec/places.hpp"
#include "transcript/spec/plain_path.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

using simdjson::ondemand::object;

constexpr std::size_t kMaxBesideBytes = 16 << 20;
constexpr std::string_view kUp = "../";

std::string path_beside(const SessionRef& session, std::string_view file) {
  std::string_view folder = path_dirname(session.path);
  for (; file.starts_with(kUp); file.remove_prefix(kUp.size())) folder = path_dirname(folder);
  Captures captures;
  captures.set("id", path_stem(session.path));
  captures.set("directory", path_basename(path_dirname(session.path)));
  return path_join(folder, fill_pattern(file, captures));
}

// Every object of a document, a list or JSON lines.
void each_object(std::string_view text, const OnObject& on_object) {
  NullSink sink;
  const auto read = [&](std::string_view piece) { read_json_text(piece, {}, sink, on_object); };
  if (text::trim(text).starts_with('[')) {
    each_raw_item(text::trim(text), read);
  } else {
    read(text);
  }
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool BesideRule::is_index() const {
  return std::ranges::find(fields, Slot::key, &FieldRule::slot) != fields.end();
}

BesideFiles::Entries BesideFiles::read(const std::string& path, std::size_t number) const {
  Entries entries;
  const auto text = files_.read_file(path, kMaxBesideBytes);
  if (!text) return entries;
  const BesideRule& rule = compiled_.spec.beside[number];
  RecordDraft draft(compiled_.spec.dialect);
  std::vector<std::string> unknown;
  std::string storage;
  each_object(*text, [&](object& json, const LineInfo&) {
    if (!read_fields(compiled_.beside[number], json, draft, unknown)) return false;
    Entry entry;
    entry.title = text::trim(draft.text(Slot::title));
    if (says_nothing(compiled_.spec, entry.title)) entry.title.clear();
    entry.cwd = plain_path(draft.text(Slot::cwd), storage);
    if (is_usable_id(draft.text(Slot::parent))) entry.parent = draft.text(Slot::parent);
    entry.subagent = rule.subagents.empty() ? !entry.parent.empty()
                                            : contains(rule.subagents, draft.text(Slot::type));
    entry.machine = draft.machine;
    // The last of several entries wins.
    entries[std::string(draft.text(Slot::key))] = std::move(entry);
    return true;
  });
  return entries;
}

void BesideFiles::complete(SessionRef& session) {
  const auto& rules = compiled_.spec.beside;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::string path = path_beside(session, rules[i].file);
    const bool index = rules[i].is_index();
    if (index && !indexes_.contains(path)) indexes_.emplace(path, read(path, i));
    const Entries own = index ? Entries{} : read(path, i);
    const Entries& entries = index ? indexes_.at(path) : own;
    const std::string id = index ? session.id.substr(compiled_.spec.name.size() + 1) : "";
    const auto found = entries.find(id);
    if (found == entries.end()) continue;
    const Entry& entry = found->second;
    if (session.title.empty()) session.title = entry.title;
    if (session.cwd.empty()) session.cwd = entry.cwd;
    session.automated = session.automated || entry.machine;
    if (!entry.subagent) continue;
    session.kind = SessionKind::subagent;
    const bool has_parent = !session.parent_id.empty() || entry.parent.empty();
    if (!has_parent) session.parent_id = session_id(compiled_.spec, "", entry.parent);
  }
}

void tell_beside(const CompiledSpec& compiled, const SessionRef& session, RecordReader& reader) {
  const auto& rules = compiled.spec.beside;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].is_index()) continue;
    const auto text = read_file(path_beside(session, rules[i].file), kMaxBesideBytes);
    if (!text) continue;
    each_object(*text, [&](object& json, const LineInfo&) {
      return reader.read_beside(compiled.beside[i], json);
    });
  }
}

}  // namespace yore::transcript
