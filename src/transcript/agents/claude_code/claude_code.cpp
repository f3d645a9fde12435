// Claude Code: JSONL files below <config>/projects, one folder per working directory.
//
//   <project>/<session>.jsonl                         a session
//   <project>/<session>/subagents/**/agent-<id>.jsonl a sub-agent of it
//   <project>/agent-<id>.jsonl                        the same, in older versions
//   <project>/sessions-index.json                     titles and directories, maybe stale
// and what lies beside them (memories.hpp).
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/files/file.hpp"
#include "text/utf8.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/claude_code/family.hpp"
#include "transcript/agents/claude_code/memories.hpp"
#include "transcript/agents/claude_code/paths.hpp"
#include "transcript/agents/claude_code/records.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/null_sink.hpp"

namespace yore::transcript::claude_code {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kJsonl = ".jsonl";
constexpr std::string_view kAgentPrefix = "agent-";
constexpr std::string_view kIndexName = "sessions-index.json";

constexpr std::uint64_t kMaxIndexBytes = 64ULL << 20;
constexpr std::size_t kMaxMetaBytes = 64 << 10;
// Enough for the first record of a sub-agent, which holds its task.
constexpr std::uint64_t kParentSearchBytes = 64 << 10;
// subagents/workflows/<id>/ is 2 deep; links may go round in circles.
constexpr int kMaxSubagentDepth = 4;

constexpr std::array kRoots = {
    RootRule{"CLAUDE_CONFIG_DIR", "~/.claude", "projects"},
    RootRule{"", "~config", "claude/projects"},
};
constexpr Member kClaudeCode = {
    .name = "claude-code",
    .display_name = "Claude Code",
    .speaker = "Claude",
    .formats = "JSONL of Claude Code 1.0 to 2.1, sub-agents in both layouts",
    .roots = kRoots,
    .program = "claude",
    .prefix = "",
    .verified = Verified::real,
    .retention = {.days = 30, .settings = "../settings.json", .key = "cleanupPeriodDays"},
};

constexpr std::array kOpenClaudeRoots = {
    RootRule{"OPENCLAUDE_CONFIG_DIR", "~/.openclaude", "projects"},
};
constexpr Member kOpenClaude = {
    .name = "openclaude",
    .display_name = "OpenClaude",
    .speaker = "OpenClaude",
    .formats = "JSONL as of Claude Code",
    .roots = kOpenClaudeRoots,
    .program = "openclaude",
    .prefix = "openclaude:",
};

constexpr std::array kCommandCodeRoots = {RootRule{"", "~/.commandcode", "projects"}};
constexpr Member kCommandCode = {
    .name = "commandcode",
    .display_name = "Command Code",
    .speaker = "Command Code",
    .formats = "JSONL as of Claude Code",
    .roots = kCommandCodeRoots,
    .program = "",
    .prefix = "commandcode:",
};

bool is_transcript(const DirEntry& entry) {
  return entry.type == FileType::regular && entry.name.ends_with(kJsonl) &&
         entry.name.size() > kJsonl.size() && entry.name != "journal.jsonl";
}

bool is_agent_name(std::string_view stem) {
  return stem.starts_with(kAgentPrefix) && stem.size() > kAgentPrefix.size();
}

// What the agent's own index says of one session.
struct Indexed {
  std::string title;
  std::string cwd;
};
using Index = std::map<std::string, Indexed, std::less<>>;

bool read_entry(ondemand::value json, Index& index) {
  std::string_view id;
  std::string_view title;
  std::string_view cwd;
  const bool fine = each_field(json, [&](std::string_view key, ondemand::value inner) {
    if (key == "sessionId") return get_text(inner, id);
    if (key == "summary") return get_text(inner, title);
    if (key == "projectPath") return get_text(inner, cwd);
    return true;
  });
  if (!id.empty()) index[std::string(id)] = {std::string(text::trim(title)), std::string(cwd)};
  return fine;
}

// `original_path` is the directory of all sessions whose entry names none, and of those that have
// no entry. The index is only ever a help: whatever is wrong with it, what could be read counts.
Index read_index(const std::string& path, const FileView& files, std::string& original_path) {
  Index index;
  const auto stamp = files.stat(path);
  if (!stamp.ok() || stamp->size_bytes > kMaxIndexBytes) return index;
  const auto bytes = files.read_file(path, kMaxIndexBytes);
  if (!bytes.ok()) return index;
  const simdjson::padded_string text(*bytes);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return index;
  if (document.get_object().get(object) != simdjson::SUCCESS) return index;
  each_field(object, [&](std::string_view key, ondemand::value inner) {
    if (key == "entries") {
      return each_item(inner, [&](ondemand::value item) { return read_entry(item, index); });
    }
    std::string_view found;
    if (key == "originalPath" && !get_text(inner, found)) return false;
    if (!found.empty()) original_path = found;
    return true;
  });
  return index;
}

// The description in agent-<id>.meta.json.
std::string read_description(const std::string& path, const FileView& files) {
  const auto bytes = files.read_file(path, kMaxMetaBytes);
  if (!bytes.ok()) return {};
  const simdjson::padded_string text(*bytes);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object object;
  std::string_view description;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return {};
  if (document.get_object().get(object) != simdjson::SUCCESS) return {};
  each_field(object, [&](std::string_view key, ondemand::value inner) {
    return key != "description" || get_text(inner, description);
  });
  return std::string(text::trim(description));
}

// The first text under this key, of those that fit, in the records that a transcript begins with.
std::string find_first(const std::string& path, std::string_view wanted,
                       bool (*fits)(std::string_view)) {
  std::string first;
  NullSink sink;
  const auto on_object = [&](ondemand::object& object, const LineInfo&) {
    std::string_view text;
    const bool fine = each_field(object, [&](std::string_view key, ondemand::value inner) {
      return key != wanted || get_text(inner, text);
    });
    if (fine && first.empty() && fits(text)) first = text;
    return fine;
  };
  const auto step = read_jsonl(path, {}, {kParentSearchBytes}, sink, on_object);
  return step.ok() ? first : std::string{};
}

// Sub-agents of the older layout carry their parent's id in every record. It becomes a part of ours
// and of paths: it has to be one.
std::string find_parent(const std::string& path) {
  return find_first(path, "sessionId", is_safe_id);
}

// Lists one root.
class Lister {
 public:
  Lister(const Member& member, const Root& root, const PreviousListing& known)
      : member_(member), root_(root), known_(known) {}

