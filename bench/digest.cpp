// digest.cpp — do the turns that a digest cites hold what was asked for?
//
// Over the coding set (bench/coding), at several budgets of tokens:
//   context   share of the questions with an answer whose answering turn is among the turns that
//             `yore context` cites, beside the plain best snippets of a search that fit into the
//             same budget (300 characters each and the line that cites it)
//   handoff   share of the turns that answer questions, over all sessions that hold one, which the
//             session's briefing cites, beside the newest turns, whole, that fit into the same
//             budget; and again with all sessions of a project joined to one
//
//   bench_digest [--coding bench/coding] [--mode hybrid|keyword]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "coding_set.hpp"
#include "datasets.hpp"
#include "derive/embedder.hpp"
#include "place.hpp"
#include "search/briefing.hpp"
#include "search/searcher.hpp"
#include "service/context_text.hpp"
#include "service/handoff_text.hpp"
#include "service/text_budget.hpp"

namespace yore::bench {
namespace {

constexpr std::size_t kBudgets[] = {500, 1000, 2000};
constexpr std::size_t kShortBudgets[] = {200, 300};

Time time_of_asking() {
  return from_ms(1'893'456'000'000);  // 2030-01-01
}

search::SearchAnswer ask(search::Searcher& searcher, const Question& question,
                         search::SearchMode mode, std::size_t limit) {
  search::SearchRequest request;
  request.query = question.text;
  request.mode = mode;
  request.limit = limit;
  return must(searcher.search(request));
}

bool is_gold(const Question& question, const search::Hit& hit) {
  return question.gold.contains(turn_key(hit.session.uid, hit.turn_number));
}

// What anybody would do: the best snippets, each with the line that cites it, until the room ends.
std::size_t snippets_that_fit(const search::SearchAnswer& answer, std::size_t tokens) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < answer.hits.size(); ++i) {
    const search::Hit& hit = answer.hits[i];
    const std::string shown = fmt::format("[{}] {} turn {} ({})\n{}\n", i + 1, hit.session.project,
                                          hit.turn_number, hit.chunk_short, hit.snippet.text);
    used += service::tokens_of(shown);
    if (used > tokens) return i;
  }
  return answer.hits.size();
}

void measure_context(search::Searcher& searcher, const Collection& collection,
                     search::SearchMode mode) {
  fmt::print("  {:<10} {:>6} {:>9} {:>9} {:>8} {:>12} {:>9}\n", "tokens", "asked", "context",
             "snippets", "cited", "of snippets", "used");
  for (const std::size_t tokens : kBudgets) {
    std::size_t asked = 0;
    std::size_t held = 0;
    std::size_t held_plain = 0;
    std::size_t cited = 0;
    std::size_t cited_plain = 0;
    std::size_t used = 0;
    for (const Question& question : collection.questions) {
      if (question.gold.empty()) continue;
      ++asked;
      const auto answer = ask(searcher, question, mode, service::hits_for(tokens));
      const auto digest = service::context_digest(answer, tokens);
      if (digest.tokens > tokens + tokens / 20) give_up({Errc::corrupt, "a digest is too long"});
      used += digest.tokens;
      cited += digest.cited.size();
      held += std::ranges::any_of(
                  digest.cited,
                  [&](std::size_t index) { return is_gold(question, answer.hits[index]); })
                  ? 1U
                  : 0U;
      const auto plain = ask(searcher, question, mode, search::kMostRows);
      const std::size_t fit = snippets_that_fit(plain, tokens);
      cited_plain += fit;
      held_plain += std::ranges::any_of(
                        plain.hits.begin(), plain.hits.begin() + static_cast<std::ptrdiff_t>(fit),
                        [&](const search::Hit& hit) { return is_gold(question, hit); })
                        ? 1U
                        : 0U;
    }
    const auto share = [&](std::size_t count) {
      return static_cast<double>(count) / static_cast<double>(asked);
    };
    fmt::print("  {:<10} {:>6} {:>8.1f}% {:>8.1f}% {:>8.1f} {:>12.1f} {:>9.0f}\n", tokens, asked,
               share(held) * 100, share(held_plain) * 100, share(cited), share(cited_plain),
               share(used));
    std::fflush(stdout);
  }
}

