// ingest.cpp — how fast do transcripts become turns in the store, against parsing alone?
//
// Baseline in the same run over the same bytes: simdjson on-demand, line by line, every top-level
// field visited, nothing unescaped and nothing kept: the least that reading can cost. Rates are per
// CPU second, so they compare per thread whatever the number of cores; the wall rate stands beside
// them.
//
//   bench_ingest [--mb 1000] [--keep DIR] [--real DIR]...
#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "generator.hpp"
#include "ingest/indexer.hpp"
#include "measured.hpp"
#include "store/pack.hpp"
#include "transcript/registry.hpp"
#include "turns/session_builder.hpp"

namespace yore::bench {
namespace {

constexpr int kRounds = 3;
constexpr int kSmallFiles = 2000;

std::vector<transcript::SessionRef> sessions_in(const std::string& root) {
  const auto* adapter = transcript::built_in_agents()->find("claude-code");
  auto listing = adapter->sessions({root, true}, {});
  return listing ? std::move(listing->sessions) : std::vector<transcript::SessionRef>{};
}

// Calls `parse(line, size, room)` for every line of every file; returns the bytes seen. `room`
// counts what may be read behind the line's start, as simdjson wants it.
template <typename Parse>
std::uint64_t each_line(const std::vector<transcript::SessionRef>& sessions, Parse parse) {
  std::uint64_t bytes = 0;
  for (const auto& session : sessions) {
    auto text = read_file(session.path);
    if (!text) continue;
    bytes += text->size();
    text->reserve(text->size() + simdjson::SIMDJSON_PADDING);
    const char* at = text->data();
    const char* const end = at + text->size();
    while (at < end) {
      const auto left = static_cast<std::size_t>(end - at);
      const void* newline = std::memchr(at, '\n', left);
      const char* stop = newline == nullptr ? end : static_cast<const char*>(newline);
      parse(at, static_cast<std::size_t>(stop - at), left + simdjson::SIMDJSON_PADDING);
      at = stop + 1;
    }
  }
  return bytes;
}

std::uint64_t parse_on_demand(const std::vector<transcript::SessionRef>& sessions) {
  simdjson::ondemand::parser parser;
  std::uint64_t fields = 0;
  const std::uint64_t bytes =
      each_line(sessions, [&](const char* line, std::size_t size, std::size_t room) {
        simdjson::ondemand::document document;
        simdjson::ondemand::object object;
        if (parser.iterate(line, size, room).get(document) != simdjson::SUCCESS) return;
        if (document.get_object().get(object) != simdjson::SUCCESS) return;
        for (auto field : object) fields += field.error() == simdjson::SUCCESS ? 1U : 0U;
      });
  return fields > 0 ? bytes : 0;
}

// Every value parsed and kept, as a program that wants the whole document would.
std::uint64_t parse_dom(const std::vector<transcript::SessionRef>& sessions) {
  simdjson::dom::parser parser;
  std::uint64_t good = 0;
  const std::uint64_t bytes = each_line(sessions, [&](const char* line, std::size_t size, auto) {
    good += parser.parse(line, size, false).error() == simdjson::SUCCESS ? 1U : 0U;
  });
  return good > 0 ? bytes : 0;
}

// The reading path up to a stage: records only, turns and passages, or packed too.
enum class Stage : std::uint8_t { records, passages, packs };

class NullSink final : public transcript::RecordSink {
 public:
  void record(const transcript::Record&) override {}
  void problem(transcript::ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}
};

std::uint64_t read_to(Stage stage, const std::vector<transcript::SessionRef>& sessions) {
  const auto* adapter = transcript::built_in_agents()->find("claude-code");
  store::PackEncoder encoder;
  NullSink nowhere;
  std::uint64_t bytes = 0;
  for (const auto& session : sessions) {
    turns::SessionBuilder builder;
    transcript::Cursor cursor;
    bool more = true;
    while (more) {
      transcript::RecordSink& sink =
          stage == Stage::records ? static_cast<transcript::RecordSink&>(nowhere) : builder;
      auto step = adapter->read(session, cursor, {8ULL << 20}, sink);
      if (!step) break;
      bytes += step->bytes_read;
      cursor = step->cursor;
      more = step->more;
      const turns::Delta delta = builder.take();
      if (stage == Stage::packs && encoder.encode(delta.sealed).size() > bytes) return 0;
    }
  }
  return bytes;
}

struct Machine {
  config::World world;
  config::Settings settings;
};

Machine machine_for(const std::string& root, const std::string& data_dir) {
  Machine machine;
  machine.world = config::real_world();
  machine.world.env = [](std::string_view name) -> std::optional<std::string> {
    if (name == "HOME") return "/nonexistent";
    return std::nullopt;
  };
  machine.settings.data_dir = data_dir;
  machine.settings.sources = {"claude-code:" + root};
  return machine;
}

std::uint64_t run_index(const std::string& root, const std::string& data_dir, int threads) {
  const Machine machine = machine_for(root, data_dir);
  ingest::IndexOptions options;
  options.threads = threads;
  const std::atomic<bool> cancel{false};
  const auto report = ingest::run_index(machine.world, machine.settings, options, {}, cancel);
  if (!report) fmt::print(stderr, "{}\n", report.error().message);
  return report ? report->bytes_read : 0;
}

void remove_tree(const std::string& path) {
  const std::string command = "rm -rf '" + path + "'";
  if (std::system(command.c_str()) != 0) fmt::print(stderr, "cannot remove {}\n", path);
}

void print_row(std::string_view what, const Cost& cost, double mb, double raw_rate) {
  if (!cost.ok) {
    fmt::print("  {:<34} failed\n", what);
    return;
  }
  const double rate = mb / cost.cpu_seconds;
  fmt::print("  {:<34} {:>8.0f} {:>10.0f} {:>7.2f} {:>9.0f}\n", what, rate, mb / cost.wall_seconds,
             raw_rate > 0 ? rate / raw_rate : 1.0, cost.peak_rss_mb);
}

void bench_corpus(std::string_view name, const std::string& root, const std::string& scratch) {
  const auto sessions = sessions_in(root);
  if (sessions.empty()) return;
  const Cost raw = best_of(kRounds, [&] { return parse_on_demand(sessions); });
  const double mb = static_cast<double>(raw.value) / 1e6;
  const double raw_rate = mb / raw.cpu_seconds;
  fmt::print("{}: {} files, {:.0f} MB\n", name, sessions.size(), mb);
  fmt::print("  {:<34} {:>8} {:>10} {:>7} {:>9}\n", "", "MB/cpu s", "MB/s wall", "ratio", "RSS MB");
  print_row("raw simdjson parse, on demand", raw, mb, raw_rate);
  print_row("raw simdjson parse, whole document",
            best_of(kRounds, [&] { return parse_dom(sessions); }), mb, raw_rate);
  print_row("records", best_of(kRounds, [&] { return read_to(Stage::records, sessions); }), mb,
            raw_rate);
  print_row("records + turns + passages",
            best_of(kRounds, [&] { return read_to(Stage::passages, sessions); }), mb, raw_rate);
  print_row("records + turns + passages + packs",
            best_of(kRounds, [&] { return read_to(Stage::packs, sessions); }), mb, raw_rate);
  for (const int threads : {1, 2}) {
    Cost best;
    for (int i = 0; i < kRounds; ++i) {
      remove_tree(scratch);
      const Cost cost = measure([&] { return run_index(root, scratch, threads); });
      if (!best.ok || cost.wall_seconds < best.wall_seconds) best = cost;
    }
    print_row(fmt::format("index into the store, {} reader{}", threads, threads > 1 ? "s" : ""),
              best, mb, raw_rate);
  }
  const auto size = stat_file(path_join(scratch, "yore.db"));
  if (size) fmt::print("  store {:.1f} MB\n", static_cast<double>(size->size_bytes) / 1e6);
  const Cost again = best_of(kRounds, [&] { return run_index(root, scratch, 2); });
  fmt::print("  second run: {} bytes parsed, {:.1f} ms\n\n", again.value, again.wall_seconds * 1e3);
  remove_tree(scratch);
}

// Many small sessions: what an unchanged home of a busy user costs.
std::string write_small_files(const std::string& base) {
  const std::string root = path_join(base, "small/projects");
  for (int i = 0; i < kSmallFiles; ++i) {
    const std::string folder = fmt::format("{}/-home-ann-project-{}", root, i % 40);
    if (i < 40 && !make_directories(folder)) return "";
    generator::GeneratorOptions options;
    options.seed = static_cast<std::uint64_t>(i) + 1;
    options.target_bytes = 20'000;
    options.agents = generator::AgentMix::claude_code;
    const std::string path = fmt::format("{}/{:08x}-0000-4000-8000-000000000000.jsonl", folder, i);
    if (!write_file_atomically(path, generator::generate_session(options))) return "";
  }
  return root;
}

int run(int argc, char** argv) {
  std::uint64_t mb = 1000;
  std::string keep;
  std::vector<std::string> real;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view flag = argv[i];
    if (flag == "--mb") mb = std::strtoull(argv[i + 1], nullptr, 10);
    if (flag == "--keep") keep = argv[i + 1];
    if (flag == "--real") real.emplace_back(argv[i + 1]);
  }
  const std::string base =
      keep.empty() ? fmt::format("/tmp/yore-bench-{}", ::getpid()) : absolute_path(keep);
  const std::string scratch = base + "/index";
  const std::string corpus = base + "/corpus";
  if (!is_directory(corpus)) {
    generator::GeneratorOptions options;
    options.target_bytes = mb * 1'000'000;
    options.agents = generator::AgentMix::claude_code;
    const auto report = generator::generate(corpus, options);
    if (!report) {
      fmt::print(stderr, "{}\n", report.error().message);
      return 1;
    }
  }
  bench_corpus("generated", corpus + "/claude/projects", scratch);
  for (const std::string& root : real) bench_corpus(root, root, scratch);
  bench_corpus("2,000 small files", write_small_files(base), scratch);
  if (keep.empty()) remove_tree(base);
  return 0;
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  return yore::bench::run(argc, argv);
}
