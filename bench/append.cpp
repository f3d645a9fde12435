// append.cpp — how soon is a new line of a transcript found by another process?
//
// A home with about 2,000 session files, indexed before. A line with a word nobody has used is
// appended to one of them, then fresh `yore search WORD` processes run until one finds it: the time
// from before the write until that process has ended. Then the same while another process merges
// segments.
//
//   bench_append --yore build/release/apps/yore [--rounds 100] [--passages 200000] [--keep DIR]
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "base/time.hpp"
#include "child.hpp"
#include "corpus.hpp"
#include "derive/keyword_index.hpp"
#include "lexical/format/snapshot.hpp"
#include "place.hpp"
#include "statistics.hpp"
#include "store/lock.hpp"
#include "store/store.hpp"

namespace yore::bench {
namespace {

constexpr double kGiveUpSeconds = 30;
constexpr int kMostMerges = 20;

struct Options {
  std::string yore;
  std::string keep;
  std::size_t rounds = 100;
  std::uint64_t passages = 200'000;
};

// A word of its own for every round of every run.
std::string new_word(std::uint64_t number) {
  std::string word = "zq";
  for (int i = 0; i < 12; ++i, number /= 26) word += static_cast<char>('a' + number % 26);
  return word;
}

// The last record's uuid: what a new line answers.
std::string last_key(const std::string& path) {
  constexpr std::string_view kName = "\"uuid\":\"";
  const std::string text = must(read_file(path));
  const std::size_t at = text.rfind(kName);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + kName.size();
  return text.substr(begin, text.find('"', begin) - begin);
}

// A line as Claude Code would write it: a prompt, which opens a turn, or more of the answer.
std::string new_line(const std::string& path, bool prompt, const std::string& word) {
  const std::string text = "please note the word " + word + " for later";
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  nlohmann::ordered_json line = {
      {"parentUuid", last_key(path)},    {"isSidechain", false}, {"cwd", "/home/ann/project"},
      {"sessionId", path_stem(path)},    {"version", "2.1.55"},  {"uuid", "line-" + word},
      {"timestamp", format_iso8601(now)}};
  if (prompt) {
    line["type"] = "user";
    line["message"] = {{"role", "user"}, {"content", text}};
  } else {
    line["type"] = "assistant";
    line["message"] = {{"role", "assistant"},
                       {"id", "msg-" + word},
                       {"type", "message"},
                       {"model", "claude-sonnet-4-5"},
                       {"content", {{{"type", "text"}, {"text", text}}}}};
  }
  return line.dump() + "\n";
}

struct Rounds {
  std::vector<double> ms;
  std::vector<double> cpu_ms;  // of the process that found it
  int searches = 0;            // processes until all were found
};

void append_and_find(const Options& options, const Place& place, const std::string& path,
                     bool prompt, Rounds& rounds) {
  static std::uint64_t count = static_cast<std::uint64_t>(::time(nullptr)) * 1000;
  const std::string word = new_word(++count);
  const std::string line = new_line(path, prompt, word);
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) give_up({Errc::io, "cannot append to " + path});
  const auto start = std::chrono::steady_clock::now();
  std::fwrite(line.data(), 1, line.size(), file);
  std::fclose(file);
  while (true) {
    const Ended ended =
        run_program({options.yore, "search", "--mode", "keyword", word}, place.environment());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ++rounds.searches;
    if (ended.exit_code == 0) {
      rounds.ms.push_back(took.count() * 1e3);
      rounds.cpu_ms.push_back(ended.cpu_seconds * 1e3);
      return;
    }
    if (took.count() > kGiveUpSeconds) give_up({Errc::io, word + " is not found"});
  }
}

void print_rounds(const char* what, const Rounds& rounds) {
  if (rounds.ms.empty()) return;
  fmt::print("  {:<26} {:>7} {:>9} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f}\n", what, rounds.ms.size(),
             rounds.searches, percentile(rounds.ms, 0.5), percentile(rounds.ms, 0.99),
             percentile(rounds.ms, 1), percentile(rounds.cpu_ms, 0.5));
}

// A process that merges the index down to one segment per family, as often as it takes.
pid_t start_merging(const Place& place) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  lexical::WriterLimits limits;
  limits.tier_width = 2;
  limits.max_merge_bytes = UINT64_MAX;
  const std::atomic<bool> cancel{false};
  const Status merged =
      derive::merge_keywords(place.data_dir(), UINT64_MAX, cancel, {.limits = limits});
  ::_exit(merged ? 0 : 1);
}

std::size_t count_segments(const Place& place) {
  const auto snapshot = must(lexical::Snapshot::open(derive::keyword_directory(place.data_dir())));
  return snapshot->segments(lexical::Family::conversation).size() +
         snapshot->segments(lexical::Family::detail).size();
}

// Builds the index anew and leaves its many segments as they are, so that there is something to
// merge.
void rebuild(const Place& place) {
  const auto lock = must(store::WriterLock::try_acquire(place.data_dir()));
  auto store = must(store::Store::open_existing(place.data_dir()));
  const std::atomic<bool> cancel{false};
  remove_tree(derive::keyword_directory(place.data_dir()));
  must(derive::update_keywords(store, place.data_dir(), {}, cancel));
}

int run(const Options& options) {
  const Place place(options.keep);
  write_corpus(place, options.passages);
  const std::vector<std::string> files = session_files(place, false);
  const Ended indexed =
      run_program({options.yore, "index", "--quiet", "--no-embed"}, place.environment());
  if (indexed.exit_code != 0) give_up({Errc::io, options.yore + " index failed"});
  fmt::print("{} session files, {} segments\n", session_files(place, true).size(),
             count_segments(place));

  std::size_t next = 0;
  const auto next_file = [&]() -> const std::string& {
    next = (next + 787) % files.size();
    return files[next];
  };
  Rounds quiet;
  for (std::size_t i = 0; i < options.rounds; ++i) {
    append_and_find(options, place, next_file(), i % 2 == 0, quiet);
  }
  Rounds merging;
  int merges = 0;
  std::size_t segments = 0;
  while (merging.ms.size() < options.rounds && merges < kMostMerges) {
    rebuild(place);
    segments = std::max(segments, count_segments(place));
    const pid_t child = start_merging(place);
    ++merges;
    for (int status = 0; ::waitpid(child, &status, WNOHANG) == 0;) {
      append_and_find(options, place, next_file(), merging.ms.size() % 2 == 0, merging);
    }
  }
  fmt::print("  {:<26} {:>7} {:>9} {:>8} {:>8} {:>8} {:>8}\n", "ms until found", "rounds",
             "processes", "p50", "p99", "longest", "cpu p50");
  print_rounds("nobody else", quiet);
  print_rounds("while segments are merged", merging);
  fmt::print("  merged {} times, from {} segments to {}\n", merges, segments,
             count_segments(place));
  return 0;
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  yore::bench::Options options;
  CLI::App app("How soon is a new line of a transcript found by another process?");
  app.add_option("--yore", options.yore, "The program, as people run it")->required();
  app.add_option("--rounds", options.rounds, "Lines to append")->capture_default_str();
  app.add_option("--passages", options.passages, "About so many")->capture_default_str();
  app.add_option("--keep", options.keep, "Use and keep this folder");
  CLI11_PARSE(app, argc, argv);
  options.yore = yore::absolute_path(options.yore);
  return yore::bench::run(options);
}
