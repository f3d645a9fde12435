// Codex CLI: rollouts below <home>/sessions, one file per thread.
//
//   sessions/2026/04/08/rollout-<local time>-<thread>.jsonl          a thread
//   sessions/…/rollout-<local time>-<thread>_<rollout>.jsonl         a thread that was reverted
//   archived_sessions/rollout-….jsonl                                put away by its owner
//   ….jsonl.zst                                                      cold; only without the plain
//   one rollout-<date>-<thread>.json                                     before mid-2025
//   history.jsonl                  {session_id, ts, text}: everything that was typed
// A thread that goes on from another by reference (history_base) holds only what is new: the rest
// is found where it stands.
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/codex/head.hpp"
#include "transcript/agents/codex/json.hpp"
#include "transcript/agents/codex/records.hpp"
#include "transcript/agents/codex/titles.hpp"
#include "transcript/dialects/prompt_history.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/input/zstd_source.hpp"

namespace yore::transcript::codex {
namespace {

constexpr std::string_view kName = "codex";
constexpr std::string_view kRollout = "rollout-";
constexpr std::string_view kPacked = ".jsonl.zst";
constexpr int kPlainRank = 1;
constexpr int kPackedRank = 0;
// sessions/2026/04/08 is 3 deep; links may go round in circles.
constexpr int kMaxDepth = 4;

constexpr std::array kRoots = {
    RootRule{"CODEX_HOME", "~/.codex", ""},
};

// The name without what says how it is kept; "" for what is no rollout.
std::string_view rollout_stem(std::string_view name) {
  for (const std::string_view suffix : {kPacked, std::string_view(".jsonl")}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  const bool oldest = name.starts_with(kRollout) && name.ends_with(".json");
  return oldest ? name.substr(0, name.size() - 5) : std::string_view{};
}

bool is_rollout(const DirEntry& entry) {
  return entry.type == FileType::regular && !rollout_stem(entry.name).empty() &&
         entry.name != "history.jsonl" && entry.name != "session_index.jsonl";
}

// "2026-04-08T08-27-17-" and "2025-05-07-": the bytes of a date in a name, 0 when there is none.
std::size_t date_size(std::string_view name) {
  constexpr std::string_view kLong = "dddd-dd-ddTdd-dd-dd-";
  constexpr std::string_view kShort = "dddd-dd-dd-";
  for (const std::string_view form : {kLong, kShort}) {
    if (name.size() <= form.size()) continue;
    bool fits = true;
    for (std::size_t i = 0; i < form.size(); ++i) {
      fits = fits && (form[i] == 'd' ? ascii::is_digit(name[i]) : name[i] == form[i]);
    }
    if (fits) return form.size();
  }
  return 0;
}

// The id in the name of a rollout; "" when it has none.
std::string_view id_in_name(std::string_view stem) {
  if (!stem.starts_with(kRollout)) return {};
  stem.remove_prefix(kRollout.size());
  const std::size_t date = date_size(stem);
  return date == 0 ? std::string_view{} : stem.substr(date);
}

std::string full_id(std::string_view id) {
  return std::string(kName) + ":" + std::string(id);
}

bool read_history_line(simdjson::ondemand::object& object, HistoryLine& line) {
  std::string_view session;
  std::string_view text;
  std::uint64_t seconds = 0;
  const bool fine = each_field(object, [&](std::string_view key, simdjson::ondemand::value value) {
    if (key == "session_id") return get_text(value, session);
    if (key == "text") return get_text(value, text);
    return key != "ts" || get_count(value, seconds);
  });
  if (!fine) return false;
  constexpr std::uint64_t kYear9999 = 253'402'300'799;
  if (seconds > 0 && seconds < kYear9999) {
    line.time = from_ms(static_cast<std::int64_t>(seconds) * 1000);
  }
  line.session = session;
  line.text = text;
  return true;
}
std::string own_directory(std::string_view folder) {
  return std::string(folder);
}
constexpr HistoryFormat kHistory = {read_history_line, full_id, nullptr, own_directory};

// Lists one root.
class Lister {
 public:
  explicit Lister(const PreviousListing& known) : known_(known) {}

  Result<Listing> list(const std::string& root) {
    bool is_home = false;
    for (const std::string_view name : {"sessions", "archived_sessions"}) {
      const std::string folder = path_join(root, name);
      if (!known_.files.is_directory(folder)) continue;
      if (!is_home) titles_ = read_titles(root, known_.files);
      is_home = true;
      list_folder(folder, kMaxDepth);
    }
    list_history(root);
    if (is_home) return std::move(listing_);
    const auto entries = known_.files.list_directory(root);
    if (!entries) return entries.error();
    // A folder of rollouts stands for itself; the lists of names lie beside it.
    const bool in_home = path_basename(root) == "sessions";
    titles_ = read_titles(in_home ? std::string(path_dirname(root)) : root, known_.files);
    add_entries(root, *entries, kMaxDepth);
    return std::move(listing_);
  }

 private:
  // What was typed in threads that are gone. Nothing says in which folder.
  void list_history(const std::string& root) {
    const std::size_t before = listing_.sessions.size();
    list_prompts(kHistory, path_join(root, "history.jsonl"), known_, listing_);
    for (std::size_t i = before; i < listing_.sessions.size(); ++i) {
      listing_.sessions[i].project = kName;
    }
  }

  void list_folder(const std::string& folder, int depth) {
    const auto entries = known_.files.list_directory(folder);
    if (!entries) {
      listing_.problems.emplace_back(folder, entries.error().message);
      return;
    }
    add_entries(folder, *entries, depth);
  }

  void add_entries(const std::string& folder, const std::vector<DirEntry>& entries, int depth) {
    for (const DirEntry& entry : entries) {
      const std::string path = path_join(folder, entry.name);
      if (is_rollout(entry)) add(path);
      if (entry.type == FileType::directory && depth > 0) list_folder(path, depth - 1);
    }
  }

  void add(const std::string& path) {
    const auto stamp = known_.files.stat(path);
    if (!stamp) return;  // gone since the folder was read
    SessionRef session;
    const SessionRef* before = known_.session(kName, path, *stamp);
    // The line that names the directory tells everything.
    if (before != nullptr && !before->cwd.empty()) {
      session = *before;
      session.project.clear();
    } else {
      describe(path, session);
    }
    const std::string thread =
        session.resume_key.empty() ? session.id.substr(kName.size() + 1) : session.resume_key;
    const auto title = titles_.find(thread);
    session.title = title == titles_.end() ? "" : title->second;
    session.stamp = *stamp;
    session.rank = path.ends_with(kPacked) ? kPackedRank : kPlainRank;
    listing_.sessions.push_back(std::move(session));
  }

  // What the file's name and its first lines say.
  void describe(const std::string& path, SessionRef& session) const {
    const Head head = read_head(path, known_.files);
    const std::string_view stem = rollout_stem(path_basename(path));
    std::string_view id = id_in_name(stem);
    if (id.empty()) id = head.id.empty() ? stem : std::string_view(head.id);
    const std::string thread = head.id.empty() ? std::string(id.substr(0, id.find('_'))) : head.id;
    session.id = full_id(id);
    if (thread != id) session.resume_key = thread;
    if (head.subagent) {
      session.kind = SessionKind::subagent;
      if (!head.parent.empty()) session.parent_id = full_id(head.parent);
    }
    session.path = path;
    session.directory = head.cwd;
    session.cwd = head.cwd;
    if (head.cwd.empty()) session.project = kName;
    session.automated = head.automated;
  }

  const PreviousListing& known_;
  Listing listing_;
  Titles titles_;
};

Result<Listing> list_sessions(const Root& root, const PreviousListing& known) {
  return Lister(known).list(absolute_path(root.path));
}

bool is_packed(const SessionRef& session) {
  return session.path.ends_with(kPacked);
}
bool is_json(const SessionRef& session) {
  return session.path.ends_with(".json");
}

Result<bool> is_resumable(const SessionRef& session, const Cursor& cursor) {
  if (session.content == SessionContent::prompts)
    return prompts_resumable(kHistory, session, cursor);
  if (is_json(session)) return json_resumable(session, cursor);
  const auto position = decode(cursor);
  if (!position) return false;
  if (!is_packed(session)) return jsonl_resumable(session.path, position->file);
  // It may have been half-written then.
  if (position->state.damage_reported) return false;
  auto source = ZstdSource::open(session.path);
  if (!source) return source.error();
  return jsonl_resumable(*source, position->file);
}

Result<ReadStep> read_packed(const SessionRef& session, Position& position,
                             const ReadLimits& limits, RecordSink& sink,
                             const OnObject& on_object) {
  auto source = ZstdSource::open(session.path);
  if (!source) return source.error();
  auto step = read_jsonl(*source, session.path, position.file,
                         unpacking_limits(limits, position.file), sink, on_object);
  const bool sound = source->state() == ZstdSource::State::sound;
  if (!step || sound || position.state.damage_reported) return step;
  position.state.damage_reported = true;
  const bool oversized = source->state() == ZstdSource::State::oversized;
  sink.problem(oversized ? ProblemKind::oversized : ProblemKind::unreadable, 0);
  return step;
}

Result<ReadStep> read_session(const SessionRef& session, const Cursor& cursor,
                              const ReadLimits& limits, RecordSink& sink) {
  if (session.content == SessionContent::prompts)
    return read_prompts(kHistory, session, cursor, sink);
  if (is_json(session)) return read_json(session, cursor, sink);
  auto position = decode(cursor);
  if (!position) {
    return Error{Errc::invalid_argument, session.path + ": the cursor is not one of this reader"};
  }
  RecordReader reader(session, position->state, sink);
  const OnObject on_object = [&reader](simdjson::ondemand::object& object, const LineInfo& where) {
    return reader.read(object, where);
  };
  auto step = is_packed(session)
                  ? read_packed(session, *position, limits, sink, on_object)
                  : read_jsonl(session.path, position->file, limits, sink, on_object);
  if (!step) return step;
  position->file = std::move(step->cursor);
  step->cursor = encode(*position);
  return step;
}

// The folder of a rollout is a date; the working directory itself stands for the project.
std::string directory_name(std::string_view cwd) {
  return std::string(cwd);
}

}  // namespace

const Adapter kAdapter = {
    .name = kName,
    .display_name = "Codex CLI",
    .speaker = "Codex",
    .roots = kRoots,
    .formats = "JSONL rollouts, plain and zstd; bare JSONL and JSON rollouts of 2025",
    .verified = Verified::real,
    .sessions = list_sessions,
    .resumable = is_resumable,
    .read = read_session,
    .resume = resume_with("codex", "resume"),
    .directory_name = directory_name,
};

}  // namespace yore::transcript::codex
