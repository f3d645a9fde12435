#include "corpus.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/files/file.hpp"
#include "base/time.hpp"
#include "generator.hpp"
#include "passages.hpp"
#include "store/store.hpp"

namespace yore::bench {
namespace {

constexpr std::uint64_t kRawBytesPerPassage = 10'240;

// The first plain word of 5 to 12 letters, or "".
std::string some_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end - at >= 5 && end - at <= 12) return std::string(text.substr(at, end - at));
    at = end + 1;
  }
  return "";
}

// When the last line of a transcript was written, by its own account.
Time last_said(const std::string& path) {
  constexpr std::string_view kField = "\"timestamp\":\"";
  constexpr std::size_t kTail = 256 << 10;
  const std::uint64_t size = must(stat_file(path)).size_bytes;
  const std::string tail =
      must(read_range(path, size - std::min<std::uint64_t>(size, kTail), kTail));
  const std::size_t at = tail.rfind(kField);
  if (at == std::string::npos) return kNoTime;
  const std::size_t from = at + kField.size();
  return parse_iso8601(std::string_view(tail).substr(from, tail.find('"', from) - from))
      .value_or(kNoTime);
}

void set_age(const std::string& path, Time time) {
  const std::int64_t ms = to_ms(time);
  const timespec stamp{ms / 1000, ms % 1000 * 1'000'000};
  const timespec times[2] = {stamp, stamp};
  if (::utimensat(AT_FDCWD, path.c_str(), times, 0) != 0) {
    give_up({Errc::io, "cannot set the time of " + path});
  }
}

// A home has grown over months: each session, and what lies in its folder, is as old as what was
// said last in it.
void let_age(const Place& place) {
  for (const std::string& path : session_files(place, false)) {
    const Time time = last_said(path);
    if (time == kNoTime) continue;
    set_age(path, time);
    const std::string folder = path.substr(0, path.size() - std::string_view(".jsonl").size());
    if (!is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      set_age(entry.path().string(), time);
    }
    set_age(folder, time);
  }
}

}  // namespace

std::uint64_t write_corpus(const Place& place, std::uint64_t passages) {
  if (!std::filesystem::is_empty(place.projects())) return tree_bytes(place.projects());
  generator::GeneratorOptions options;
  options.target_bytes = passages * kRawBytesPerPassage;
  options.agents = generator::AgentMix::claude_code;
  const std::uint64_t bytes = must(generator::generate(place.base(), options)).bytes;
  let_age(place);
  return bytes;
}

std::vector<std::string> session_files(const Place& place, bool subagents) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(place.projects())) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".jsonl")) continue;
    if (subagents || path.find("/subagents/") == std::string::npos) files.push_back(path);
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> words_said(const Place& place, std::size_t count) {
  auto store = must(store::Store::open_existing(place.data_dir()));
  std::vector<std::string> words;
  std::set<std::string> seen;
  must(each_passage(store, [&](std::int64_t, const turns::Passage& passage) {
    if (!is_conversation(passage.surface)) return;
    std::string word = some_word(passage.text);
    if (!word.empty() && seen.insert(word).second) words.push_back(std::move(word));
  }));
  std::vector<std::string> spread;
  for (std::size_t i = 0; i < count && !words.empty(); ++i) {
    spread.push_back(words[i * words.size() / count]);
  }
  return spread;
}

}  // namespace yore::bench
