// quality.cpp — do searches find what people ask for?
//
// Collections with judged questions are laid down as transcripts, indexed and searched with the
// engine itself; each question is the query, as typed. Constants are chosen on one half of the
// questions and reported on the other.
//
//   bench_quality [--data ../shared/datasets] [--set locomo]... [--half tune|report]
//                 [--mode hybrid]... [--limit 100] [--recent] [--dump FILE]
//
// What counts as found is what is shown first, as a result or, where nothing is clearly relevant,
// as the closest there is; how often that was the case is a line of its own. With keyword and
// hybrid both asked, their difference is printed with a paired bootstrap interval.
//
//   bench_quality --set coding [--coding bench/coding]      from the source tree, per kind
//   bench_quality --set locomo --half tune --turn 0.3 0.5 0.7 --session 0.5 1      every
//   combination
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "coding_set.hpp"
#include "datasets.hpp"
#include "derive/embedder.hpp"
#include "derive/keyword_index.hpp"
#include "place.hpp"
#include "quality_figures.hpp"
#include "ranking_trial.hpp"
#include "search/searcher.hpp"

namespace yore::bench {
namespace {

struct Options {
  std::string data = "../shared/datasets";
  std::string coding = "bench/coding";
  std::vector<std::string> sets;
  std::string half = "each";
  std::size_t limit = 100;
  std::vector<std::string> modes = {"keyword", "semantic", "hybrid"};
  bool recent = false;
  std::string dump;
  Sweep sweep;
};

// Where the questions of a run are asked.
struct Variant {
  const char* name;
  bool own_index;  // one index per conversation, else one over all
  bool filtered;   // only the conversation's own sessions are asked for
};
constexpr Variant kOwnIndex{"per conversation, own index", true, false};
constexpr Variant kFiltered{"per conversation, one index and a filter", false, true};
constexpr Variant kPooled{"pooled over all conversations", false, false};

// Long after everything was said, so that no document is favoured for its age; or, with --recent,
// the day after the last of them.
Time time_of_asking(const Collection& collection, bool recent) {
  Time last = kNoTime;
  for (const Document& document : collection.documents) last = std::max(last, document.time);
  if (recent && last != kNoTime) return last + std::chrono::days{1};
  return from_ms(1'893'456'000'000);  // 2030-01-01
}

struct Asked {
  Ranking ranking;
  bool abstained = false;  // no hit at all; a failure is no abstention
  double seconds = 0;
};

search::SearchMode mode_of(std::string_view name) {
  if (name == "keyword") return search::SearchMode::keyword;
  return name == "semantic" ? search::SearchMode::semantic : search::SearchMode::hybrid;
}

Asked ask(search::Searcher& searcher, const Question& question, const Options& options,
          std::string_view mode, bool filtered, bool by_turn) {
  search::SearchRequest request;
  request.mode = mode_of(mode);
  request.query = question.text;
  request.limit = options.limit;
  request.per_session = by_turn ? 0 : 1;
  if (filtered) request.projects = {question.project};
  const auto start = std::chrono::steady_clock::now();
  const auto answer = searcher.search(request);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  Asked asked;
  asked.seconds = took.count();
  if (!answer) {
    fmt::print(stderr, "{}: {}\n", question.text, answer.error().message);
    return asked;
  }
  asked.abstained = answer->hits.empty();
  std::set<std::string> seen;
  for (const search::Hit& hit : asked.abstained ? answer->closest : answer->hits) {
    std::string key = by_turn ? turn_key(hit.session.uid, hit.turn_number) : hit.session.uid;
    if (seen.insert(key).second) asked.ranking.push_back(std::move(key));
  }
  return asked;
}

void embed_all(const Place& place, Time now) {
  const std::atomic<bool> cancel{false};
  derive::EmbedOptions options;
  options.threads = 2;
  const auto done = must(derive::embed(place.world(now), place.settings(), options, {}, cancel));
  if (done.waiting > 0) give_up({Errc::io, "not everything was embedded"});
}

// An index over the documents of one project, or of all; ready to be asked.
struct Index {
  Place place{""};
  std::unique_ptr<search::Searcher> searcher;

  Index(const Collection& collection, const std::string& project, Time now, bool embedded) {
    must(write_transcripts(collection, project, place));
    const std::uint64_t known = read_transcripts(place, now);
    update_index(place, now);
    std::uint64_t wanted = 0;
    for (const Document& document : collection.documents) {
      wanted += project.empty() || document.project == project ? 1U : 0U;
    }
    if (known != wanted) give_up({Errc::corrupt, "documents were lost on their way"});
    if (collection.by_turn) must(check_turns(collection, place));
    if (embedded) embed_all(place, now);
    searcher = std::make_unique<search::Searcher>(
        must(search::Searcher::open(place.world(now), place.settings(), {})));
  }
};

using Indexes = std::map<std::string, std::unique_ptr<Index>>;

// Writes a line per question: where the first gold document stands, the question, the gold
// documents, the ten best.
class Dump {
 public:
  explicit Dump(const std::string& path)
      : file_(path.empty() ? nullptr : std::fopen(path.c_str(), "w")) {}
  Dump(const Dump&) = delete;
  Dump& operator=(const Dump&) = delete;
  ~Dump() {
    if (file_ != nullptr) std::fclose(file_);
  }

