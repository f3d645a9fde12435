// cold.cpp — what does one `yore search` cost from start to end?
//
// A home with about 2,000 session files and 200,000 passages, indexed before; then fresh processes
// that each search for another word, freshness check included. Beside it /bin/true: what any
// process costs.
//
//   bench_cold --yore build/release/apps/yore [--runs 50] [--passages 200000] [--keep DIR]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "child.hpp"
#include "corpus.hpp"
#include "passages.hpp"
#include "place.hpp"
#include "statistics.hpp"
#include "store/store.hpp"

namespace yore::bench {
namespace {

constexpr int kTracedRuns = 5;

struct Options {
  std::string yore;
  std::string keep;
  int runs = 50;
  std::uint64_t passages = 200'000;
};

struct Row {
  std::vector<double> cpu_ms;
  std::vector<double> wall_ms;
  Memory peak;
};

void print_row(const char* what, const Row& row) {
  fmt::print("  {:<22} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>9.1f} {:>9.1f}\n", what,
             percentile(row.cpu_ms, 0.5), percentile(row.cpu_ms, 0.99),
             percentile(row.wall_ms, 0.5), percentile(row.wall_ms, 0.99), row.peak.resident_mb,
             row.peak.anonymous_mb);
}

// One process per line of `commands`; each must find something.
Row measure(const std::vector<std::vector<std::string>>& commands,
            const std::vector<std::string>& env) {
  Row row;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const Ended ended = run_program(commands[i], env);
    if (ended.exit_code != 0) {
      give_up({Errc::io, fmt::format("{} ended with {}", commands[i].back(), ended.exit_code)});
    }
    row.cpu_ms.push_back(ended.cpu_seconds * 1e3);
    row.wall_ms.push_back(ended.wall_seconds * 1e3);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(kTracedRuns, commands.size()); ++i) {
    const Memory peak = peak_memory(commands[i], env);
    row.peak.anonymous_mb = std::max(row.peak.anonymous_mb, peak.anonymous_mb);
    row.peak.resident_mb = std::max(row.peak.resident_mb, peak.resident_mb);
  }
  return row;
}

int run(const Options& options) {
  const Place place(options.keep);
  write_corpus(place, options.passages);
  // Through the program itself: a first search indexes what is there.
  const std::vector<std::string> index = {options.yore, "index", "--quiet", "--no-embed"};
  if (run_program(index, place.environment()).exit_code != 0) {
    give_up({Errc::io, options.yore + " index failed"});
  }
  auto store = must(store::Store::open_existing(place.data_dir()));
  std::uint64_t searched = 0;
  must(each_passage(store, [&](std::int64_t, const turns::Passage&) { ++searched; }));
  fmt::print("{} session files, {} passages, index and store {:.0f} MB\n",
             session_files(place, true).size(), searched,
             static_cast<double>(tree_bytes(place.data_dir())) / 1e6);

  std::vector<std::vector<std::string>> searches;
  std::vector<std::vector<std::string>> nothing;
  for (const std::string& word : words_said(place, static_cast<std::size_t>(options.runs))) {
    searches.push_back({options.yore, "search", "--mode", "keyword", word});
    nothing.push_back({"/bin/true"});
  }
  const std::vector<std::string> first = searches.front();
  run_program(first, place.environment());  // what the first search after an index run has to do

  fmt::print("  {:<22} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9}\n", "", "cpu p50", "cpu p99", "wall p50",
             "wall p99", "RSS MB", "anon MB");
  print_row("/bin/true", measure(nothing, place.environment()));
  print_row("yore search WORD", measure(searches, place.environment()));
  for (auto& command : searches) command.insert(command.begin() + 2, "--no-refresh");
  print_row("… without freshness", measure(searches, place.environment()));
  return 0;
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  yore::bench::Options options;
  CLI::App app("What does one `yore search` cost from start to end?");
  app.add_option("--yore", options.yore, "The program, as people run it")->required();
  app.add_option("--runs", options.runs, "Processes to measure")->capture_default_str();
  app.add_option("--passages", options.passages, "About so many")->capture_default_str();
  app.add_option("--keep", options.keep, "Use and keep this folder");
  CLI11_PARSE(app, argc, argv);
  options.yore = yore::absolute_path(options.yore);
  return yore::bench::run(options);
}
