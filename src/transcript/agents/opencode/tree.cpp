#include "transcript/agents/opencode/tree.hpp"

#include <algorithm>
#include <charconv>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/agents/opencode/store.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript::opencode {
namespace {

constexpr int kNewestMigration = 2;
constexpr std::string_view kSuffix = ".json";
// How many messages at the end of a session may still be edited.
constexpr std::size_t kLiveMessages = 4;
constexpr std::size_t kMaxInfoBytes = 1 << 20;

// Where the messages of one session and the parts of one message lie.
struct Layout {
  std::string messages;  // folder of the session's messages
  std::string parts;     // folder of the folders of parts
};

Layout layout_of(const std::string& session_file, std::string_view id, bool old) {
  const std::string session_folder(path_dirname(path_dirname(session_file)));
  if (old) {
    return {path_join(path_join(session_folder, "message"), id),
            path_join(path_join(session_folder, "part"), id)};
  }
  const std::string storage(path_dirname(session_folder));
  return {path_join(path_join(storage, "message"), id), path_join(storage, "part")};
}

// Names of the JSON files of a folder, sorted; none when there is no such folder.
Result<std::vector<std::string>> json_names(const std::string& folder, const FileView& files) {
  std::vector<std::string> names;
  const auto entries = files.list_directory(folder);
  if (!entries) {
    if (entries.error().code == Errc::not_found) return names;
    return entries.error();
  }
  for (const DirEntry& entry : *entries) {
    const bool json = entry.type == FileType::regular && entry.name.ends_with(kSuffix) &&
                      entry.name.size() > kSuffix.size();
    if (json) names.push_back(entry.name);
  }
  return names;
}

// A name that leads nowhere else; ids inside the files are anybody's words.
std::string safe_id(const std::string& id, std::string_view file_name) {
  return is_safe_id(id) ? id : std::string(path_stem(file_name));
}

// JSON has no line breaks inside strings: on one line, a damaged file is one problem.
std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

void load(const std::string& path, Item& item) {
  auto text = read_file(path, kMaxRecordBytes + 1);
  if (!text) {
    item.problem = ProblemKind::unreadable;
  } else if (text->size() > kMaxRecordBytes) {
    item.problem = ProblemKind::oversized;
  } else {
    item.json = on_one_line(*std::move(text));
  }
}

std::string id_inside(const std::string& json) {
  SessionInfo info;
  static_cast<void>(read_session_json(json, info));
  return info.id;
}

class TreeStore final : public MessageStore {
 public:
  TreeStore(std::string path, Layout layout) : path_(std::move(path)), layout_(std::move(layout)) {}

  Result<SessionInfo> info() override {
    const auto text = read_file(path_, kMaxInfoBytes);
    if (!text) return text.error();
    SessionInfo info;
    static_cast<void>(read_session_json(*text, info));
    return info;
  }

  // A place is a file name.
  Result<Page> messages_after(const std::string& place) override {
    if (const auto listed = list_messages(); !listed.ok()) return listed.error();
    auto page = page_after(layout_.messages, names_, place);
    for (Item& item : page.items) item.id = safe_id(id_inside(item.json), item.place);
    return page;
  }

  Result<Page> parts_after(const std::string& message_id, const std::string& place) override {
    if (place.empty() || part_folder_.empty()) {
      part_folder_ = path_join(layout_.parts, message_id);
      auto names = json_names(part_folder_, {});
      if (!names) return names.error();
      part_names_ = *std::move(names);
    }
    auto page = page_after(part_folder_, part_names_, place);
    for (Item& item : page.items) item.id = path_stem(item.place);
    return page;
  }

  Result<std::uint64_t> count_until(const std::string& place) override {
    if (const auto listed = list_messages(); !listed.ok()) return listed.error();
    const auto end = std::ranges::upper_bound(names_, place);
    if (end == names_.begin() || *std::prev(end) != place) return std::uint64_t{0};
    return static_cast<std::uint64_t>(end - names_.begin());
  }

  Result<std::uint64_t> part_count(const std::string& place) override {
    Item message;
    load(path_join(layout_.messages, place), message);
    const auto id = safe_id(id_inside(message.json), place);
    const auto names = json_names(path_join(layout_.parts, id), {});
    if (!names) return names.error();
    return names->size();
  }

  [[nodiscard]] bool may_be_torn() const override { return true; }

 private:
  Status list_messages() {
    if (listed_) return {};
    auto names = json_names(layout_.messages, {});
    if (!names) return names.error();
    names_ = *std::move(names);
    listed_ = true;
    return {};
  }

