// mcp.cpp — what does an MCP server cost, and how soon does it answer?
//
// A home with about 2,000 session files and 200,000 passages, indexed before:
//
//   first answer     from exec to the answer of server/discover and of initialize
//   search           one search_conversations through the pipe, ten hits
//   append to found  a line is appended to a transcript; asked again and again until it is found
//   idle             CPU time of a server that keeps, while nothing happens
//   memory           proportional set size of 1, 5 and 20 servers, each after some searches
//
//   bench_mcp --yore build/release/apps/yore [--passages 200000] [--idle 60] [--keep DIR]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/files/file.hpp"
#include "child.hpp"
#include "corpus.hpp"
#include "mcp_pipe.hpp"
#include "place.hpp"
#include "service/keeper.hpp"
#include "statistics.hpp"

namespace yore::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kStarts = 50;
constexpr std::size_t kSearches = 200;
constexpr int kAppends = 50;
constexpr std::chrono::seconds kGiveUp{30};

struct Options {
  std::string yore;
  std::string keep;
  std::uint64_t passages = 200'000;
  int idle_seconds = 60;
};

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void print_row(std::string_view what, const std::vector<double>& ms) {
  fmt::print("  {:<34} {:>8.2f} {:>8.2f} {:>8.2f}\n", what, percentile(ms, 0.5),
             percentile(ms, 0.99), percentile(ms, 1.0));
}

void wait_for_keeper(const Place& place) {
  const auto end = Clock::now() + kGiveUp;
  while (Clock::now() < end) {
    const auto report = service::read_keeper_report(place.data_dir());
    if (report && !report->building && report->watched > 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  give_up({Errc::io, "nobody keeps the index"});
}

void first_answers(const Place& place, const Options& options) {
  for (const auto& [name, line] : {std::pair{"exec to server/discover", kDiscover},
                                   std::pair{"exec to initialize", kInitialize}}) {
    std::vector<double> ms;
    for (int i = 0; i < kStarts; ++i) {
      const auto start = Clock::now();
      McpPipe server(options.yore, place.environment());
      server.ask(line);
      ms.push_back(ms_since(start));
    }
    print_row(name, ms);
  }
}

void searches(McpPipe& server, const std::vector<std::string>& words) {
  std::vector<double> ms;
  std::size_t found = 0;
  for (const std::string& word : words) {
    const auto start = Clock::now();
    const std::string answer = server.search(word);
    ms.push_back(ms_since(start));
    found += answer.find(R"(\"session_id\")") != std::string::npos ? 1 : 0;
  }
  print_row("search through the pipe", ms);
  if (found * 2 < words.size()) give_up({Errc::io, "most searches found nothing"});
}

std::string new_line(const std::string& path, const std::string& word) {
  const nlohmann::ordered_json line = {
      {"parentUuid", nullptr},
      {"isSidechain", false},
      {"cwd", "/home/ann/project"},
      {"sessionId", path_stem(path)},
      {"type", "user"},
      {"message", {{"role", "user"}, {"content", "please note the word " + word}}},
      {"uuid", "line-" + word},
      {"timestamp", "2026-06-01T10:00:00.000Z"}};
  return line.dump() + "\n";
}

void appends(const Place& place, McpPipe& server) {
  const std::vector<std::string> files = session_files(place, false);
  const auto run = static_cast<std::uint64_t>(
      std::chrono::system_clock::now().time_since_epoch().count() / 1'000'000);
  std::vector<double> ms;
  for (int i = 0; i < kAppends; ++i) {
    const std::string& path = files[static_cast<std::size_t>(i) * 7 % files.size()];
    std::string word = "qz";
    for (auto n = run * 1000 + static_cast<std::uint64_t>(i); n > 0; n /= 26) {
      word += static_cast<char>('a' + n % 26);
    }
    const std::string line = new_line(path, word);
    const auto start = Clock::now();
    std::ofstream(path, std::ios::binary | std::ios::app) << line;
    while (server.search(word).find("note the word") == std::string::npos) {
      if (Clock::now() - start > kGiveUp) give_up({Errc::io, word + " is never found"});
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    ms.push_back(ms_since(start));
    std::this_thread::sleep_for(std::chrono::milliseconds{200});  // as people write
  }
  print_row("append to found", ms);
}

void memory(const Place& place, const Options& options, const std::vector<std::string>& words) {
  std::vector<std::unique_ptr<McpPipe>> servers;
  fmt::print("  {:<34} {:>8} {:>8}\n", "", "PSS MB", "each");
  for (const std::size_t count : {1, 5, 20}) {
    while (servers.size() < count) {
      servers.push_back(std::make_unique<McpPipe>(options.yore, place.environment()));
      servers.back()->ask(kInitialize);
      for (std::size_t i = 0; i < 10; ++i) servers.back()->search(words[i]);
    }
    double sum = 0;
    for (const auto& server : servers) sum += server->proportional_mb();
    fmt::print("  {:<34} {:>8.1f} {:>8.1f}\n", fmt::format("servers: {}", count), sum,
               sum / static_cast<double>(count));
  }
}

int run(const Options& options) {
  const Place place(options.keep);
  write_corpus(place, options.passages);
  if (run_program({options.yore, "index", "--quiet", "--no-embed"}, place.environment())
          .exit_code != 0) {
    give_up({Errc::io, options.yore + " index failed"});
  }
  const std::vector<std::string> words = words_said(place, kSearches);
  fmt::print("{} session files\n  {:<34} {:>8} {:>8} {:>8}\n", session_files(place, true).size(),
             "ms", "p50", "p99", "most");
  first_answers(place, options);
  {
    McpPipe server(options.yore, place.environment());
    server.ask(kInitialize);
    wait_for_keeper(place);
    searches(server, words);
    appends(place, server);
  }
  memory(place, options, words);
  McpPipe server(options.yore, place.environment());
  server.ask(kInitialize);
  wait_for_keeper(place);
  std::this_thread::sleep_for(std::chrono::seconds{5});  // what a start leaves to merge
  const double before = server.cpu_seconds();
  std::this_thread::sleep_for(std::chrono::seconds{options.idle_seconds});
  fmt::print("idle for {} s: {:.0f} ms CPU\n", options.idle_seconds,
             (server.cpu_seconds() - before) * 1e3);
  return 0;
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  yore::bench::Options options;
  CLI::App app("What does an MCP server cost, and how soon does it answer?");
  app.add_option("--yore", options.yore, "The program, as people run it")->required();
  app.add_option("--passages", options.passages, "About so many")->capture_default_str();
  app.add_option("--idle", options.idle_seconds, "Seconds to do nothing")->capture_default_str();
  app.add_option("--keep", options.keep, "Use and keep this folder");
  CLI11_PARSE(app, argc, argv);
  options.yore = yore::absolute_path(options.yore);
  return yore::bench::run(options);
}
