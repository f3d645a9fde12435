// pi: JSONL files below <agent>/sessions, one folder per working directory.
//
//   sessions/--home-ann-app--/<time>_<session>.jsonl      a session
//   <time>_<session>.jsonl                                the same, in a folder of one's own choice
// Files of other names count when their first line is one of a session.
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/files/file.hpp"
#include "transcript/adapter.hpp"
#include "transcript/agents/pi/records.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/null_sink.hpp"

namespace yore::transcript {

extern const Adapter kPi;

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kName = "pi";
constexpr std::string_view kJsonl = ".jsonl";
constexpr std::uint64_t kHeadBytes = 16 << 10;
constexpr int kMaxHeadLines = 4;
// A folder chosen with --session-dir may be sorted by hand; links may go round in circles.
constexpr int kMaxDepth = 3;

constexpr std::array kRoots = {
    RootRule{"PI_CODING_AGENT_SESSION_DIR", "~/.pi/agent/sessions", ""},
    RootRule{"PI_CODING_AGENT_DIR", "~/.pi/agent", "sessions"},
    RootRule{"", "~/.omp/agent", "sessions"},
};

// What a session may begin with, its first line or two damaged.
constexpr std::array<std::string_view, 5> kFirstTypes = {"message", "model_change", "session",
                                                         "session_info", "thinking_level_change"};

bool is_first_type(std::string_view type) {
  return std::ranges::find(kFirstTypes, type) != kFirstTypes.end();
}

bool is_transcript(const DirEntry& entry) {
  return entry.type == FileType::regular && entry.name.ends_with(kJsonl) &&
         entry.name.size() > kJsonl.size();
}

// "2026-05-12T01-02-27-657Z_<id>": the id, "" for other names.
std::string_view id_in_name(std::string_view stem) {
  const std::size_t mark = stem.find("Z_");
  const bool dated = mark != std::string_view::npos && mark >= 19 && stem[4] == '-' &&
                     stem[10] == 'T' && stem[0] >= '0' && stem[0] <= '9';
  return dated ? stem.substr(mark + 2) : std::string_view{};
}

// What a file's first lines say it is: of those that are whole, the first that may begin a session.
struct Head {
  std::string type;
  std::string id;
};

Head read_head(const std::string& path) {
  Head head;
  int looked_at = 0;
  NullSink sink;
  const auto on_object = [&](ondemand::object& object, const LineInfo&) {
    std::string_view type;
    std::string_view id;
    const bool fine = each_field(object, [&](std::string_view key, ondemand::value json) {
      if (key == "type") return get_text(json, type);
      return key != "id" || get_text(json, id);
    });
    const bool wanted = fine && head.type.empty() && ++looked_at <= kMaxHeadLines;
    if (wanted && is_first_type(type)) head = {std::string(type), std::string(id)};
    return fine;
  };
  // One that cannot be read is no session yet.
  [[maybe_unused]] const auto read = read_jsonl(path, {}, {kHeadBytes}, sink, on_object);
  return head;
}

// Lists one root.
class Lister {
 public:
  explicit Lister(const PreviousListing& known) : known_(known) {}

  Result<Listing> list(std::string root) {
    const std::string below = path_join(root, "sessions");
    if (known_.files.is_directory(below)) root = below;
    const auto entries = known_.files.list_directory(root);
    if (!entries) return entries.error();
    add_entries(root, *entries, kMaxDepth);
    return std::move(listing_);
  }

 private:
  void add_entries(const std::string& folder, const std::vector<DirEntry>& entries, int depth) {
    for (const DirEntry& entry : entries) {
      const std::string path = path_join(folder, entry.name);
      if (is_transcript(entry)) add(path);
      if (entry.type != FileType::directory || depth == 0) continue;
      const auto inner = known_.files.list_directory(path);
      if (inner) {
        add_entries(path, *inner, depth - 1);
      } else {
        listing_.problems.emplace_back(path, inner.error().message);
      }
    }
  }

  void add(const std::string& path) {
    const auto stamp = known_.files.stat(path);
    if (!stamp) return;  // gone since the folder was read
    const std::string_view stem = path_stem(path);
    const std::string prefix = std::string(kName) + ":";
    std::string id(id_in_name(stem));
    const SessionRef* before = known_.session(kName, path, *stamp);
    if (id.empty() && before != nullptr) id = before->id.substr(prefix.size());
    if (id.empty() || (before != nullptr && id == stem)) {
      Head head = read_head(path);
      if (head.type.empty()) return;
      // The first line may be damaged: then the name has to do.
      id = head.type == "session" && !head.id.empty() ? std::move(head.id) : std::string(stem);
    }
    SessionRef session;
    session.id = prefix + id;
    session.path = path;
    session.directory = path_basename(path_dirname(path));
    session.stamp = *stamp;
    listing_.sessions.push_back(std::move(session));
  }

  const PreviousListing& known_;
  Listing listing_;
};

Result<Listing> list_sessions(const Root& root, const PreviousListing& known) {
  return Lister(known).list(absolute_path(root.path));
}

Result<bool> is_resumable(const SessionRef& session, const Cursor& cursor) {
  return jsonl_resumable(session.path, cursor);
}

Result<ReadStep> read_session(const SessionRef& session, const Cursor& cursor,
                              const ReadLimits& limits, RecordSink& sink) {
  pi::EntryReader reader(session, sink);
  return read_jsonl(session.path, cursor, limits, sink,
                    [&reader](ondemand::object& object, const LineInfo& where) {
                      return reader.read(object, where);
                    });
}

std::vector<std::string> resume_command(std::string_view id) {
  if (!is_safe_id(id)) return {};
  return {"pi", "--session", std::string(id)};
}

// "/home/ann/app" is kept in "--home-ann-app--".
std::string directory_name(std::string_view cwd) {
  if (cwd.starts_with('/') || cwd.starts_with('\\')) cwd.remove_prefix(1);
  std::string name = "--" + std::string(cwd) + "--";
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '\\' || c == ':'; }, '-');
  return name;
}

}  // namespace

const Adapter kPi = {
    .name = kName,
    .display_name = "pi",
    .speaker = "pi",
    .roots = kRoots,
    .formats = "JSONL session versions 1 to 3",
    .sessions = list_sessions,
    .resumable = is_resumable,
    .read = read_session,
    .resume = resume_command,
    .directory_name = directory_name,
};

}  // namespace yore::transcript