  static Page page_after(const std::string& folder, const std::vector<std::string>& names,
                         const std::string& place) {
    Page page;
    std::size_t bytes = 0;
    auto name = std::ranges::upper_bound(names, place);
    while (name != names.end() && page.items.size() < kPageItems && bytes < kPageBytes) {
      Item& item = page.items.emplace_back();
      item.place = *name++;
      load(path_join(folder, item.place), item);
      bytes += item.json.size();
    }
    page.last = name == names.end();
    return page;
  }

  std::string path_;
  Layout layout_;
  bool listed_ = false;
  std::vector<std::string> names_;
  std::string part_folder_;
  std::vector<std::string> part_names_;
};

// Covers the session's own file, the names of its messages, and the last messages with their parts.
FileStamp stamp_of(const std::string& path, const Layout& layout, const FileView& files) {
  FileStamp all;
  std::string rest;
  const auto add = [&](const std::string& file) {
    const auto stamp = files.stat(file);
    if (!stamp) return;
    all.size_bytes += stamp->size_bytes;
    all.mtime_ns = std::max(all.mtime_ns, stamp->mtime_ns);
    rest += std::to_string(stamp->mtime_ns) + ' ' + std::to_string(stamp->size_bytes) + '\n';
  };
  add(path);
  const auto names = json_names(layout.messages, files);
  if (names) {
    rest += std::to_string(names->size()) + '\n';
    const auto live = std::min(names->size(), kLiveMessages);
    for (auto name = names->end() - static_cast<std::ptrdiff_t>(live); name != names->end();
         ++name) {
      add(path_join(layout.messages, *name));
      const auto folder = path_join(layout.parts, path_stem(*name));
      const auto parts = json_names(folder, files);
      if (!parts) continue;
      for (const std::string& part : *parts) add(path_join(folder, part));
    }
  }
  all.inode = hash64(rest);
  return all;
}

// "w-app" of project/w-app/storage/session/info/<session>.json
std::string_view project_folder(std::string_view path) {
  for (int level = 0; level < 4; ++level) path = path_dirname(path);
  return path_basename(path);
}

void add_session(const std::string& path, bool old, const FileView& files, Listing& listing) {
  const auto text = files.read_file(path, kMaxInfoBytes);
  if (!text) {
    if (text.error().code != Errc::not_found) {
      listing.problems.emplace_back(path, text.error().message);
    }
    return;
  }
  SessionInfo info;
  if (!read_session_json(*text, info)) {
    listing.problems.emplace_back(path, path + ": what it says of the session is damaged");
  }
  info.id = safe_id(info.id, path_basename(path));
  SessionRef ref = make_ref(info, path, old ? kOldTreeRow : kTreeRow);
  // Older ones do not know their directory; the folder of the project is named after it.
  if (ref.directory.empty() && old) ref.directory = project_folder(path);
  ref.stamp = stamp_of(path, layout_of(path, info.id, old), files);
  listing.sessions.push_back(std::move(ref));
}

// The number of the newest change to the layout; 0 when it says nothing.
int migration_of(const std::string& storage, const FileView& files) {
  const auto text = files.read_file(path_join(storage, "migration"), 64);
  if (!text) return 0;
  const auto digits = text::trim(*text);
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

bool is_storage(const std::string& folder, const FileView& files) {
  const auto session = path_join(folder, "session");
  return files.is_directory(session) && (files.is_directory(path_join(folder, "message")) ||
                                         files.is_directory(path_join(session, "info")));
}

void list_tree(const std::string& storage, const std::unordered_set<std::string>& except,
               const FileView& files, Listing& listing) {
  if (const int migration = migration_of(storage, files); migration > kNewestMigration) {
    listing.problems.emplace_back(
        storage, storage + ": storage of version " + std::to_string(migration) +
                     " is newer than the newest known (" + std::to_string(kNewestMigration) +
                     "), its sessions are not read");
    return;
  }
  const auto sessions = path_join(storage, "session");
  const bool old = !files.is_directory(path_join(storage, "message"));
  const auto projects = files.list_directory(sessions);
  if (!projects) {
    listing.problems.emplace_back(sessions, projects.error().message);
    return;
  }
  for (const DirEntry& project : *projects) {
    if (project.type != FileType::directory || (old && project.name != "info")) continue;
    const auto folder = path_join(sessions, project.name);
    const auto names = json_names(folder, files);
    if (!names) {
      listing.problems.emplace_back(folder, names.error().message);
      continue;
    }
    for (const std::string& name : *names) {
      if (except.contains(std::string(path_stem(name)))) continue;
      add_session(path_join(folder, name), old, files, listing);
    }
  }
}

std::unique_ptr<MessageStore> open_tree(const SessionRef& session) {
  const bool old = session.row.starts_with(kOldTreeRow);
  const auto id = session.row.substr((old ? kOldTreeRow : kTreeRow).size());
  return std::make_unique<TreeStore>(session.path, layout_of(session.path, id, old));
}

}  // namespace yore::transcript::opencode