  void begin(const Collection& collection) {
    ids_.clear();
    for (const Document& document : collection.documents) {
      ids_[document.session] = document.id;
      for (std::uint32_t turn = 0; collection.by_turn && turn < document.utterances.size();
           ++turn) {
        ids_[turn_key(document.session, turn)] = turn_key(document.id, turn);
      }
    }
  }
  void add(const Variant& variant, std::string_view mode, const Question& question,
           const Ranking& ranking) {
    if (file_ == nullptr) return;
    fmt::print(file_, "{}, {}\t{}\t{}\t{}\t", variant.name, mode, question.id,
               first_gold(ranking, question.gold), question.text);
    for (const auto& [session, grade] : question.gold) fmt::print(file_, "{} ", ids_[session]);
    fmt::print(file_, "\t");
    for (std::size_t i = 0; i < std::min<std::size_t>(ranking.size(), 10); ++i) {
      fmt::print(file_, "{} ", ids_[ranking[i]]);
    }
    fmt::print(file_, "\n");
  }

 private:
  std::FILE* file_;
  std::map<std::string, std::string> ids_;  // session or turn → the collection's name for it
};

void print_figures(std::string_view name, const Figures& figures) {
  fmt::print("  {:<40} {:>5} {:>8.1f} {:>7.1f} {:>7.3f} {:>9.3f} {:>7.3f}\n", name,
             figures.questions(), figures.hit_at_1() * 100, figures.hit_at_5() * 100, figures.mrr(),
             figures.ndcg_at_10(), figures.recall_at_10());
}

bool is_asked(const Question& question, const Options& options) {
  return options.half == "each" || question.in_tune_half() == (options.half == "tune");
}

Index& index_for(const Collection& collection, const Variant& variant, const Question& question,
                 const Options& options, Indexes& indexes) {
  const std::string project = variant.own_index ? question.project : "";
  std::unique_ptr<Index>& index = indexes[project];
  if (!index) {
    const Time now = time_of_asking(collection, options.recent);
    const bool embedded =
        options.sweep.empty() && options.modes != std::vector<std::string>{"keyword"};
    index = std::make_unique<Index>(collection, project, now, embedded);
  }
  return *index;
}

// One line for each combination of constants.
void sweep_variant(const Collection& collection, const Variant& variant, const Options& options,
                   Indexes& indexes) {
  fmt::print("{}: {}, {} half\n", collection.name, variant.name, options.half);
  std::map<const Index*, std::unique_ptr<TrialRanker>> rankers;
  for (const Trial& trial : options.sweep.trials()) {
    Figures figures;
    for (const Question& question : collection.questions) {
      if (!is_asked(question, options)) continue;
      const Index& index = index_for(collection, variant, question, options, indexes);
      std::unique_ptr<TrialRanker>& ranker = rankers[&index];
      if (!ranker) {
        ranker = std::make_unique<TrialRanker>(derive::keyword_directory(index.place.data_dir()),
                                               time_of_asking(collection, options.recent));
      }
      figures.add(judge(ranker->rank(question, variant.filtered, trial), question.gold));
    }
    print_figures(trial_text(trial), figures);
  }
}

// What became of the questions of a variant. Those that have no answer count apart: all that can be
// right about them is to give none.
struct Outcome {
  struct Abstained {
    std::size_t asked = 0;
    std::size_t abstained = 0;
  };
  std::map<std::string, Figures> by_kind;
  std::map<std::string, Abstained> no_answer;  // by kind
  Abstained answerable;
  Figures tune;
  Figures report;
  Figures all;
  std::vector<double> ndcg;  // of each question
  std::vector<double> hit_1;
  std::size_t asked = 0;
  double seconds = 0;

  void add(const Question& question, const Asked& given) {
    ++asked;
    seconds += given.seconds;
    Abstained& abstained = question.gold.empty() ? no_answer[question.kind] : answerable;
    ++abstained.asked;
    abstained.abstained += given.abstained ? 1U : 0U;
    if (question.gold.empty()) return;
    const Judgement judged = judge(given.ranking, question.gold);
    (question.in_tune_half() ? tune : report).add(judged);
    all.add(judged);
    ndcg.push_back(judged.ndcg_10);
    hit_1.push_back(judged.hit_1);
    if (!question.kind.empty()) by_kind[question.kind].add(judged);
  }

