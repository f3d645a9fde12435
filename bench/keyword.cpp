// keyword.cpp — how fast is a keyword search, and what does its index cost, against SQLite FTS5?
//
// Generated transcripts, read into the store; then the same passages with the same terms in our
// index and in FTS5, and the same queries in one run:
//
//   search          Searcher::search, all of it: both stages, titles, texts, snippets of 10 hits
//   stage 1, 64    the 64 best turns, as a search asks for them
//   stage 1, 10     the 10 best turns
//   … exhaustive    without skipping anything
//   FTS5 tuned      10 best rows, own rank function, lengths in memory
//   FTS5 stock      10 best rows, ORDER BY rank
//
// A query counts with the best of its passes: what it costs when nobody disturbs. All ways take
// turns pass by pass, because the speed of a machine changes from one minute to the next.
//
//   bench_keyword [--passages 1000000] [--queries 200] [--corpus DIR] [--query-file FILE]
//   [--no-fts] [--as-is] [--only ROW]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "core_asks.hpp"
#include "corpus.hpp"
#include "derive/keyword_index.hpp"
#include "fts_baseline.hpp"
#include "lexical/format/snapshot.hpp"
#include "passages.hpp"
#include "place.hpp"
#include "queries.hpp"
#include "search/searcher.hpp"
#include "spent.hpp"
#include "statistics.hpp"
#include "store/lock.hpp"
#include "store/store.hpp"

