// qwen.cpp — where Qwen Code keeps its conversations.
//
//   <home>/projects/<cwd with dashes>/chats/<session id>.jsonl
//   …/chats/archive/<session id>.jsonl                            rank -1
//   …/subagents/<session id>/agent-<id>.jsonl, .meta.json
//   <home>/tmp/<SHA-256 of the cwd>/chats/…        older; session-*.json as Gemini CLI writes them
// Left out: <session id>.ledger.jsonl and other files beside a transcript.
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "text/utf8.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/qwen/records.hpp"
#include "transcript/automated.hpp"
#include "transcript/dialects/gemini/listing.hpp"
#include "transcript/dialects/gemini/project.hpp"
#include "transcript/dialects/gemini/replay.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript::qwen {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kName = "qwen";
constexpr std::string_view kPrefix = "qwen:";
constexpr std::string_view kJsonl = ".jsonl";
constexpr std::string_view kGeminiPrefix = "session-";
constexpr int kArchiveRank = -1;
// The lines that say who made a session stand at its start.
constexpr std::size_t kPeekBytes = 8 << 10;
constexpr std::size_t kMaxMetaBytes = 64 << 10;

constexpr std::array kRoots = {
    RootRule{"QWEN_RUNTIME_DIR", "~/.qwen", "projects"},
    RootRule{"QWEN_HOME", "~/.qwen", "projects"},
    RootRule{"QWEN_HOME", "~/.qwen", "tmp"},
};

bool is_gemini_file(std::string_view path) {
  return path_basename(path).starts_with(kGeminiPrefix);
}

bool is_transcript(const DirEntry& entry) {
  return entry.type == FileType::regular && entry.name.ends_with(kJsonl) &&
         !entry.name.ends_with(".ledger.jsonl") && !is_gemini_file(entry.name) &&
         is_safe_id(path_stem(entry.name));
}

// "/w/My app" -> "-w-My-app".
std::string directory_name(std::string_view cwd) {
  std::string name(cwd);
  std::ranges::replace_if(
      name, [](char c) { return !ascii::is_alnum(c); }, '-');
  return name;
}

class Lister {
 public:
  Lister(const Root& root, const PreviousListing& known) : root_(root), known_(known) {}

  Result<Listing> list() {
    std::string path = absolute_path(root_.path);
    if (path_basename(path) == "chats") path = path_dirname(path);
    if (known_.files.is_directory(path_join(path, "chats"))) {
      add_gemini_files(path);
      add_project(path);
      return std::move(listing_);
    }
    bool is_home = false;
    for (const std::string_view part : {"projects", "tmp"}) {
      const std::string folder = path_join(path, part);
      if (!known_.files.is_directory(folder)) continue;
      is_home = true;
      if (const Status added = add_projects(folder); !added.ok()) return added.error();
    }
    if (is_home) return std::move(listing_);
    if (const Status added = add_projects(path); !added.ok()) return added.error();
    if (listing_.sessions.empty() && root_.named) add_loose(path);
    return std::move(listing_);
  }

 private:
  Status add_projects(const std::string& folder) {
    const auto entries = known_.files.list_directory(folder);
    if (!entries) return entries.error();
    if (path_basename(folder) == "tmp") add_gemini_files(folder);
    for (const DirEntry& entry : *entries) {
      if (entry.type == FileType::directory) add_project(path_join(folder, entry.name));
    }
    return {};
  }

  void add_gemini_files(const std::string& folder) {
    auto listed = gemini::list_sessions({folder, false}, kName, known_);
    if (!listed) return;
    // What else lies there is no sub-agent of Gemini's.
    std::erase_if(listed->sessions,
                  [](const SessionRef& session) { return !is_gemini_file(session.path); });
    std::ranges::move(listed->sessions, std::back_inserter(listing_.sessions));
  }

  void add_project(const std::string& folder) {
    const std::string chats = path_join(folder, "chats");
    const auto entries = known_.files.list_directory(chats);
    if (!entries) {
      if (entries.error().code == Errc::not_found) return;
      listing_.problems.emplace_back(chats, entries.error().message);
      return;
    }
    directory_ = path_basename(folder);
    project_.clear();
    for (const DirEntry& entry : *entries) {
      if (is_transcript(entry)) add_session(path_join(chats, entry.name), 0);
    }
    const std::string archive = path_join(chats, "archive");
    if (const auto archived = known_.files.list_directory(archive)) {
      for (const DirEntry& entry : *archived) {
        if (is_transcript(entry)) add_session(path_join(archive, entry.name), kArchiveRank);
      }
    }
    const std::string subagents = path_join(folder, "subagents");
    if (const auto parents = known_.files.list_directory(subagents)) {
      for (const DirEntry& entry : *parents) {
        if (entry.type == FileType::directory) add_subagents(path_join(subagents, entry.name));
      }
    }
  }

