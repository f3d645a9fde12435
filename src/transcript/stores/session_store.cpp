#include "transcript/stores/session_store.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/files/file.hpp"
#include "transcript/null_sink.hpp"

namespace yore::transcript {
namespace {

using simdjson::ondemand::object;

constexpr std::uint64_t kHeadBytes = 16 << 10;
constexpr int kMaxHeadLines = 4;
constexpr std::size_t kMaxIdBytes = 256;

// What a file's first lines say it is: of those that are whole, the first that may begin a session.
struct Head {
  bool fits = false;
  std::string id;
  std::string parent;
  std::string title;
  std::string cwd;
};

Head read_head(const CompiledSpec& compiled, const std::string& path) {
  const HeadRule& rule = compiled.spec.head;
  Head head;
  int looked_at = 0;
  NullSink sink;
  RecordDraft draft(compiled.spec.dialect);
  std::vector<std::string> unknown;
  const auto on_object = [&](object& json, const LineInfo&) {
    if (!read_fields(compiled.head, json, draft, unknown)) return false;
    if (head.fits || ++looked_at > kMaxHeadLines) return true;
    const std::string_view type = draft.text(Slot::type);
    head.fits = rule.types.empty() || std::ranges::find(rule.types, type) != rule.types.end();
    const bool own = rule.session_type.empty() || type == rule.session_type;
    if (!head.fits || !own) return true;
    if (is_usable_id(draft.text(Slot::key))) head.id = draft.text(Slot::key);
    if (is_usable_id(draft.text(Slot::parent))) head.parent = draft.text(Slot::parent);
    head.title = draft.text(Slot::title);
    head.cwd = draft.text(Slot::cwd);
    return true;
  };
  // One that cannot be read is no session yet.
  [[maybe_unused]] const auto read = read_jsonl(path, {}, {kHeadBytes}, sink, on_object);
  return head;
}

std::string_view last_name(std::string_view pattern) {
  return pattern.substr(pattern.rfind('/') + 1);
}

}  // namespace

bool is_usable_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxIdBytes && std::ranges::all_of(id, [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '/' && c != 0x7f;
  });
}

bool SessionStore::has_name(std::string_view path) const {
  return std::ranges::any_of(spec_.places, [&](const PlaceRule& place) {
    return match_name(last_name(place.pattern), path_basename(path)).has_value();
  });
}

std::string session_id(const AgentSpec& spec, std::string_view parent, std::string_view id) {
  std::string whole = spec.name + ":";
  if (!parent.empty()) whole.append(parent).append("/");
  return whole.append(id);
}

Result<Listing> FileStore::sessions(const Root& root, const PreviousListing& known) const {
  Listing listing;
  std::string top = absolute_path(root.path);
  PlaceFinder single(std::string(path_dirname(top)), known.files, listing);
  if (known.files.is_regular_file(top)) {
    for (const PlaceRule& place : spec_.places) {
      const auto fits = match_name(last_name(place.pattern), path_basename(top));
      if (!fits) continue;
      add_file(place, top, *fits, known, single, listing);
      if (!listing.sessions.empty()) return listing;
    }
    return listing;
  }
  if (!spec_.inside.empty()) {
    const std::string below = path_join(top, spec_.inside);
    if (known.files.is_directory(below)) top = below;
  }
  PlaceFinder finder(top, known.files, listing);
  std::unordered_set<std::string> taken;  // the first place that fits has the file
  for (const PlaceRule& place : spec_.places) {
    const Status found = finder.find(place.pattern, place.skip,
                                     [&](const std::string& path, const Captures& captures) {
                                       if (taken.insert(path).second)
                                         add_file(place, path, captures, known, finder, listing);
                                     });
    if (!found) return found.error();
  }
  return listing;
}

void FileStore::add_file(const PlaceRule& place, const std::string& path, const Captures& captures,
                         const PreviousListing& known, PlaceFinder& finder,
                         Listing& listing) const {
  const auto stamp = known.files.stat(path);
  if (!stamp) return;  // gone since the folder was read
  SessionRef session;
  session.path = path;
  session.stamp = *stamp;
  session.rank = place.rank;
  session.kind = place.kind;
  const std::string_view stem = path_stem(path);
  std::string_view id = captures.get("id");
  if (id.empty()) id = stem;
  std::string parent(captures.get("parent"));
  const std::string by_name = session_id(spec_, parent, id);
  session.id = by_name;
  if (!parent.empty()) session.parent_id = session_id(spec_, "", parent);
  if (place.head) {
    // A file that had no id of its own may have one now.
    const SessionRef* before = known.session(spec_.name, path, *stamp);
    if (before != nullptr && before->id != by_name) {
      session.id = before->id;
      session.kind = before->kind;
      session.parent_id = before->parent_id;
      session.title = before->title;
      session.cwd = before->cwd;
    } else {
      const Head head = read_head(compiled_, path);
      if (!head.fits) return;
      if (!head.id.empty()) session.id = session_id(spec_, parent, head.id);
      if (!head.parent.empty()) {
        session.kind = SessionKind::subagent;
        session.parent_id = session_id(spec_, "", head.parent);
      }
      session.title = head.title;
      session.cwd = head.cwd;
    }
  }
  const std::string_view directory = captures.get("directory");
  session.directory = directory.empty() ? path_basename(path_dirname(path)) : directory;
  add(std::move(session), captures, place, known, finder, listing);
}

void FileStore::add(SessionRef session, const Captures&, const PlaceRule&, const PreviousListing&,
                    PlaceFinder&, Listing& listing) const {
  listing.sessions.push_back(std::move(session));
}

Result<bool> ReplayedStore::replay_fits(const SessionRef& session, const Cursor& cursor) const {
  ReplaySink sink(cursor);
  RecordReader reader(compiled(), session, sink, nullptr);
  const auto told = tell(session, sink, reader);
  if (!told) return told.error();
  return sink.fits();
}

Result<ReadStep> ReplayedStore::replay(const CompiledSpec& compiled, const SessionRef& session,
                                       const Cursor& cursor, const ReadLimits& limits,
                                       RecordSink& sink) const {
  ReplaySink replayed(sink, cursor, limits);
  RecordReader reader(compiled, session, replayed, nullptr);
  const auto more = tell(session, replayed, reader);
  if (!more) return more.error();
  return replayed.step(session.path, *more);
}

void ReplayedStore::tell_text(std::string_view text, const LineInfo& where, ReplaySink& sink,
                              RecordReader& reader) {
  read_json_text(text, where, sink,
                 [&reader](object& json, const LineInfo& at) { return reader.read(json, at); });
  sink.consumed(text.size());
}

void ReplayedStore::tell_head(std::string_view text, const LineInfo& where, ReplaySink& sink,
                              RecordReader& reader) {
  read_json_text(text, where, sink, [&reader](object& json, const LineInfo& at) {
    return reader.read_head(json, at);
  });
  sink.consumed(text.size());
}

std::unique_ptr<const SessionStore> make_store(const CompiledSpec& compiled) {
  using Make = std::unique_ptr<const SessionStore> (*)(const CompiledSpec&);
  constexpr std::array<Make, 6> kMakers = {make_lines_store,      make_document_store,
                                           make_tree_store,       make_rows_store,
                                           make_keyed_rows_store, make_sections_store};
  return kMakers[static_cast<std::size_t>(compiled.spec.store)](compiled);
}

}  // namespace yore::transcript
