#include "store/recall_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "base/files/file.hpp"
#include "base/files/file_lock.hpp"
#include "base/posix.hpp"

namespace yore::store {
namespace {

constexpr std::size_t kMostLogBytes = 1 << 20;

std::string lock_path_of_recalls(const std::string& data_dir) {
  return path_join(keep_directory(data_dir), "recalls.lock");
}

std::string log_path(const std::string& data_dir) {
  return path_join(keep_directory(data_dir), "recalls");
}
std::string off_path(const std::string& data_dir) {
  return path_join(keep_directory(data_dir), "recall_off");
}

// Fields are apart by tabs, lines by newlines; neither may stand in a field.
std::string as_field(std::string_view text) {
  std::string field(text);
  std::ranges::replace_if(
      field, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return field;
}

std::vector<std::string_view> parts_of(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <typename Number>
Number number_of(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string line_of(const RecallEntry& entry) {
  std::string line = std::to_string(to_ms(entry.time));
  for (const std::string* text : {&entry.agent, &entry.event, &entry.session, &entry.folder}) {
    line += "\t" + as_field(*text);
  }
  line += "\t" + std::to_string(entry.bytes) + "\t" + std::to_string(entry.percent);
  for (const RemindedTurn& turn : entry.turns) {
    line += "\t" + as_field(turn.session) + " " + std::to_string(turn.number) + " " + turn.chunk;
  }
  return line + "\n";
}

// time, agent, event, session, folder, bytes, percent, then a turn each.
constexpr std::size_t kFields = 7;

bool read_line(std::string_view line, RecallEntry& entry) {
  const auto fields = parts_of(line, '\t');
  if (fields.size() < kFields) return false;
  entry.time = from_ms(number_of<std::int64_t>(fields[0]));
  entry.agent = fields[1];
  entry.event = fields[2];
  entry.session = fields[3];
  entry.folder = fields[4];
  entry.bytes = number_of<std::uint32_t>(fields[5]);
  entry.percent = number_of<std::uint32_t>(fields[6]);
  for (std::size_t i = kFields; i < fields.size(); ++i) {
    const auto words = parts_of(fields[i], ' ');
    if (words.size() != 3) continue;
    entry.turns.push_back(
        {std::string(words[0]), number_of<std::uint32_t>(words[1]), std::string(words[2])});
  }
  return true;
}

}  // namespace

Status append_recall(const std::string& data_dir, const RecallEntry& entry) {
  const std::string path = log_path(data_dir);
  if (Status made = make_directories(keep_directory(data_dir)); !made) return made;
  const auto alone = FileLock::wait(lock_path_of_recalls(data_dir), {});
  if (!alone) return alone.error();
  if (const auto info = stat_file(path); info && info->size_bytes > kMostLogBytes) {
    const auto text = read_file(path);
    if (!text) return text.error();
    const std::size_t half = text->find('\n', text->size() / 2);
    const std::string rest = half == std::string::npos ? "" : text->substr(half + 1);
    if (Status cut = write_file_atomically(path, rest); !cut) return cut;
  }
  const Descriptor file{open_retrying(path, O_WRONLY | O_APPEND | O_CREAT, 0600)};
  if (file.get() < 0) return system_error(errno, "open", path);
  const std::string line = line_of(entry);
  const ssize_t written = restarted([&] { return ::write(file.get(), line.data(), line.size()); });
  if (written == static_cast<ssize_t>(line.size())) return {};
  const Error failed = system_error(written < 0 ? errno : ENOSPC, "write", path);
  // Half a line would swallow the next one.
  const off_t end = ::lseek(file.get(), 0, SEEK_END);
  if (written > 0 && end >= written) {
    [[maybe_unused]] const int cut = ::ftruncate(file.get(), end - written);
  }
  return failed;
}

std::vector<RecallEntry> load_recalls(const std::string& data_dir) {
  std::vector<RecallEntry> entries;
  const auto text = read_file(log_path(data_dir));
  if (!text) return entries;
  for (const std::string_view line : parts_of(*text, '\n')) {
    RecallEntry entry;
    if (read_line(line, entry)) entries.push_back(std::move(entry));
  }
  return entries;
}

Status forget_recalls(const std::string& data_dir, const Tombstones& forgotten,
                      const FileSystem& files) {
  if (!is_regular_file(log_path(data_dir))) return {};
  const auto alone = FileLock::wait(lock_path_of_recalls(data_dir), {});
  if (!alone) return alone.error();
  const std::vector<RecallEntry> all = load_recalls(data_dir);
  std::string kept;
  std::size_t count = 0;
  for (const RecallEntry& entry : all) {
    const bool gone = forgotten.has_session(entry.session) ||
                      forgotten.has_session(entry.agent + ":" + entry.session) ||
                      std::ranges::any_of(entry.turns, [&](const RemindedTurn& turn) {
                        return forgotten.has_session(turn.session);
                      });
    if (gone) continue;
    kept += line_of(entry);
    ++count;
  }
  return count == all.size() ? Status{} : files.write_file_atomically(log_path(data_dir), kept);
}

bool recall_is_off(const std::string& data_dir, std::string_view folder) {
  const auto text = read_file(off_path(data_dir));
  if (!text) return false;
  for (const std::string_view line : parts_of(*text, '\n')) {
    if (line.empty() || !folder.starts_with(line)) continue;
    if (folder.size() == line.size() || line == "/" || folder[line.size()] == '/') return true;
  }
  return false;
}

Status switch_recall(const std::string& data_dir, const std::string& folder, bool on,
                     const FileSystem& files) {
  if (Status made = make_directories(keep_directory(data_dir)); !made) return made;
  const std::string path = off_path(data_dir);
  const auto text = read_file(path);
  std::string kept;
  for (const std::string_view line : parts_of(text ? *text : std::string(), '\n')) {
    if (!line.empty() && line != folder) kept += std::string(line) + "\n";
  }
  if (!on) kept += as_field(folder) + "\n";
  if (kept.empty()) return files.remove_file(path);
  return files.write_file_atomically(path, kept);
}

}  // namespace yore::store