namespace yore::bench {
namespace {

constexpr int kPasses = 4;
constexpr int kHits = 10;
constexpr std::size_t kCandidates = 64;
constexpr std::size_t kSegments = 10;    // about as many are left
constexpr std::uint64_t kEveryNth = 20;  // passage is looked at for the vocabulary
constexpr Time kNow = from_ms(1'790'000'000'000);

struct Options {
  std::uint64_t passages = 1'000'000;
  std::size_t queries = 200;
  std::string corpus;
  std::string query_file;
  bool no_fts = false;
  bool as_is = false;
  std::string only;
};

struct Latency {
  double p50_ms = 0;
  double p99_ms = 0;
};

// One way to answer each query.
struct Way {
  std::string_view name;
  std::function<void(const Query&)> ask;
  std::vector<double> best_ms = {};  // a query each
};

// Asks everything once to warm up, and once again.
void take_turn(Way& way, const std::vector<Query>& queries) {
  way.best_ms.resize(queries.size(), 1e9);
  for (const Query& query : queries) way.ask(query);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Spent spent = spend([&] { way.ask(queries[i]); });
    way.best_ms[i] = std::min(way.best_ms[i], spent.cpu * 1e3);
  }
}

void print_latency(std::string_view what, const Latency& latency, const Latency* baseline) {
  fmt::print("  {:<34} {:>9.3f} {:>9.3f}", what, latency.p50_ms, latency.p99_ms);
  if (baseline != nullptr) {
    fmt::print(" {:>8.1f} {:>8.1f}", baseline->p50_ms / latency.p50_ms,
               baseline->p99_ms / latency.p99_ms);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

// Transcripts in the store; made once when the place is kept.
void prepare_store(const Place& place, const Options& options) {
  const std::uint64_t bytes = write_corpus(place, options.passages);
  const Spent read = spend([&] { read_transcripts(place, kNow); });
  fmt::print("transcripts: {:.0f} MB, in the store after {:.2f} s\n",
             static_cast<double>(bytes) / 1e6, read.wall);
}

std::size_t count_segments(const lexical::Snapshot& snapshot) {
  return snapshot.segments(lexical::Family::conversation).size() +
         snapshot.segments(lexical::Family::detail).size() +
         snapshot.segments(lexical::Family::title).size();
}

// Builds the index from the store, then merges down to about ten segments.
Spent build_index(const Place& place, store::Store& store) {
  const std::string directory = derive::keyword_directory(place.data_dir());
  const std::atomic<bool> cancel{false};
  remove_tree(directory);
  const Spent built = spend([&] {
    const auto lock = must(store::WriterLock::try_acquire(place.data_dir()));
    must(derive::update_keywords(store, place.data_dir(), {}, cancel));
  });
  const std::size_t before = count_segments(*must(lexical::Snapshot::open(directory)));
  const Spent merged = spend([&] {
    // Neighbours grow together as long as they stay below their share.
    lexical::WriterLimits limits;
    limits.tier_width = 2;
    const auto unmerged = must(lexical::Snapshot::open(directory));
    limits.max_merge_bytes = unmerged->bytes_on_disk() / (kSegments - 2);
    if (before > kSegments) {
      must(derive::merge_keywords(place.data_dir(), UINT64_MAX, cancel, {.limits = limits}));
    }
  });
  const auto snapshot = must(lexical::Snapshot::open(directory));
  fmt::print("index: built in {:.2f} s ({:.2f} CPU s), {} segments; merged in {:.2f} CPU s, {}\n",
             built.wall, built.cpu, before, merged.cpu, count_segments(*snapshot));
  fmt::print("index: {:.1f} MB\n", static_cast<double>(snapshot->bytes_on_disk()) / 1e6);
  return built;
}

std::vector<Query> prepare_queries(store::Store& store, const Options& options) {
  std::uint64_t passages = 0;
  Vocabulary vocabulary;
  std::uint64_t text_bytes = 0;
  must(each_passage(store, [&](std::int64_t, const turns::Passage& passage) {
    if (passages++ % kEveryNth == 0) vocabulary.add(passage.text);
    text_bytes += passage.text.size();
  }));
  fmt::print("passages: {}, {:.1f} MB of text\n", passages, static_cast<double>(text_bytes) / 1e6);
  if (is_regular_file(options.query_file)) return load_queries(options.query_file);
  std::vector<Query> queries = vocabulary.make_queries(options.queries);
  if (!options.query_file.empty()) save_queries(options.query_file, queries);
  return queries;
}

void fill(FtsBaseline& baseline, store::Store& store) {
  must(each_passage(
      store, [&](std::int64_t, const turns::Passage& passage) { baseline.add(passage.text); }));
  baseline.finish();
}

// What reading and analysing cost by themselves: part of both builds.
double analysis_seconds(store::Store& store) {
  text::Analyzer analyzer;
  std::uint64_t terms = 0;
  const Spent spent = spend([&] {
    must(each_passage(store, [&](std::int64_t, const turns::Passage& passage) {
      terms += analyzer.analyze(passage.text).size();
    }));
  });
  fmt::print("terms: {}, read and analysed in {:.2f} CPU s\n", terms, spent.cpu);
  return spent.cpu;
}

void compare(const Place& place, const std::vector<Query>& queries, const Options& options,
             FtsBaseline* tuned, FtsBaseline* stock) {
  const auto snapshot = must(lexical::Snapshot::open(derive::keyword_directory(place.data_dir())));
  CoreAsks core(snapshot, kNow);
  auto searcher = must(search::Searcher::open(place.world(kNow), place.settings(), {}));
  const auto stage_1 = [&](std::size_t k, bool prune) {
    return [&core, k, prune](const Query& query) { core.stage_1(query, k, prune); };
  };
  std::vector<Way> ways;
  if (tuned != nullptr) {
    ways.push_back({"FTS5 tuned", [&](const Query& q) { tuned->search_tuned(q.terms, kHits); }});
    ways.push_back({"FTS5 stock", [&](const Query& q) { stock->search_stock(q.terms, kHits); }});
  }
  ways.push_back({"stage 1, 10 best", stage_1(kHits, true)});
  ways.push_back({"stage 1, 10 best, exhaustive", stage_1(kHits, false)});
  ways.push_back({"stage 1, 64 best", stage_1(kCandidates, true)});
  ways.push_back({"stage 1, 64 best, exhaustive", stage_1(kCandidates, false)});
  ways.push_back({"stages 1 and 2", [&](const Query& q) { core.both_stages(q, kCandidates); }});
  ways.push_back({"search", [&](const Query& query) {
                    search::SearchRequest request;
                    request.query = query.text;
                    request.limit = kHits;
                    request.mode = search::SearchMode::keyword;
                    (void)must(searcher.search(request));
                  }});

  fmt::print("  {:<34} {:>9} {:>9} {:>8} {:>8}\n", "", "p50 ms", "p99 ms", "× p50", "× p99");
  std::optional<Latency> baseline;
  std::erase_if(ways,
                [&](const Way& way) { return !options.only.empty() && way.name != options.only; });
  for (int pass = 0; pass < kPasses; ++pass) {
    for (Way& way : ways) take_turn(way, queries);
  }
  for (const Way& way : ways) {
    const Latency latency{percentile(way.best_ms, 0.5), percentile(way.best_ms, 0.99)};
    print_latency(way.name, latency, baseline ? &*baseline : nullptr);
    if (tuned != nullptr && !baseline) baseline = latency;
  }
}

int run(const Options& options) {
  const Place place(options.corpus);
  if (options.as_is) {
    compare(place, load_queries(options.query_file), options, nullptr, nullptr);
    return 0;
  }
  prepare_store(place, options);
  auto store = must(store::Store::open_existing(place.data_dir()));
  const std::vector<Query> queries = prepare_queries(store, options);
  const Spent ours = build_index(place, store);
  if (options.no_fts) {
    compare(place, queries, options, nullptr, nullptr);
    return 0;
  }
  const double analysis = analysis_seconds(store);
  const auto build = [&](FtsBaseline& baseline, std::string_view name) {
    const Spent spent = spend([&] { fill(baseline, store); });
    fmt::print("{}: built in {:.2f} CPU s, {:.1f} × ours ({:.1f} × without analysis in it)\n", name,
               spent.cpu, spent.cpu / ours.cpu, (spent.cpu - analysis) / ours.cpu);
    fmt::print("{}: {:.1f} MB\n", name, static_cast<double>(baseline.bytes()) / 1e6);
  };
  FtsBaseline stock(place.base() + "/fts-stock.db", 0);
  build(stock, "FTS5");
  FtsBaseline tuned(place.base() + "/fts-tuned.db", 64ULL << 20);
  build(tuned, "FTS5, 64 MB in memory");
  tuned.optimize();
  compare(place, queries, options, &tuned, &stock);
  remove_tree(place.base() + "/fts-stock.db");
  remove_tree(place.base() + "/fts-tuned.db");
  return 0;
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  yore::bench::Options options;
  CLI::App app("How fast is a keyword search, and what does its index cost, against SQLite FTS5?");
  app.add_option("--passages", options.passages, "About so many")->capture_default_str();
  app.add_option("--queries", options.queries, "Made from the vocabulary")->capture_default_str();
  app.add_option("--corpus", options.corpus, "Use and keep this folder");
  app.add_option("--query-file", options.query_file,
                 "Read the queries from here, or save them here");
  app.add_flag("--no-fts", options.no_fts, "Leave the comparison out");
  app.add_flag("--as-is", options.as_is, "Only ask: corpus, index and queries of a run before");
  app.add_option("--only", options.only, "Only this row of the table");
  CLI11_PARSE(app, argc, argv);
  return yore::bench::run(options);
}