// All sessions of a project as one, in the order of their times: as long as real ones are.
Collection joined_by_project(const Collection& collection) {
  std::map<std::string, std::vector<const Document*>> projects;
  for (const Document& document : collection.documents) {
    projects[document.project].push_back(&document);
  }
  Collection joined = collection;
  joined.documents.clear();
  std::map<std::string, std::string> moved;  // turns
  for (auto& [project, documents] : projects) {
    std::ranges::stable_sort(documents, {}, &Document::time);
    Document whole = *documents.front();
    whole.agent.clear();
    whole.utterances.clear();
    std::uint32_t turns = 0;
    for (const Document* document : documents) {
      const std::uint32_t before = turns;
      for (const Utterance& next : document->utterances) {
        if (next.by_user) {
          moved[turn_key(document->session, turns - before)] = turn_key(project, turns);
          ++turns;
        }
        whole.utterances.push_back(next);
      }
    }
    whole.id = project;
    joined.documents.push_back(std::move(whole));
  }
  for (Question& question : joined.questions) {
    std::map<std::string, int> gold;
    for (const auto& [key, grade] : question.gold) gold[moved.at(key)] = grade;
    question.gold = std::move(gold);
  }
  return joined;
}

// `by_project`: gold is named by it, and not by sessions.
void measure_handoff(search::Reader& reader, const Collection& collection, bool by_project,
                     std::span<const std::size_t> budgets) {
  std::map<std::string, std::set<std::uint32_t>> gold;  // turns by session
  for (const Document& document : collection.documents) {
    for (const Question& question : collection.questions) {
      for (std::uint32_t turn = 0; turn < document.utterances.size(); ++turn) {
        const std::string& name = by_project ? document.project : document.session;
        if (question.gold.contains(turn_key(name, turn))) {
          gold[document.session].insert(turn);
        }
      }
    }
  }
  fmt::print("  {:<10} {:>8} {:>6} {:>9} {:>13}\n", "tokens", "sessions", "turns", "handoff",
             "newest turns");
  for (const std::size_t tokens : budgets) {
    std::size_t wanted = 0;
    std::size_t held = 0;
    std::size_t held_newest = 0;
    for (const auto& [uid, turns] : gold) {
      const auto session = must(reader.find_session(uid));
      auto briefing = must(search::brief(reader, session));
      service::HandoffOptions options;
      options.tokens = tokens;
      // As many of the newest turns, whole, as the same room holds.
      std::set<std::uint32_t> newest;
      std::size_t used = 0;
      for (auto turn = briefing.turns.rbegin(); turn != briefing.turns.rend(); ++turn) {
        used += service::tokens_of(turn->user_text) + service::tokens_of(turn->assistant_text);
        if (used > tokens) break;
        newest.insert(turn->number);
      }
      const auto handoff =
          service::handoff_of(std::move(briefing), options, service::Masker(false));
      for (const std::uint32_t turn : turns) {
        ++wanted;
        held += std::ranges::find(handoff.cited, turn) != handoff.cited.end() ? 1U : 0U;
        held_newest += newest.contains(turn) ? 1U : 0U;
      }
    }
    const auto percent = [&](std::size_t count) {
      return 100 * static_cast<double>(count) / static_cast<double>(wanted);
    };
    fmt::print("  {:<10} {:>8} {:>6} {:>8.1f}% {:>12.1f}%\n", tokens, gold.size(), wanted,
               percent(held), percent(held_newest));
    std::fflush(stdout);
  }
}

void measure_joined(const Collection& collection) {
  const Collection joined = joined_by_project(collection);
  const Place place("");
  must(write_transcripts(joined, "", place));
  read_transcripts(place, time_of_asking());
  auto reader = must(search::Reader::open(place.world(time_of_asking()), place.settings(), {}));
  fmt::print("handoff: likewise, all sessions of a project as one\n");
  measure_handoff(reader, joined, true, kBudgets);
}

int run(const std::string& coding, const std::string& mode) {
  const Collection collection = must(load_coding_set(coding));
  const Place place("");
  must(write_transcripts(collection, "", place));
  read_transcripts(place, time_of_asking());
  update_index(place, time_of_asking());
  const config::World world = place.world(time_of_asking());
  auto reader = must(search::Reader::open(world, place.settings(), {}));
  fmt::print("handoff: share of answering turns that the briefing of their session cites\n");
  measure_handoff(reader, collection, false, kShortBudgets);
  measure_joined(collection);
  if (mode == "hybrid") {
    const std::atomic<bool> never{false};
    derive::EmbedOptions options;
    options.threads = 2;
    must(derive::embed(world, place.settings(), options, {}, never));
  }
  auto searcher = must(search::Searcher::open(world, place.settings(), {}));
  fmt::print("context: share of questions whose answering turn is cited ({})\n", mode);
  measure_context(searcher, collection, *search::mode_named(mode));
  return 0;
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  std::string coding = "bench/coding";
  std::string mode = "hybrid";
  CLI::App app("Do the turns that a digest cites hold what was asked for?");
  app.add_option("--coding", coding, "Folder of the coding set")->capture_default_str();
  app.add_option("--mode", mode, "keyword or hybrid")
      ->check(CLI::IsMember({"keyword", "hybrid"}))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return yore::bench::run(coding, mode);
}
