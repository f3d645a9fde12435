// kimi.cpp — where Kimi CLI and Kimi Code keep their conversations, and how they are resumed.
//
// Kimi CLI, <home> = ~/.kimi:
//   sessions/<md5 of the directory>/<session>/wire.jsonl         everything, with times
//   …                              /<session>/context.jsonl      when there is no wire
//   …                              /<session>/subagents/<agent>/{wire,context}.jsonl
//   …                              /<session>.jsonl              a context, in the first versions
//   …                              /<session>_<name>.jsonl       a context of a sub-agent of it
// Kimi Code, <home> = ~/.kimi-code:
//   sessions/<directory>/<session>/agents/main/wire.jsonl
//   …                             /agents/<agent>/wire.jsonl     sub-agents
// Left out: contexts put aside by a compaction (context_1.jsonl, <session>_1.jsonl), sessions that
// Kimi made for itself (titles, summaries), imported_sessions.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/files/file.hpp"
#include "transcript/adapter.hpp"
#include "transcript/agents/kimi/hooks.hpp"
#include "transcript/agents/kimi/index.hpp"
#include "transcript/agents/kimi/prompts.hpp"

namespace yore::transcript::kimi {
namespace {

constexpr std::string_view kIdPrefix = "kimi:";
constexpr std::string_view kMainAgent = "main";
constexpr std::string_view kLines = ".jsonl";
constexpr std::size_t kUuidChars = 36;
// A wire that holds no more than its first line says nothing yet.
constexpr std::uint64_t kMinWireBytes = 100;

// Conversations of Kimi with itself.
constexpr std::array<std::string_view, 3> kOwnSessions = {"ctitle-", "dvlt-", "sklsum-"};

std::uint64_t size_of(const std::string& path, const FileView& files) {
  const auto stamp = files.stat(path);
  return stamp ? stamp->size_bytes : 0;
}

// The transcript of a folder that may hold two of the same conversation; "" when it holds none.
std::string transcript_in(const std::string& folder, const FileView& files) {
  const auto wire = path_join(folder, "wire.jsonl");
  const auto context = path_join(folder, "context.jsonl");
  const bool has_context = files.is_regular_file(context);
  if (has_context && size_of(wire, files) < kMinWireBytes) return context;
  return files.is_regular_file(wire) ? wire : "";
}

class Lister {
 public:
  Lister(const std::string& home, const FileView& files, Listing& listing)
      : files_(files), index_(HomeIndex::read(home, files)), listing_(listing) {}

  // A folder that stands for a working directory.
  void list_project(const std::string& folder) {
    const auto entries = files_.list_directory(folder);
    if (!entries) {
      listing_.problems.emplace_back(folder, entries.error().message);
      return;
    }
    project_ = path_basename(folder);
    directory_ = index_.folder_directory(project_);
    for (const DirEntry& entry : *entries) {
      const auto path = path_join(folder, entry.name);
      if (entry.type == FileType::directory) {
        list_session(path, entry.name);
      } else if (entry.type == FileType::regular && entry.name.ends_with(kLines)) {
        add_flat(path, std::string(path_stem(entry.name)));
      }
    }
  }

  // True when it is a session's folder.
  bool list_session(const std::string& folder, const std::string& id) {
    const bool own = std::ranges::any_of(
        kOwnSessions, [&](std::string_view start) { return id.starts_with(start); });
    if (own || index_.is_deleted(id)) return true;
    const auto agents = path_join(folder, "agents");
    if (files_.is_directory(agents)) {
      list_agents(agents, folder, id);
      return true;
    }
    const auto transcript = transcript_in(folder, files_);
    if (transcript.empty()) return false;
    const SessionState state = read_state(path_join(folder, "state.json"), files_);
    add(transcript, id, "", "", state);
    const auto subagents = path_join(folder, "subagents");
    if (!files_.is_directory(subagents)) return true;
    each_folder(subagents, [&](const std::string& path, const std::string& name) {
      const auto file = transcript_in(path, files_);
      if (!file.empty()) add(file, id + "/" + name, id, "", {});
    });
    return true;
  }