  void add_session(const std::string& path, int rank) {
    SessionRef session;
    session.path = path;
    session.id = std::string(kPrefix).append(path_stem(path));
    session.rank = rank;
    const std::string head = known_.files.read_range(path, 0, kPeekBytes).value_or("");
    const std::string_view parent = gemini::peek(head, "parentSessionId");
    if (is_safe_id(parent) && parent != path_stem(path)) {
      session.kind = SessionKind::subagent;
      session.parent_id = std::string(kPrefix).append(parent);
      session.resume_key = path_stem(path);
    }
    session.automated = names_automation(gemini::peek(head, "sourceType"));
    // A hash says nothing; the first line names the directory.
    if (gemini::is_hash(directory_)) project_ = path_basename(gemini::peek(head, "cwd"));
    add(std::move(session));
  }

  void add_subagents(const std::string& folder) {
    const auto entries = known_.files.list_directory(folder);
    if (!entries) return;
    const std::string parent(path_basename(folder));
    for (const DirEntry& entry : *entries) {
      if (!is_transcript(entry)) continue;
      const std::string stem(path_stem(entry.name));
      SessionRef session;
      session.path = path_join(folder, entry.name);
      session.parent_id = std::string(kPrefix) + parent;
      session.id = session.parent_id + (stem.starts_with("agent-") ? "/" : "/agent-") + stem;
      session.kind = SessionKind::subagent;
      const auto meta =
          known_.files.read_file(path_join(folder, stem + ".meta.json"), kMaxMetaBytes);
      if (meta) session.title = text::trim(gemini::peek(*meta, "description"));
      add(std::move(session));
    }
  }

  void add_loose(const std::string& folder) {
    const auto entries = known_.files.list_directory(folder);
    if (!entries) return;
    directory_ = path_basename(folder);
    for (const DirEntry& entry : *entries) {
      const std::string path = path_join(folder, entry.name);
      if (!is_transcript(entry)) continue;
      const std::string head = known_.files.read_range(path, 0, kPeekBytes).value_or("");
      if (!gemini::peek(head, "sessionId").empty()) add_session(path, 0);
    }
  }

  void add(SessionRef session) {
    const auto stamp = known_.files.stat(session.path);
    if (!stamp) return;  // gone since the folder was read
    session.stamp = *stamp;
    session.directory = directory_;
    session.project = project_;
    listing_.sessions.push_back(std::move(session));
  }

  const Root& root_;
  const PreviousListing& known_;
  Listing listing_;
  std::string directory_;
  std::string project_;
};

Result<Listing> list_sessions(const Root& root, const PreviousListing& known) {
  return Lister(root, known).list();
}

Result<bool> is_resumable(const SessionRef& session, const Cursor& cursor) {
  if (is_gemini_file(session.path)) return gemini::is_resumable(session.path, cursor);
  return jsonl_resumable(session.path, cursor);
}

Result<ReadStep> read_session(const SessionRef& session, const Cursor& cursor,
                              const ReadLimits& limits, RecordSink& sink) {
  if (is_gemini_file(session.path)) return gemini::read(session.path, cursor, limits, sink);
  RecordReader reader(session, sink);
  return read_jsonl(session.path, cursor, limits, sink,
                    [&reader](ondemand::object& object, const LineInfo& where) {
                      return reader.read(object, where);
                    });
}

}  // namespace

const Adapter kAdapter = {
    .name = kName,
    .display_name = "Qwen Code",
    .speaker = "Qwen",
    .roots = kRoots,
    .formats = "JSONL of Qwen Code up to 0.24, sub-agents; the older files in Gemini CLI's form",
    .verified = Verified::real,
    .sessions = list_sessions,
    .resumable = is_resumable,
    .read = read_session,
    .resume = resume_with("qwen", "-r"),
    .directory_name = directory_name,
};

}  // namespace yore::transcript::qwen
