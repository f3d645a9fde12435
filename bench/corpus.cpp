#include "corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

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

}  // namespace

std::uint64_t write_corpus(const Place& place, std::uint64_t passages) {
  if (!std::filesystem::is_empty(place.projects())) return tree_bytes(place.projects());
  generator::GeneratorOptions options;
  options.target_bytes = passages * kRawBytesPerPassage;
  options.agents = generator::AgentMix::claude_code;
  return must(generator::generate(place.base(), options)).bytes;
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
