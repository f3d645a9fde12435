#include "transcript/agents/claude_code/memories.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/agents/claude_code/paths.hpp"
#include "transcript/input/json_values.hpp"

namespace yore::transcript::claude_code {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kMaxNoteBytes = 4 << 20;
constexpr std::array<std::string_view, 3> kRecallEndings = {".md", ".txt", ".json"};

// {"1":{"id":1,"type":"text","content":"…"}}; newer versions keep long ones elsewhere.
bool read_pasted(ondemand::value json, std::string& text) {
  return each_field(json, [&](std::string_view, ondemand::value pasted) {
    return each_field(pasted, [&](std::string_view key, ondemand::value inner) {
      std::string_view content;
      if (key != "content") return true;
      if (!get_text(inner, content)) return false;
      if (!content.empty()) text.append("\n").append(content);
      return true;
    });
  });
}

bool read_history_line(ondemand::object& object, HistoryLine& line) {
  std::string_view display;
  std::string_view session;
  std::string_view folder;
  std::string pasted;
  const bool fine = each_field(object, [&](std::string_view key, ondemand::value value) {
    if (key == "display") return get_text(value, display);
    if (key == "sessionId") return get_text(value, session);
    if (key == "project") return get_text(value, folder);
    if (key == "timestamp") return get_time(value, line.time);
    if (key == "pastedContents") return read_pasted(value, pasted);
    return true;
  });
  if (!fine) return false;
  line.session = session;
  line.folder = folder;
  line.text = std::string(text::trim(display)) + pasted;
  return true;
}

std::string own_id(std::string_view session) {
  return std::string(session);
}

std::string id_of_folder(std::string_view folder) {
  return "claude-code:prompts:" + directory_name(folder);
}

bool is_note(const DirEntry& entry, std::span<const std::string_view> endings) {
  return entry.type == FileType::regular && std::ranges::any_of(endings, [&](std::string_view end) {
           return entry.name.ends_with(end) && entry.name.size() > end.size();
         });
}

void add_note(SessionRef session, const PreviousListing& known, Listing& listing) {
  const auto stamp = known.files.stat(session.path);
  if (!stamp || stamp->size_bytes > kMaxNoteBytes) return;
  session.stamp = *stamp;
  session.content = SessionContent::note;
  listing.sessions.push_back(std::move(session));
}

Result<std::string> text_of(const SessionRef& session) {
  auto text = read_file(session.path, kMaxNoteBytes);
  if (!text) return text.error();
  return text::valid_utf8(*text);
}

}  // namespace

const HistoryFormat kHistory = {read_history_line, own_id, id_of_folder, directory_name};

void list_memory(const Member& member, const std::string& folder, const std::string& cwd,
                 const PreviousListing& known, Listing& listing) {
  constexpr std::array<std::string_view, 1> kMarkdown = {".md"};
  const std::string memory = path_join(folder, "memory");
  const auto entries = known.files.list_directory(memory);
  if (!entries) return;
  for (const DirEntry& entry : *entries) {
    if (!is_note(entry, kMarkdown)) continue;
    SessionRef session;
    session.directory = path_basename(folder);
    session.id = std::string(member.name) + ":memory:" + session.directory;
    if (entry.name != "MEMORY.md") session.id += ":" + std::string(path_stem(entry.name));
    session.path = path_join(memory, entry.name);
    session.cwd = cwd;
    session.title = "memory/" + entry.name;
    add_note(std::move(session), known, listing);
  }
}

void list_home(const Member& member, const std::string& home, const PreviousListing& known,
               Listing& listing) {
  if (member.prefix.empty())
    list_prompts(kHistory, path_join(home, "history.jsonl"), known, listing);
  const std::string recalls = path_join(home, "recalls");
  if (!known.files.is_directory(recalls)) return;
  const auto entries = known.files.list_directory(recalls);
  if (!entries) return;
  for (const DirEntry& entry : *entries) {
    if (!is_note(entry, kRecallEndings)) continue;
    SessionRef session;
    session.id = std::string(member.name) + ":recall:" + entry.name;
    session.path = path_join(recalls, entry.name);
    session.directory = "recalls";
    session.project = "recalls";
    session.title = "recalls/" + entry.name;
    add_note(std::move(session), known, listing);
  }
}

Result<bool> note_resumable(const SessionRef& session, const Cursor& cursor) {
  const auto text = text_of(session);
  if (!text) return text.error();
  return cursor == std::to_string(hash64(*text));
}

Result<ReadStep> read_note(const SessionRef& session, const Cursor& cursor, RecordSink& sink) {
  const auto text = text_of(session);
  if (!text) return text.error();
  ReadStep step;
  step.cursor = std::to_string(hash64(*text));
  if (step.cursor == cursor) return step;
  step.bytes_read = text->size();
  if (text::is_blank(*text)) return step;
  Block block;
  block.text = *text;
  Record record;
  record.kind = RecordKind::memory;
  record.blocks = {&block, 1};
  record.key = session.id;
  record.time = from_ms(session.stamp.mtime_ns / 1'000'000);
  record.line = 1;
  sink.record(record);
  return step;
}

}  // namespace yore::transcript::claude_code
