// openclaw.cpp — where OpenClaw keeps its conversations, and which files are copies to leave out.
//
//   <state>/agents/<agent>/agent/openclaw-agent.sqlite               store         rank 2
//   …          its cold archives                                                   rank 1
//   <state>/agents/<agent>/sessions/<id>[-topic-<thread>].jsonl      transcript    rank 0
//   …/sessions/cold/<sha256>.jsonl.zst             only when no store lists it     rank 1
//   …/sessions/session-sqlite-import-archive/…     only when there is no store     rank -1
// Left out: what /new, /reset and deletion put aside (*.jsonl.reset.*, *.jsonl.deleted.*), backups
// (*.jsonl.bak*, *.full.bak), compaction snapshots (*.checkpoint.*.jsonl) and *.trajectory.jsonl.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/files/file.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/openclaw/archive.hpp"
#include "transcript/agents/openclaw/index.hpp"
#include "transcript/agents/openclaw/records.hpp"
#include "transcript/agents/openclaw/sqlite.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/stores/foreign_database.hpp"

namespace yore::transcript::openclaw {
namespace {

constexpr std::string_view kName = "openclaw";
constexpr std::string_view kTranscript = ".jsonl";
constexpr std::string_view kColdSuffix = ".jsonl.zst";
constexpr std::string_view kStoreFile = "openclaw-agent.sqlite";
constexpr std::string_view kImportArchive = "session-sqlite-import-archive";

constexpr int kStoreRank = 2;
constexpr int kColdRank = 1;
constexpr int kFileRank = 0;
constexpr int kImportRank = -1;

constexpr std::array<RootRule, 2> kRoots = {{
    {"OPENCLAW_STATE_DIR", "~/.openclaw", ""},
    {"", "~", ".clawdbot"},
}};

bool is_transcript(const DirEntry& entry) {
  return entry.type == FileType::regular && entry.name.ends_with(kTranscript) &&
         entry.name.size() > kTranscript.size() && !entry.name.ends_with(".trajectory.jsonl") &&
         entry.name.find(".checkpoint.") == std::string::npos;
}

// Lists the sessions of one agent, whose name stands for the project.
class AgentLister {
 public:
  AgentLister(std::string name, const PreviousListing& known, Listing& listing)
      : name_(std::move(name)), known_(known), listing_(listing) {}

  // True when the store answers for this agent.
  bool list_store(const std::string& path) {
    const auto stamp = database_stamp(path, known_.files);
    if (!stamp) {
      if (stamp.error().code != Errc::not_found) add_problem(path, stamp.error());
      return false;
    }
    if (known_.unchanged(path, *stamp)) {
      listing_.unchanged.push_back(path);
      return true;
    }
    SessionIndex index;
    const auto stored = openclaw::list_store(path, index);
    if (!stored) {
      add_problem(path, stored.error());
      // The owner is at work: what was read before still stands.
      const bool busy = stored.error().code == Errc::busy;
      if (busy) listing_.unchanged.push_back(path);
      return busy;
    }
    listing_.containers.push_back({path, *stamp});
    for (const auto& found : *stored) {
      SessionRef session = new_session(found.session_id, path);
      session.row = found.row;
      session.stamp = found.stamp;
      session.rank = found.archived ? kColdRank : kStoreRank;
      index.describe(found.session_id, session);
      listing_.sessions.push_back(std::move(session));
    }
    return true;
  }

  Status list_folder(const std::string& folder, bool has_store) {
    const auto entries = known_.files.list_directory(folder);
    if (!entries) return entries.error();
    SessionIndex index;
    const auto map = path_join(folder, "sessions.json");
    if (known_.files.is_regular_file(map)) {
      if (const auto read = index.add_file(map, known_.files); !read.ok())
        add_problem(map, read.error());
    }
    add_transcripts(folder, *entries, index, kFileRank);
    if (!has_store) {
      add_import_archive(path_join(folder, kImportArchive), index);
      add_cold_files(path_join(folder, "cold"), index);
    }
    return {};
  }

 private:
  void add_transcripts(const std::string& folder, const std::vector<DirEntry>& entries,
                       const SessionIndex& index, int rank) {
    for (const auto& entry : entries) {
      if (!is_transcript(entry)) continue;
      add_file(path_join(folder, entry.name), path_stem(entry.name), index, rank);
    }
  }

  // One level of folders below, as the import may sort them by date.
  void add_import_archive(const std::string& folder, const SessionIndex& index) {
    const auto entries = known_.files.list_directory(folder);
    if (!entries) return;
    add_transcripts(folder, *entries, index, kImportRank);
    for (const auto& entry : *entries) {
      if (entry.type != FileType::directory) continue;
      const auto below = path_join(folder, entry.name);
      if (const auto files = known_.files.list_directory(below)) {
        add_transcripts(below, *files, index, kImportRank);
      }
    }
  }

  void add_cold_files(const std::string& folder, const SessionIndex& index) {
    const auto entries = known_.files.list_directory(folder);
    if (!entries) return;
    for (const auto& entry : *entries) {
      if (entry.type != FileType::regular || !entry.name.ends_with(kColdSuffix)) continue;
      const auto path = path_join(folder, entry.name);
      const auto id = archived_id(path);
      if (id.empty()) {
        listing_.problems.emplace_back(path, path + ": cold archive that names no session");
        continue;
      }
      add_file(path, id, index, kColdRank);
    }
  }

