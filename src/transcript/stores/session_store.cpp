#include "transcript/stores/session_store.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_set>

#include "base/files/file.hpp"
#include "transcript/input/zstd_source.hpp"
#include "transcript/null_sink.hpp"
#include "transcript/spec/plain_path.hpp"

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
    std::string storage;
    head.cwd = plain_path(draft.text(Slot::cwd), storage);
    return true;
  };
  // One that cannot be read is no session yet.
  if (is_packed_name(path)) {
    auto source = ZstdSource::open(path);
    if (source) static_cast<void>(read_jsonl(*source, path, {}, {kHeadBytes}, sink, on_object));
    return head;
  }
  [[maybe_unused]] const auto read = read_jsonl(path, {}, {kHeadBytes}, sink, on_object);
  return head;
}

// Where a link leads; "" when there is none. It is a name to show, nothing is read there.
std::string link_target(const std::string& path) {
  std::error_code error;
  std::filesystem::path target = std::filesystem::read_symlink(path, error);
  if (error) return {};
  if (target.is_relative()) target = std::filesystem::path(path).parent_path() / target;
  return target.lexically_normal().string();
}

// Can the folder of a place's files stand for a project? Not one that is named in the pattern, or
// after the session.
bool names_project(const PlaceRule& place) {
  const std::string_view folder = path_basename(path_dirname(place.pattern));
  const bool varies = folder.find_first_of("*?{") != std::string_view::npos;
  return place.in_project || (varies && folder.find("{id}") == std::string_view::npos);
}

// Of a session that is told from its start: nothing was saved.
std::unique_ptr<RecordHook> make_hook(const AgentSpec& spec) {
  const bool hooked = spec.hooks != nullptr && spec.hooks->reading != nullptr;
  return hooked ? spec.hooks->reading({}) : nullptr;
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

// One listing of one root.
struct FileStore::Search {
  const PreviousListing& known;
  Listing& listing;
  PlaceFinder finder;
  BesideFiles beside;

  Search(const CompiledSpec& compiled, std::string root, const PreviousListing& before,
         Listing& out)
      : known(before),
        listing(out),
        finder(std::move(root), before.files, out),
        beside(compiled, before.files) {}
};

Result<Listing> FileStore::sessions(const Root& root, const PreviousListing& known) const {
  Listing listing;
  std::string top = absolute_path(root.path);
  if (known.files.is_regular_file(top)) {
    Search single(compiled_, std::string(path_dirname(top)), known, listing);
    for (const PlaceRule& place : spec_.places) {
      const auto fits = match_name(last_name(place.pattern), path_basename(top));
      if (!fits) continue;
      add_file(place, top, *fits, single);
      if (!listing.sessions.empty()) return listing;
    }
    return listing;
  }
  if (!spec_.inside.empty()) {
    const std::string below = path_join(top, spec_.inside);
    if (known.files.is_directory(below)) top = below;
  }
  Search search(compiled_, top, known, listing);
  std::unordered_set<std::string> taken;  // the first place that fits has the file
  for (const PlaceRule& place : spec_.places) {
    const auto add_place = [&](const std::string& path, const Captures& captures) {
      if (taken.insert(path).second) add_file(place, path, captures, search);
    };
    const Status found = search.finder.find(place.pattern, place.skip, add_place, place.depth);
    if (!found) return found.error();
  }
  return listing;
}

void FileStore::add_file(const PlaceRule& place, const std::string& path, const Captures& captures,
                         Search& search) const {
  const auto stamp = search.known.files.stat(path);
  if (!stamp) return;  // gone since the folder was read
  SessionRef session;
  session.path = path;
  session.stamp = *stamp;
  session.rank = place.rank;
  session.kind = place.kind;
  const std::string_view folder = path_dirname(path);
  std::string_view id = captures.get("id");
  if (id.empty()) id = place.in_project ? path_basename(folder) : path_stem(path);
  const std::string_view parent = captures.get("parent");
  session.id = session_id(spec_, parent, id);
  if (!parent.empty()) session.parent_id = session_id(spec_, "", parent);
  if (place.head && !read_head_of(session, captures, search.known)) return;
  if (place.in_project) session.cwd = folder;
  if (!place.cwd_link.empty()) session.cwd = link_target(path_join(folder, place.cwd_link));
  search.beside.complete(session);
  session.directory = captures.get("directory");
  if (session.directory.empty() && names_project(place)) session.directory = path_basename(folder);
  add(std::move(session), captures, place, search.known, search.finder, search.listing);
}

bool FileStore::read_head_of(SessionRef& session, const Captures& captures,
                             const PreviousListing& known) const {
  const SessionRef* before = known.session(spec_.name, session.path, session.stamp);
  // A file that had no id of its own may have one now.
  if (before != nullptr && before->id != session.id) {
    session.id = before->id;
    session.kind = before->kind;
    session.parent_id = before->parent_id;
    session.title = before->title;
    session.cwd = before->cwd;
    return true;
  }
  const Head head = read_head(compiled_, session.path);
  if (!head.fits) return false;
  if (!head.id.empty()) session.id = session_id(spec_, captures.get("parent"), head.id);
  if (!head.parent.empty()) {
    session.kind = SessionKind::subagent;
    session.parent_id = session_id(spec_, "", head.parent);
  }
  session.title = head.title;
  session.cwd = head.cwd;
  return true;
}

void FileStore::add(SessionRef session, const Captures&, const PlaceRule&, const PreviousListing&,
                    PlaceFinder&, Listing& listing) const {
  listing.sessions.push_back(std::move(session));
}

Result<bool> ReplayedStore::replay_fits(const SessionRef& session, const Cursor& cursor) const {
  ReplaySink sink(cursor);
  const auto hook = make_hook(compiled().spec);
  RecordReader reader(compiled(), session, sink, hook.get());
  tell_beside(compiled(), session, reader);
  const auto told = tell(session, sink, reader);
  if (!told) return told.error();
  return sink.fits();
}

Result<ReadStep> ReplayedStore::replay(const CompiledSpec& compiled, const SessionRef& session,
                                       const Cursor& cursor, const ReadLimits& limits,
                                       RecordSink& sink) const {
  ReplaySink replayed(sink, cursor, limits);
  const auto hook = make_hook(compiled.spec);
  RecordReader reader(compiled, session, replayed, hook.get());
  tell_beside(compiled, session, reader);
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
  constexpr std::array<Make, 8> kMakers = {
      make_lines_store,      make_document_store, make_tree_store,  make_rows_store,
      make_keyed_rows_store, make_sections_store, make_blobs_store, make_exports_store};
  return kMakers[static_cast<std::size_t>(compiled.spec.store)](compiled);
}

}  // namespace yore::transcript
