#include "transcript/dialects/gemini/listing.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "transcript/dialects/gemini/project.hpp"

namespace yore::transcript::gemini {
namespace {

constexpr std::string_view kLog = ".jsonl";
constexpr std::string_view kDocument = ".json";
constexpr std::size_t kPeekBytes = 4096;
constexpr std::size_t kShownHashDigits = 8;
// Files of a folder that are searched for a path below its directory, and how far.
constexpr int kSearchedFiles = 3;
constexpr std::size_t kSearchedBytes = 256 << 10;

bool is_session_file(const DirEntry& entry) {
  return entry.type == FileType::regular &&
         (entry.name.ends_with(kLog) || entry.name.ends_with(kDocument)) &&
         !path_stem(entry.name).empty();
}

// What a file says of itself at its start, or a document at its end.
struct Peeked {
  std::string id;
  std::string kind;
};

Peeked peek_into(const std::string& path, const FileStamp& stamp, const FileView& files) {
  Peeked found;
  const auto head = files.read_range(path, 0, kPeekBytes);
  if (!head) return found;
  const auto take_id = [&](std::string_view id) {
    if (is_safe_id(id)) found.id = id;
  };
  take_id(peek(*head, "sessionId"));
  found.kind = peek(*head, "kind");
  const bool log = path.ends_with(kLog);
  if (log || stamp.size_bytes <= kPeekBytes) return found;
  const auto tail = files.read_range(path, stamp.size_bytes - kPeekBytes, kPeekBytes);
  if (!tail) return found;
  if (found.id.empty()) take_id(peek(*tail, "sessionId", true));
  const std::string_view kind = peek(*tail, "kind", true);
  if (!kind.empty()) found.kind = kind;
  return found;
}

// The directory with this hash, when a path below it is written in the file.
std::string find_directory(const std::string& path, std::string_view hash, const FileView& files) {
  const auto head = files.read_range(path, 0, kSearchedBytes);
  if (!head) return {};
  DirectoryFinder finder;
  finder.set_hash(hash);
  std::string_view rest = *head;
  for (std::size_t at = rest.find("\"/"); at != std::string_view::npos; at = rest.find("\"/")) {
    rest.remove_prefix(at + 1);
    const std::string_view found = finder.look_at(rest.substr(0, rest.find('"')));
    if (!found.empty()) return std::string(found);
  }
  return {};
}

class Lister {
 public:
  Lister(const Root& root, std::string_view agent, const PreviousListing& known)
      : root_(root), prefix_(std::string(agent) + ":"), agent_(agent), known_(known) {}

  Result<Listing> list() {
    std::string path = absolute_path(root_.path);
    if (const std::string tmp = path_join(path, "tmp"); known_.files.is_directory(tmp)) path = tmp;
    if (path_basename(path) == "chats") path = path_dirname(path);
    const auto entries = known_.files.list_directory(path);
    if (!entries) return entries.error();
    const bool is_project = known_.files.is_directory(path_join(path, "chats"));
    const std::string above(path_dirname(path));
    index_.add_file(
        path_join(is_project ? std::string(path_dirname(above)) : above, "projects.json"),
        known_.files);
    if (is_project) {
      add_project(path);
      return std::move(listing_);
    }
    for (const DirEntry& entry : *entries) {
      if (entry.type == FileType::directory) add_project(path_join(path, entry.name));
    }
    if (listing_.sessions.empty() && root_.named) add_loose(path, *entries);
    return std::move(listing_);
  }

 private:
  void add_project(const std::string& folder) {
    const std::string chats = path_join(folder, "chats");
    const auto entries = known_.files.list_directory(chats);
    if (!entries) {
      if (entries.error().code != Errc::not_found) add_problem(chats, entries.error());
      return;
    }
    describe_folder(folder, *entries);
    for (const DirEntry& entry : *entries) {
      const std::string path = path_join(chats, entry.name);
      if (entry.type == FileType::directory) add_subagents(path);
      if (is_session_file(entry) && entry.name.starts_with("session-")) add_session(path);
    }
  }