  // What the archive says, read again only when it has changed.
  [[nodiscard]] std::string archived_id(const std::string& path) const {
    const auto stamp = known_.files.stat(path);
    const SessionRef* before = stamp ? known_.session(kName, path, *stamp) : nullptr;
    return before == nullptr ? archive_session_id(path, known_.files)
                             : before->id.substr(kIdPrefix.size());
  }

  void add_file(const std::string& path, std::string_view stem, const SessionIndex& index,
                int rank) {
    const auto stamp = known_.files.stat(path);
    if (!stamp) {
      if (stamp.error().code != Errc::not_found) add_problem(path, stamp.error());
      return;
    }
    SessionRef session = new_session(stem, path);
    session.stamp = *stamp;
    session.rank = rank;
    index.describe(stem, session);
    listing_.sessions.push_back(std::move(session));
  }

  [[nodiscard]] SessionRef new_session(std::string_view stem, const std::string& path) const {
    SessionRef session;
    session.id = std::string(kIdPrefix) + std::string(stem);
    session.path = path;
    session.directory = name_;
    session.project = "openclaw-" + name_;
    return session;
  }

  void add_problem(const std::string& path, const Error& error) {
    listing_.problems.emplace_back(path, error.message);
  }

  std::string name_;
  const PreviousListing& known_;
  Listing& listing_;
};

std::string store_path(const std::string& agent) {
  return path_join(path_join(agent, "agent"), kStoreFile);
}

// REQUIRES: `agent` is the folder that holds sessions/ and agent/.
Status list_agent(const std::string& agent, const PreviousListing& known, Listing& listing) {
  AgentLister lister(std::string(path_basename(agent)), known, listing);
  const bool has_store = lister.list_store(store_path(agent));
  const auto folder = path_join(agent, "sessions");
  return known.files.is_directory(folder) ? lister.list_folder(folder, has_store) : Status{};
}

Status list_agents(const std::string& folder, const PreviousListing& known, Listing& listing) {
  const auto agents = known.files.list_directory(folder);
  if (!agents) return agents.error();
  for (const auto& entry : *agents) {
    if (entry.type != FileType::directory) continue;
    const auto agent = path_join(folder, entry.name);
    // One agent's folder that cannot be read must not hide the others.
    if (const auto listed = list_agent(agent, known, listing); !listed.ok()) {
      listing.problems.emplace_back(agent, listed.error().message);
    }
  }
  return {};
}

Status list_root(const std::string& root, const PreviousListing& known, Listing& listing) {
  const auto agents = path_join(root, "agents");
  if (known.files.is_directory(agents)) return list_agents(agents, known, listing);
  const bool is_agent = known.files.is_directory(path_join(root, "sessions")) ||
                        known.files.is_regular_file(store_path(root));
  if (is_agent) return list_agent(root, known, listing);
  // An agent's sessions folder stands for the agent: its store lies beside it.
  const std::string parent(path_dirname(root));
  const bool in_agent = path_basename(root) == "sessions";
  if (in_agent && known.files.is_regular_file(store_path(parent)))
    return list_agent(parent, known, listing);
  const std::string name(path_basename(in_agent ? parent : root));
  return AgentLister(name, known, listing).list_folder(root, false);
}

Result<Listing> sessions(const Root& root, const PreviousListing& known) {
  Listing listing;
  const auto listed = list_root(absolute_path(root.path), known, listing);
  if (!listed.ok()) return listed.error();
  return listing;
}

bool is_cold_file(const SessionRef& session) {
  return session.path.ends_with(kColdSuffix);
}

Result<bool> resumable(const SessionRef& session, const Cursor& cursor) {
  if (!session.row.empty()) return store_resumable(session, cursor);
  if (!is_cold_file(session)) return jsonl_resumable(session.path, cursor);
  const auto bytes = load_archive(session.path);
  if (!bytes) return bytes.error();
  return archive_resumable(*bytes, cursor);
}

Result<ReadStep> read(const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                      RecordSink& sink) {
  if (!session.row.empty()) return read_store(session, cursor, limits, sink);
  if (is_cold_file(session)) {
    const auto bytes = load_archive(session.path);
    if (!bytes) return bytes.error();
    return read_archive(*bytes, cursor, limits, sink);
  }
  EntryReader entries(sink, EntrySource::lines);
  return read_jsonl(session.path, cursor, limits, sink,
                    [&](simdjson::ondemand::object& object, const LineInfo& where) {
                      return entries.read(object, where);
                    });
}

Result<std::vector<OwnRows>> own_rows(const SessionRef& session) {
  std::vector<OwnRows> rows;
  if (session.row.empty()) return rows;
  const std::string id = session.row.substr(session.row.find(':') + 1);
  for (const char* table :
       {"transcript_events", "transcript_rewrite_watermarks", "session_transcript_cold_archives"}) {
    rows.push_back({table, "session_id=?1", {id}});
  }
  return rows;
}

std::vector<std::string> resume(std::string_view key) {
  if (!is_safe_id(key)) return {};
  return {"openclaw", "tui", "--session", std::string(key)};
}

}  // namespace

const Adapter kAdapter = {
    .name = kName,
    .display_name = "OpenClaw",
    .speaker = "OpenClaw",
    .roots = kRoots,
    .formats =
        "JSONL session versions 3 and 4; openclaw-agent.sqlite schema 4 to 23; cold archives",
    .verified = Verified::real,
    .sessions = sessions,
    .resumable = resumable,
    .read = read,
    .resume = resume,
    .rows = own_rows,
};

}  // namespace yore::transcript::openclaw