 private:
  template <typename OnFolder>
  void each_folder(const std::string& folder, OnFolder&& on_folder) {
    const auto entries = files_.list_directory(folder);
    if (!entries) {
      listing_.problems.emplace_back(folder, entries.error().message);
      return;
    }
    for (const DirEntry& entry : *entries) {
      if (entry.type != FileType::directory) continue;
      on_folder(path_join(folder, entry.name), entry.name);
    }
  }

  void list_agents(const std::string& agents, const std::string& folder, const std::string& id) {
    const SessionState state = read_state(path_join(folder, "state.json"), files_);
    const std::string directory =
        state.work_dir.empty() ? index_.session_directory(id) : state.work_dir;
    each_folder(agents, [&](const std::string& path, const std::string& name) {
      const auto file = transcript_in(path, files_);
      if (file.empty()) return;
      if (name == kMainAgent) return add(file, id, "", directory, state);
      const auto parent = state.parents.find(name);
      const bool nested =
          parent != state.parents.end() && !parent->second.empty() && parent->second != kMainAgent;
      add(file, id + "/" + name, nested ? id + "/" + parent->second : id, directory, {});
    });
  }

  // "<session>.jsonl", or "<session>_read_1.jsonl" of a sub-agent of it.
  void add_flat(const std::string& path, const std::string& stem) {
    if (stem == "session_index") return;
    const bool suffixed = stem.size() > kUuidChars && stem[kUuidChars] == '_';
    const auto suffix = suffixed ? stem.substr(kUuidChars + 1) : "";
    if (suffixed && suffix.find_first_not_of("0123456789") == std::string::npos) return;
    const auto id = stem.substr(0, suffixed ? kUuidChars : stem.size());
    add(path, suffixed ? id + "/" + suffix : id, suffixed ? id : "", "", {});
  }

  void add(const std::string& path, const std::string& id, const std::string& parent,
           const std::string& directory, const SessionState& state) {
    const auto stamp = files_.stat(path);
    if (!stamp) {
      if (stamp.error().code != Errc::not_found) {
        listing_.problems.emplace_back(path, stamp.error().message);
      }
      return;
    }
    SessionRef session;
    session.id = std::string(kIdPrefix) + id;
    if (!parent.empty()) {
      session.kind = SessionKind::subagent;
      session.parent_id = std::string(kIdPrefix) + parent;
    }
    session.path = path;
    session.title = state.title;
    session.cwd = directory.empty() ? directory_ : directory;
    session.directory = session.cwd.empty() ? project_ : session.cwd;
    session.stamp = *stamp;
    listing_.sessions.push_back(std::move(session));
  }

  const FileView& files_;
  HomeIndex index_;
  Listing& listing_;
  std::string project_;
  std::string directory_;
};

Status list_projects(const std::string& folder, const FileView& files, Lister& lister) {
  const auto entries = files.list_directory(folder);
  if (!entries) return entries.error();
  for (const DirEntry& entry : *entries) {
    if (entry.type == FileType::directory) lister.list_project(path_join(folder, entry.name));
  }
  return {};
}

Result<Listing> sessions(const Root& root, const PreviousListing& known) {
  Listing listing;
  const FileView& files = known.files;
  const auto home = absolute_path(root.path);
  Lister lister(home, files, listing);
  const auto folder = path_join(home, "sessions");
  if (files.is_directory(folder)) {
    if (const auto listed = list_projects(folder, files, lister); !listed.ok())
      return listed.error();
    return listing;
  }
  const auto entries = files.list_directory(home);
  if (!entries) return entries.error();
  // A folder that was named may also be the one of a single working directory.
  if (root.named) lister.list_project(home);
  return listing;
}

// Kimi Code names its sessions "session_<uuid>" and "conv-…", Kimi CLI just "<uuid>".
std::vector<std::string> resume(std::string_view id) {
  if (!is_safe_id(id)) return {};
  const bool code = id.starts_with("session_") || id.starts_with("conv-");
  return {"kimi", code ? "-S" : "--session", std::string(id)};
}

// The project is known by its path, not by the name of a folder.
std::string directory_name(std::string_view cwd) {
  return std::string(cwd);
}

std::unique_ptr<RecordHook> start_reading(std::string_view saved) {
  return std::make_unique<PromptHook>(saved);
}

}  // namespace

const Hooks kHooks = {
    .sessions = sessions,
    .reading = start_reading,
    .resume = resume,
    .directory_name = directory_name,
};

}  // namespace yore::transcript::kimi