  void describe_folder(const std::string& folder, const std::vector<DirEntry>& chats) {
    directory_ = path_basename(folder);
    cwd_ = index_.directory_of(folder, known_.files);
    int files_left = cwd_.empty() && is_hash(directory_) ? kSearchedFiles : 0;
    for (const DirEntry& entry : chats) {
      if (files_left == 0 || !cwd_.empty()) break;
      if (!is_session_file(entry)) continue;
      cwd_ = searched_directory(path_join(path_join(folder, "chats"), entry.name));
      --files_left;
    }
    project_.clear();
    // Where the folder's name is the directory's, the project is named after the directory.
    if (!cwd_.empty() && slug_of(cwd_) == directory_) return;
    if (!cwd_.empty()) {
      project_ = path_basename(cwd_);
    } else if (is_hash(directory_)) {
      project_ = std::string(agent_) + "-" + directory_.substr(0, kShownHashDigits);
    } else {
      project_ = directory_;
    }
  }

  std::string searched_directory(const std::string& path) {
    const auto stamp = known_.files.stat(path);
    const SessionRef* before = stamp ? known_.session(agent_, path, *stamp) : nullptr;
    const bool found = before != nullptr && !before->cwd.empty();
    return found ? before->cwd : find_directory(path, directory_, known_.files);
  }

  void add_subagents(const std::string& folder) {
    const auto entries = known_.files.list_directory(folder);
    if (!entries) return add_problem(folder, entries.error());
    const std::string parent = prefix_ + std::string(path_basename(folder));
    for (const DirEntry& entry : *entries) {
      if (!is_session_file(entry)) continue;
      SessionRef session;
      session.path = path_join(folder, entry.name);
      session.id = parent + "/agent-" + std::string(path_stem(entry.name));
      session.parent_id = parent;
      session.kind = SessionKind::subagent;
      const auto stamp = known_.files.stat(session.path);
      if (stamp) add(std::move(session), *stamp);
    }
  }

  void add_session(const std::string& path) {
    const auto stamp = known_.files.stat(path);
    if (!stamp) return;  // gone since the folder was read
    const Peeked peeked = who_is(path, *stamp);
    SessionRef session;
    session.path = path;
    session.id = prefix_ + (peeked.id.empty() ? std::string(path_stem(path)) : peeked.id);
    if (peeked.kind == "subagent") session.kind = SessionKind::subagent;
    add(std::move(session), *stamp);
  }

  // As known from before; a file that did not name its session then may do so now.
  Peeked who_is(const std::string& path, const FileStamp& stamp) {
    const SessionRef* before = known_.session(agent_, path, stamp);
    const bool named = before != nullptr && before->id != prefix_ + std::string(path_stem(path));
    if (!named) return peek_into(path, stamp, known_.files);
    return {before->id.substr(prefix_.size()),
            before->kind == SessionKind::subagent ? "subagent" : ""};
  }

  void add_loose(const std::string& folder, const std::vector<DirEntry>& entries) {
    directory_ = path_basename(folder);
    for (const DirEntry& entry : entries) {
      const std::string path = path_join(folder, entry.name);
      if (!is_session_file(entry)) continue;
      const auto stamp = known_.files.stat(path);
      if (stamp && !who_is(path, *stamp).id.empty()) add_session(path);
    }
  }

  void add(SessionRef session, const FileStamp& stamp) {
    session.stamp = stamp;
    session.rank = session.path.ends_with(kLog) ? 1 : 0;
    session.directory = directory_;
    session.project = project_;
    session.cwd = cwd_;
    listing_.sessions.push_back(std::move(session));
  }

  void add_problem(const std::string& path, const Error& error) {
    listing_.problems.emplace_back(path, error.message);
  }

  const Root& root_;
  std::string prefix_;
  std::string_view agent_;
  const PreviousListing& known_;
  Listing listing_;
  ProjectIndex index_;
  std::string directory_;
  std::string project_;
  std::string cwd_;
};

}  // namespace

std::string_view peek(std::string_view json, std::string_view key, bool last) {
  const std::string quoted = "\"" + std::string(key) + "\"";
  const std::size_t at = last ? json.rfind(quoted) : json.find(quoted);
  if (at == std::string_view::npos) return {};
  std::string_view rest = json.substr(at + quoted.size());
  const std::size_t open = rest.find_first_not_of(" \t\r\n:");
  if (open == std::string_view::npos || rest[open] != '"') return {};
  rest.remove_prefix(open + 1);
  const std::size_t close = rest.find_first_of("\"\\");
  if (close == std::string_view::npos || rest[close] != '"') return {};
  return rest.substr(0, close);
}

Result<Listing> list_sessions(const Root& root, std::string_view agent,
                              const PreviousListing& known) {
  return Lister(root, agent, known).list();
}

}  // namespace yore::transcript::gemini
