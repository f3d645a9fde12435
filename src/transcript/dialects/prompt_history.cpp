#include "transcript/dialects/prompt_history.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/null_sink.hpp"

namespace yore::transcript {
namespace {

constexpr std::uint64_t kMaxHistoryBytes = 64ULL << 20;
constexpr std::size_t kMaxSessions = 1'000'000;
constexpr std::size_t kMaxRowBytes = 400;  // ids and folders longer than that are none
constexpr std::string_view kFolderRow = "folder:";
constexpr std::string_view kSessionRow = "session:";

struct Prompt {
  std::string text;
  Time time = kNoTime;
};
struct Prompts {
  std::vector<Prompt> prompts;
  std::string folder;
  std::uint64_t hash = 0;
  std::uint64_t bytes = 0;
  Time last = kNoTime;
};
using History = std::map<std::string, Prompts, std::less<>>;  // by row

std::string row_of(const HistoryFormat& format, const HistoryLine& line) {
  const bool by_session = is_safe_id(line.session);
  if (!by_session && (format.id_of_folder == nullptr || line.folder.empty())) return "";
  const std::string& name = by_session ? line.session : line.folder;
  if (name.size() > kMaxRowBytes) return "";
  return std::string(by_session ? kSessionRow : kFolderRow) + name;
}

void take(History& history, std::string row, HistoryLine& line) {
  if (history.size() >= kMaxSessions && !history.contains(row)) return;
  Prompts& of = history[std::move(row)];
  of.hash = hash64(line.text, of.hash ^ static_cast<std::uint64_t>(to_ms(line.time)));
  of.bytes += line.text.size();
  of.last = std::max(of.last, line.time);
  if (!line.folder.empty()) of.folder = std::move(line.folder);
  of.prompts.push_back({std::move(line.text), line.time});
}

Result<History> read_history(const HistoryFormat& format, const std::string& path) {
  History history;
  NullSink sink;
  Cursor cursor;
  while (true) {
    auto step =
        read_jsonl(path, cursor, {}, sink, [&](simdjson::ondemand::object& object, const auto&) {
          HistoryLine line;
          if (!format.read_line(object, line)) return false;
          std::string row = row_of(format, line);
          if (!row.empty() && !text::is_blank(line.text)) take(history, std::move(row), line);
          return true;
        });
    if (!step) return step.error();
    cursor = std::move(step->cursor);
    if (!step->more) return history;
  }
}

// The last list that was read: its sessions are read one after the other.
Result<std::shared_ptr<const History>> loaded(const HistoryFormat& format,
                                              const std::string& path) {
  struct Last {
    std::mutex mutex;
    std::string path;
    FileStamp stamp;
    std::shared_ptr<const History> history;
  };
  static Last last;
  const auto stamp = stat_file(path);
  if (!stamp) return stamp.error();
  if (stamp->size_bytes > kMaxHistoryBytes) {
    return Error{Errc::unsupported, path + ": too large for a list of prompts"};
  }
  const std::lock_guard lock(last.mutex);
  if (last.history != nullptr && last.path == path && last.stamp == *stamp) return last.history;
  auto history = read_history(format, path);
  if (!history) return history.error();
  last.history = std::make_shared<const History>(std::move(*history));
  last.path = path;
  last.stamp = *stamp;
  return last.history;
}

Result<const Prompts*> prompts_of(const History& history, const SessionRef& session) {
  const auto found = history.find(session.row);
  if (found != history.end()) return &found->second;
  return Error{Errc::not_found, session.path + ": no prompts of " + session.id + " any more"};
}

}  // namespace

bool is_of_folder(const SessionRef& session) {
  return session.content == SessionContent::prompts && session.row.starts_with(kFolderRow);
}

void list_prompts(const HistoryFormat& format, const std::string& path,
                  const PreviousListing& known, Listing& listing) {
  const auto stamp = stat_file(path);
  if (!stamp || !is_regular_file(path)) return;
  if (known.unchanged(path, *stamp)) {
    listing.unchanged.push_back(path);
    return;
  }
  const auto history = loaded(format, path);
  if (!history) {
    listing.problems.emplace_back(path, history.error().message);
    return;
  }
  for (const auto& [row, prompts] : **history) {
    SessionRef session;
    const bool of_folder = row.starts_with(kFolderRow);
    const std::string_view name =
        std::string_view(row).substr(of_folder ? kFolderRow.size() : kSessionRow.size());
    session.id = of_folder ? format.id_of_folder(name) : format.id_of(name);
    session.content = SessionContent::prompts;
    session.path = path;
    session.row = row;
    session.cwd = prompts.folder;
    session.directory = format.directory_of(prompts.folder);
    session.stamp = {prompts.bytes, to_ms(prompts.last) * 1'000'000, 0};
    session.rank = -1;  // whatever else holds the session has more of it
    listing.sessions.push_back(std::move(session));
  }
  listing.containers.push_back({path, *stamp});
}

Result<bool> prompts_resumable(const HistoryFormat& format, const SessionRef& session,
                               const Cursor& cursor) {
  const auto history = loaded(format, session.path);
  if (!history) return history.error();
  const auto prompts = prompts_of(**history, session);
  return prompts && std::to_string((*prompts)->hash) == cursor;
}

Result<ReadStep> read_prompts(const HistoryFormat& format, const SessionRef& session,
                              const Cursor& cursor, RecordSink& sink) {
  const auto history = loaded(format, session.path);
  if (!history) return history.error();
  const auto prompts = prompts_of(**history, session);
  if (!prompts) return prompts.error();
  ReadStep step;
  step.cursor = std::to_string((*prompts)->hash);
  if (step.cursor == cursor) return step;
  std::map<std::int64_t, int> at_once;  // prompts of one time
  for (const Prompt& prompt : (*prompts)->prompts) {
    const std::int64_t ms = to_ms(prompt.time);
    const std::string key =
        session.id + "@" + std::to_string(ms) + "." + std::to_string(at_once[ms]++);
    Block block;
    block.text = prompt.text;
    Record record;
    // "/name args" starts no turn in a transcript either.
    record.kind = prompt.text.starts_with('/') ? RecordKind::command : RecordKind::prompt;
    record.blocks = {&block, 1};
    record.key = key;
    record.time = prompt.time;
    record.cwd = (*prompts)->folder;
    sink.record(record);
    step.bytes_read += prompt.text.size();
  }
  return step;
}

}  // namespace yore::transcript