  Result<Listing> list() {
    std::string path = root_.path;
    const std::string projects = path_join(path, "projects");
    if (known_.files.is_directory(projects)) path = projects;
    const auto entries = known_.files.list_directory(path);
    if (!entries.ok()) return entries.error();
    // A folder that holds transcripts itself is a project; its folders may still be projects too.
    if (std::ranges::any_of(*entries, is_transcript)) add_project(path, *entries);
    for (const DirEntry& entry : *entries) {
      if (entry.type != FileType::directory) continue;
      const std::string inner = path_join(path, entry.name);
      const auto listed = known_.files.list_directory(inner);
      if (listed.ok()) {
        add_project(inner, *listed);
      } else {
        listing_.problems.emplace_back(inner, listed.error().message);
      }
    }
    if (path_basename(path) == "projects") {
      list_home(member_, std::string(path_dirname(path)), known_, listing_);
    }
    return std::move(listing_);
  }

 private:
  void add_project(const std::string& folder, const std::vector<DirEntry>& entries) {
    directory_ = path_basename(folder);
    index_.clear();
    original_path_.clear();
    const bool indexed = std::ranges::any_of(entries, [](const DirEntry& entry) {
      return entry.type == FileType::regular && entry.name == kIndexName;
    });
    if (indexed) index_ = read_index(path_join(folder, kIndexName), known_.files, original_path_);
    for (const DirEntry& entry : entries) {
      if (is_transcript(entry)) add_file(folder, entry.name);
      if (entry.type != FileType::directory) continue;
      if (entry.name == "memory") {
        list_memory(member_, folder, directory_worked_on(folder, entries), known_, listing_);
      }
      const std::string subagents = path_join(path_join(folder, entry.name), "subagents");
      add_subagents(subagents, entry.name, kMaxSubagentDepth);
    }
  }

  // What the notes of a project are about: the directory that its sessions name.
  [[nodiscard]] std::string directory_worked_on(const std::string& folder,
                                                const std::vector<DirEntry>& entries) const {
    if (!original_path_.empty()) return original_path_;
    for (const DirEntry& entry : entries) {
      if (!is_transcript(entry)) continue;
      const auto any = [](std::string_view cwd) { return !cwd.empty(); };
      std::string cwd = find_first(path_join(folder, entry.name), "cwd", any);
      if (directory_name(cwd) == directory_) return cwd;
    }
    return "";
  }