  void print(const Options& options) const {
    fmt::print("  {:<40} {:>5} {:>8} {:>7} {:>7} {:>9} {:>7}\n", "kind or half", "asked", "hit@1",
               "hit@5", "MRR", "nDCG@10", "R@10");
    for (const auto& [kind, figures] : by_kind) print_figures(kind, figures);
    if (tune.questions() > 0) print_figures("tune", tune);
    if (report.questions() > 0) print_figures("report", report);
    if (options.half == "each") print_figures("all", all);
    fmt::print("  {:<40} {:>5} {:>8}\n", "with an answer, only closest shown", answerable.asked,
               answerable.abstained);
    if (no_answer.empty()) return;
    fmt::print("  {:<40} {:>5} {:>8}\n", "without an answer, by kind", "asked", "no hit");
    for (const auto& [kind, counts] : no_answer) {
      fmt::print("  {:<40} {:>5} {:>8}\n", kind, counts.asked, counts.abstained);
    }
  }
};

Outcome run_mode(const Collection& collection, const Variant& variant, const Options& options,
                 std::string_view mode, Indexes& indexes, Dump& dump) {
  Outcome outcome;
  for (const Question& question : collection.questions) {
    if (!is_asked(question, options)) continue;
    const Index& index = index_for(collection, variant, question, options, indexes);
    const Asked asked =
        ask(*index.searcher, question, options, mode, variant.filtered, collection.by_turn);
    outcome.add(question, asked);
    dump.add(variant, mode, question, asked.ranking);
  }
  fmt::print("{}: {}, {}, {:.3f} ms a question\n", collection.name, variant.name, mode,
             outcome.seconds * 1e3 / static_cast<double>(outcome.asked));
  outcome.print(options);
  std::fflush(stdout);
  return outcome;
}

void print_difference(std::string_view name, const std::vector<double>& hybrid,
                      const std::vector<double>& keyword) {
  const Difference difference = paired_difference(hybrid, keyword);
  fmt::print("  hybrid less keyword, {:<19} {:+.4f}  95 %: {:+.4f} … {:+.4f}\n", name,
             difference.mean, difference.low, difference.high);
}

void run_variant(const Collection& collection, const Variant& variant, const Options& options,
                 Indexes& indexes, Dump& dump) {
  if (!options.sweep.empty()) return sweep_variant(collection, variant, options, indexes);
  std::map<std::string, Outcome> outcomes;
  for (const std::string& mode : options.modes) {
    outcomes[mode] = run_mode(collection, variant, options, mode, indexes, dump);
  }
  if (!outcomes.contains("keyword") || !outcomes.contains("hybrid")) return;
  print_difference("nDCG@10", outcomes["hybrid"].ndcg, outcomes["keyword"].ndcg);
  print_difference("hit@1", outcomes["hybrid"].hit_1, outcomes["keyword"].hit_1);
}

int run(const Options& options) {
  Dump dump(options.dump);
  for (const std::string& name : options.sets) {
    const Collection collection = must(name == "coding" ? load_coding_set(options.coding)
                                                        : load_collection(options.data, name));
    if (collection.by_turn && !options.sweep.empty()) {
      give_up({Errc::invalid_argument, "trials rank sessions: they cannot be judged by turns"});
    }
    dump.begin(collection);
    Indexes indexes;
    if (name == "locomo") {
      run_variant(collection, kOwnIndex, options, indexes, dump);
      run_variant(collection, kFiltered, options, indexes, dump);
      run_variant(collection, kPooled, options, indexes, dump);
    } else {
      run_variant(collection, {"one index", false, false}, options, indexes, dump);
    }
  }
  return 0;
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  yore::bench::Options options;
  CLI::App app("Do searches find what people ask for?");
  app.add_option("--data", options.data, "Folder of the collections")->capture_default_str();
  app.add_option("--coding", options.coding, "Folder of the coding set")->capture_default_str();
  app.add_option("--set", options.sets,
                 "coding, locomo, scifact, cranfield, med; all when not given");
  app.add_option("--half", options.half, "tune, report, or each and both together")
      ->check(CLI::IsMember({"tune", "report", "each"}))
      ->capture_default_str();
  app.add_option("--mode", options.modes, "keyword, semantic, hybrid; all when not given")
      ->check(CLI::IsMember({"keyword", "semantic", "hybrid"}));
  app.add_option("--limit", options.limit, "Hits asked for")->capture_default_str();
  app.add_flag("--recent", options.recent, "Ask the day after the last session");
  app.add_option("--turn", options.sweep.turn, "Shares of the turn to try");
  app.add_option("--session", options.sweep.session, "Shares of the session to try");
  app.add_option("--exact", options.sweep.exact, "Boosts of the exact form to try");
  app.add_option("--part", options.sweep.part, "Boosts of parts of identifiers to try");
  app.add_option("--dump", options.dump, "Write the ranking of every question to this file");
  CLI11_PARSE(app, argc, argv);
  if (options.sets.empty()) options.sets = {"coding", "locomo", "scifact", "cranfield", "med"};
  return yore::bench::run(options);
}
