// recall.cpp — does what hooks remind agents of (`yore recall`) hold the answer?
//
// The questions of bench/coding are prompts. A reminder is right when one of the turns it hands
// over is one that the judges marked; most questions that have no answer should get none. Per
// threshold, for the kinds that constants were chosen on and for the others.
//
//   bench_recall [--coding bench/coding] [--samples FILE]
//
// --samples writes instead a line per question with what is known of the best turn and whether it
// is right: what ranking::likelihood() was fitted to.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <string>

#include "coding_set.hpp"
#include "derive/embedder.hpp"
#include "place.hpp"
#include "service/reminder.hpp"

namespace yore::bench {
namespace {

struct Count {
  int asked = 0;
  int reminded = 0;
  int right = 0;
  int without_answer = 0;  // reminders for questions that nothing answers
  int unanswerable = 0;
};

void embed_all_of(const Place& place, Time now) {
  const std::atomic<bool> cancel{false};
  derive::EmbedOptions options;
  options.threads = 2;
  const auto done = must(derive::embed(place.world(now), place.settings(), options, {}, cancel));
  if (done.waiting > 0) give_up({Errc::io, "not everything was embedded"});
}

bool is_right(const service::Reminder& reminder, const Question& question) {
  for (const store::RemindedTurn& turn : reminder.turns) {
    if (question.gold.contains(turn_key(turn.session, turn.number))) return true;
  }
  return false;
}

// What is asked in.
struct Setting {
  Collection collection;
  Time now = from_ms(1'893'456'000'000);  // 2030-01-01, long after everything
  Place place{""};
  std::unique_ptr<service::IndexAccess> access;

  explicit Setting(const std::string& folder) : collection(must(load_coding_set(folder))) {
    must(write_transcripts(collection, "", place));
    read_transcripts(place, now);
    update_index(place, now);
    embed_all_of(place, now);
    service::IndexAccess::Options options;
    options.settings = place.settings();
    options.world = [this] { return place.world(now); };
    access = std::make_unique<service::IndexAccess>(std::move(options));
  }
};

void count_reminders(const Setting& in, double threshold) {
  std::array<Count, 2> counts;
  for (const Question& question : in.collection.questions) {
    Count& count = counts[question.in_tune_half() ? 0 : 1];
    ++count.asked;
    count.unanswerable += question.gold.empty() ? 1 : 0;
    const auto reminder =
        must(service::remind_of_prompt(*in.access, {"", "/", {}}, question.text, threshold));
    if (reminder.turns.empty()) continue;
    ++count.reminded;
    if (is_right(reminder, question)) ++count.right;
    if (question.gold.empty()) ++count.without_answer;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Count& count = counts[i];
    fmt::print("{:>9.2f}  {:<6}  {:>5}  {:>8}  {:>5}  {:>8.1f}%  {:>17} of {:>3}\n", threshold,
               i == 0 ? "tune" : "report", count.asked, count.reminded, count.right,
               count.reminded == 0 ? 0.0 : 100.0 * count.right / count.reminded,
               count.without_answer, count.unanswerable);
  }
}

// Of the best turn, be it a result or only the closest there is.
void write_sample(const Setting& in, const Question& question, search::SearchMode mode,
                  std::FILE* out) {
  search::SearchRequest request;
  request.query = service::question_of(question.text);
  request.mode = mode;
  request.explain = true;
  const auto asked = must(in.access->search(request));
  if (!asked.answer) return;
  const bool found = !asked.answer->hits.empty();
  const std::vector<search::Hit>& hits = found ? asked.answer->hits : asked.answer->closest;
  if (hits.empty()) return;
  const search::Hit& hit = hits[0];
  fmt::print(out, "{}\t{}\t{}\t{}\t{:.4f}\tmode={}\tfound={}", question.id, question.kind,
             question.in_tune_half() ? "tune" : "report",
             question.gold.contains(turn_key(hit.session.uid, hit.turn_number)) ? 1 : 0,
             hit.relevance.value_or(0), static_cast<int>(mode), found ? 1 : 0);
  for (const search::ScorePart& part : hit.explain) {
    fmt::print(out, "\t{}={:.4f}", part.name, part.value);
  }
  fmt::print(out, "\n");
}

void write_samples(const Setting& in, const std::string& path) {
  std::FILE* const out = std::fopen(path.c_str(), "w");
  if (out == nullptr) give_up({Errc::io, "cannot write " + path});
  for (const auto mode : {search::SearchMode::hybrid, search::SearchMode::keyword}) {
    for (const Question& question : in.collection.questions) write_sample(in, question, mode, out);
  }
  std::fclose(out);
}

void run(const std::string& folder, const std::string& samples) {
  const Setting in(folder);
  if (!samples.empty()) return write_samples(in, samples);
  fmt::print("{:>9}  {:<6}  {:>5}  {:>8}  {:>5}  {:>9}  {:>24}\n", "threshold", "kinds", "asked",
             "reminded", "right", "precision", "reminded without answer");
  for (const double threshold : {0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95}) {
    count_reminders(in, threshold);
  }
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  CLI::App app{"Does what agents are reminded of hold the answer?"};
  std::string folder = "bench/coding";
  std::string samples;
  app.add_option("--coding", folder);
  app.add_option("--samples", samples);
  CLI11_PARSE(app, argc, argv);
  yore::bench::run(folder, samples);
  return 0;
}