  void add_file(const std::string& folder, const std::string& name) {
    SessionRef session;
    session.path = path_join(folder, name);
    const std::string stem(path_stem(name));
    session.id = member_.id_of(stem);
    if (is_agent_name(stem)) {
      session.kind = SessionKind::subagent;
      session.parent_id = parent_of(session.path);
      if (!session.parent_id.empty()) session.id = session.parent_id + "/" + stem;
    } else {
      session.cwd = original_path_;
      const auto known = index_.find(stem);
      if (known != index_.end()) {
        session.title = known->second.title;
        if (!known->second.cwd.empty()) session.cwd = known->second.cwd;
      }
    }
    add(std::move(session));
  }

  [[nodiscard]] std::string parent_of(const std::string& path) const {
    const auto stamp = known_.files.stat(path);
    const SessionRef* before = stamp ? known_.session(member_.name, path, *stamp) : nullptr;
    if (before != nullptr && is_safe_id(before->parent_id)) return before->parent_id;
    const std::string parent = find_parent(path);
    return parent.empty() ? "" : member_.id_of(parent);
  }

  void add_subagents(const std::string& folder, const std::string& parent, int depth) {
    if (depth == 0) return;
    const auto entries = known_.files.list_directory(folder);
    if (!entries.ok()) return;
    for (const DirEntry& entry : *entries) {
      const std::string path = path_join(folder, entry.name);
      if (entry.type == FileType::directory) add_subagents(path, parent, depth - 1);
      const std::string stem(path_stem(entry.name));
      if (!is_transcript(entry) || !is_agent_name(stem)) continue;
      SessionRef session;
      session.parent_id = member_.id_of(parent);
      session.id = session.parent_id + "/" + stem;
      session.kind = SessionKind::subagent;
      session.path = path;
      const std::string meta = stem + ".meta.json";
      if (std::ranges::binary_search(*entries, meta, {}, &DirEntry::name)) {
        session.title = read_description(path_join(folder, meta), known_.files);
      }
      add(std::move(session));
    }
  }

  void add(SessionRef session) {
    const auto stamp = known_.files.stat(session.path);
    if (!stamp.ok()) return;  // gone since the folder was read
    session.stamp = *stamp;
    session.directory = directory_;
    listing_.sessions.push_back(std::move(session));
  }

  const Member& member_;
  const Root& root_;
  const PreviousListing& known_;
  Listing listing_;
  std::string directory_;
  Index index_;
  std::string original_path_;
};

Result<bool> is_resumable(const SessionRef& session, const Cursor& cursor) {
  if (session.content == SessionContent::prompts)
    return prompts_resumable(kHistory, session, cursor);
  if (session.content == SessionContent::note) return note_resumable(session, cursor);
  return jsonl_resumable(session.path, cursor);
}

Result<ReadStep> read_session(const SessionRef& session, const Cursor& cursor,
                              const ReadLimits& limits, RecordSink& sink) {
  if (session.content == SessionContent::prompts)
    return read_prompts(kHistory, session, cursor, sink);
  if (session.content == SessionContent::note) return read_note(session, cursor, sink);
  RecordReader reader(session, sink);
  return read_jsonl(session.path, cursor, limits, sink,
                    [&reader](ondemand::object& object, const LineInfo& where) {
                      return reader.read(object, where);
                    });
}

}  // namespace

Result<Listing> list_projects(const Member& member, const Root& root,
                              const PreviousListing& known) {
  return Lister(member, root, known).list();
}

// 2: tells which summaries came before the first turn.
constexpr int kReading = 2;

Adapter make_adapter(const Member& member) {
  Adapter adapter;
  adapter.name = member.name;
  adapter.display_name = member.display_name;
  adapter.speaker = member.speaker;
  adapter.roots = member.roots;
  adapter.formats = member.formats;
  adapter.verified = member.verified;
  adapter.retention = member.retention;
  adapter.sessions = [&member](const Root& root, const PreviousListing& known) {
    return list_projects(member, root, known);
  };
  adapter.resumable = is_resumable;
  adapter.read = read_session;
  adapter.directory_name = directory_name;
  adapter.reading = kReading;
  if (member.program.empty()) return adapter;
  adapter.resume = [&member](std::string_view native_id) -> std::vector<std::string> {
    if (!is_safe_id(native_id)) return {};
    return {std::string(member.program), "--resume", std::string(native_id)};
  };
  return adapter;
}

const Adapter kAdapter = make_adapter(kClaudeCode);
const Adapter kOpenClaudeAdapter = make_adapter(kOpenClaude);
const Adapter kCommandCodeAdapter = make_adapter(kCommandCode);

}  // namespace yore::transcript::claude_code
