#include "derive/embedder.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/file_lock.hpp"
#include "base/hash.hpp"
#include "base/trace.hpp"
#include "derive/keyword_index.hpp"
#include "derive/open_model.hpp"
#include "derive/turn_vectors.hpp"
#include "lexical/format/snapshot.hpp"
#include "semantic/encoder.hpp"
#include "store/store.hpp"
#include "text/utf8.hpp"
#include "vector/vector_set.hpp"
#include "vector/vector_writer.hpp"

namespace yore::derive {
namespace {

using Snapshot = std::shared_ptr<const lexical::Snapshot>;

constexpr int kLockTries = 200;
constexpr std::chrono::milliseconds kLockPause{50};
constexpr std::size_t kRound = 64;                 // texts until what was done is published
constexpr std::size_t kBatch = 8;                  // of one thread, between two looks at `cancel`
constexpr std::size_t kCheaplyRewritten = 10'000;  // rows; some 4 MB
// How much of the message that a text answers is embedded with it: enough to name its subject, and
// no more than a short text says itself.
constexpr std::size_t kAnsweredBytes = 120;

struct Work {
  Meaning meaning;
  std::uint64_t key = 0;
  bool hidden = false;
  std::int64_t time_ms = 0;
};

// The number of each session's last turn.
std::vector<std::uint32_t> last_turns(const lexical::Catalog& catalog) {
  std::vector<std::uint32_t> last(catalog.sessions().size(), 0);
  for (const lexical::TurnRow& turn : catalog.turns()) {
    if ((turn.flags & lexical::kTurnGone) != 0) continue;
    last[turn.session] = std::max(last[turn.session], turn.number);
  }
  return last;
}

const lexical::LiveSegment& segment_of(const lexical::Snapshot& snapshot, const MeaningDoc& at) {
  return snapshot.segments(at.family)[at.segment];
}

bool is_hidden(const lexical::Catalog& catalog, const lexical::TurnRow& turn) {
  constexpr std::uint32_t kHidden = lexical::kSessionSubagent | lexical::kSessionAutomated;
  return (catalog.sessions()[turn.session].flags & kHidden) != 0 ||
         (turn.flags & lexical::kTurnAutomated) != 0;
}

// Texts without a vector, in the order in which they should get one.
std::vector<Work> work_to_do(const lexical::Snapshot& snapshot, const vector::VectorSet& vectors,
                             bool full, std::optional<Time> since, Time now) {
  const lexical::Catalog& catalog = snapshot.catalog();
  const std::vector<std::uint32_t> last = last_turns(catalog);
  const std::int64_t rested = to_ms(now - kTurnRests);
  std::vector<Work> all;
  std::vector<vector::TextHash> keys;
  each_meaning(snapshot, full, [&](const Meaning& meaning) {
    const lexical::Segment& segment = segment_of(snapshot, meaning.at).segment;
    const lexical::TurnRow& turn = catalog.turns()[segment.turns()[meaning.at.doc]];
    if (since && turn.last_time < to_ms(*since)) return;
    const bool open = turn.number == last[turn.session] && turn.last_time > rested;
    if (open && segment.tags()[meaning.at.doc] == lexical::kAnswerTag) return;
    keys.push_back(meaning.key());
    all.push_back({meaning, keys.back(), is_hidden(catalog, turn), turn.last_time});
  });
  std::vector<vector::Row> rows(keys.size());
  vectors.find(keys, rows);
  std::vector<Work> work;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (rows[i] == vector::kNoRow) work.push_back(all[i]);
  }
  std::ranges::sort(work, [](const Work& a, const Work& b) {
    if (a.hidden != b.hidden) return b.hidden;
    if (a.time_ms != b.time_ms) return a.time_ms > b.time_ms;
    return a.key < b.key;
  });
  std::unordered_set<std::uint64_t> seen;
  std::erase_if(work, [&](const Work& each) { return !seen.insert(each.key).second; });
  return work;
}

// Empty: it was removed or changed meanwhile.
Result<std::string> text_at(store::Store& store, const lexical::Snapshot& snapshot,
                            const MeaningDoc& at, std::uint64_t hash) {
  const lexical::Segment& segment = segment_of(snapshot, at).segment;
  std::string text;
  if (at.family == lexical::Family::title) {
    const lexical::Catalog& catalog = snapshot.catalog();
    const lexical::TurnRow& turn = catalog.turns()[segment.turns()[at.doc]];
    auto session = store.session(store::SessionId{catalog.sessions()[turn.session].store_id});
    if (!session) return session.error();
    if (*session) text = std::move((*session)->title);
  } else {
    auto passage = store.passage(store::PassageId{segment.keys()[at.doc]});
    if (!passage) return passage.error();
    if (*passage) text = std::move((*passage)->text);
  }
  return hash64(text) == hash ? text : std::string();
}

// As the model reads it: behind the beginning of its prompt, or the end of the conclusion that it
// follows. Empty: as above.
Result<std::string> text_of(store::Store& store, const lexical::Snapshot& snapshot,
                            const Meaning& meaning) {
  auto text = text_at(store, snapshot, meaning.at, meaning.text);
  if (!text || text->empty() || meaning.answered == 0) return text;
  const auto answered = text_at(store, snapshot, meaning.answered_at, meaning.answered);
  if (!answered || answered->empty()) return answered;
  const lexical::Segment& segment = segment_of(snapshot, meaning.at).segment;
  const bool answer = segment.tags()[meaning.at.doc] == lexical::kAnswerTag;
  const std::string_view part = answer ? text::prefix_bytes(*answered, kAnsweredBytes)
                                       : text::suffix_bytes(*answered, kAnsweredBytes);
  return std::string(part) + "\n" + *text;
}

// Encoders for as many threads as there are.
class Team {
 public:
  static Result<Team> open(const std::shared_ptr<const semantic::ModelFile>& model,
                           unsigned threads) {
    Team team;
    for (unsigned i = 0; i < std::max(1U, threads); ++i) {
      auto encoder = semantic::Encoder::open(model);
      if (!encoder) return encoder.error();
      team.encoders_.push_back(std::move(*encoder));
    }
    return team;
  }

  // Vectors of the first texts of `texts`, as many as were made before `cancel`.
  std::vector<float> encode(std::span<const std::string_view> texts,
                            const std::atomic<bool>& cancel) {
    std::vector<float> out(texts.size() * semantic::kDimensions);
    std::atomic<std::size_t> next{0};  // batch
    std::atomic<std::size_t> finished{0};
    const auto work = [&](semantic::Encoder& encoder) {
      while (!cancel) {
        const std::size_t begin = next++ * kBatch;
        if (begin >= texts.size()) break;
        const std::size_t count = std::min(kBatch, texts.size() - begin);
        encoder.encode(
            texts.subspan(begin, count),
            std::span(out).subspan(begin * semantic::kDimensions, count * semantic::kDimensions));
        finished += count;
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < encoders_.size(); ++i) {
        others.emplace_back([&work, encoder = &encoders_[i]] { work(*encoder); });
      }
      work(encoders_.front());
    }
    // Batches are taken in order and each is finished by whoever took it, so no gap is left.
    out.resize(finished * semantic::kDimensions);
    return out;
  }

 private:
  std::vector<semantic::Encoder> encoders_;
};

Error without_model(const Error& why) {
  return {Errc::unsupported, why.message, why.hint};
}

Result<FileLock> lock_vectors(const config::World& world, const config::Settings& settings) {
  return FileLock::try_acquire(path_join(settings.data_dir, "embed.lock"), *world.files);
}

Result<vector::VectorWriter> open_writer(const config::World& world,
                                         const config::Settings& settings,
                                         const semantic::ModelFile& model) {
  return vector::VectorWriter::open(vector_directory(settings.data_dir), model.fingerprint(), {},
                                    *world.files);
}

std::unordered_set<vector::TextHash> texts_in(const lexical::Snapshot& snapshot) {
  std::unordered_set<vector::TextHash> living;
  each_meaning(snapshot, true, [&](const Meaning& meaning) { living.insert(meaning.key()); });
  return living;
}

// Throws vectors away whose texts are gone: at once while that is cheap, else when they are many.
Status tidy(vector::VectorWriter& writer, const lexical::Snapshot& snapshot) {
  const std::unordered_set<vector::TextHash> living = texts_in(snapshot);
  const vector::VectorSet& set = *writer.set();
  std::size_t dead = 0;
  for (vector::Row row = 0; row < set.rows(); ++row) dead += living.contains(set.text(row)) ? 0 : 1;
  if (dead == 0 || (set.rows() > kCheaplyRewritten && dead * 10 < set.rows())) return {};
  return writer.compact([&](vector::TextHash text) { return living.contains(text); });
}

// What a round of texts needs and changes.
struct Round {
  const lexical::Snapshot& snapshot;
  store::Store& store;
  vector::VectorWriter& writer;
  Team& team;
  EmbedReport& report;
};

// Reads, encodes and appends the texts of `work`; fewer when cancelled.
Status embed_round(const Round& round, std::span<const Work> work,
                   const std::atomic<bool>& cancel) {
  TraceStep step("embed texts");
  std::vector<std::string> texts;
  std::vector<vector::TextHash> hashes;
  for (const Work& each : work) {
    auto text = text_of(round.store, round.snapshot, each.meaning);
    if (!text) return text.error();
    --round.report.waiting;
    if (text->empty()) continue;
    step.add_bytes(text->size());
    texts.push_back(std::move(*text));
    hashes.push_back(each.key);
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const std::vector<float> vectors = round.team.encode(views, cancel);
  const std::size_t made = vectors.size() / semantic::kDimensions;
  round.report.waiting += texts.size() - made;
  hashes.resize(made);
  if (Status status = round.writer.append(hashes, vectors); !status) return status;
  round.report.embedded += made;
  return {};
}

}  // namespace

std::string vector_directory(const std::string& data_dir) {
  return path_join(data_dir, "vectors-1");
}

std::optional<Time> embedding_window(const config::World& world, const config::Settings& settings,
                                     const lexical::Snapshot& snapshot) {
  if (settings.embedding.days == 0) return std::nullopt;
  const std::chrono::days window{settings.embedding.days};
  std::int64_t newest = 0;
  for (const lexical::TurnRow& turn : snapshot.catalog().turns()) {
    if ((turn.flags & lexical::kTurnGone) == 0) newest = std::max(newest, turn.last_time);
  }
  const bool all_older = newest != 0 && from_ms(newest) < world.now - window;
  return (all_older ? from_ms(newest) : world.now) - window;
}

Result<EmbedReport> embed(const config::World& world, const config::Settings& settings,
                          const EmbedOptions& options, const OnEmbedded& progress,
                          const std::atomic<bool>& cancel) {
  const auto model = open_model(world);
  if (!model) return without_model(model.error());
  const auto lock = lock_vectors(world, settings);
  if (!lock) return lock.error();
  const auto snapshot =
      lexical::Snapshot::open(keyword_directory(settings.data_dir), {}, *world.files);
  if (!snapshot) return snapshot.error();
  auto store = store::Store::open_existing(settings.data_dir);
  if (!store) return store.error();
  auto writer = open_writer(world, settings, **model);
  if (!writer) return writer.error();

  EmbedReport report;
  const auto since =
      options.recent_only ? embedding_window(world, settings, **snapshot) : options.since;
  const std::vector<Work> work =
      work_to_do(**snapshot, *writer->set(), settings.embedding.full, since, world.now);
  report.waiting = work.size();
  if (work.empty()) {
    if (Status status = tidy(*writer, **snapshot); !status) return status.error();
    return report;
  }
  auto team = Team::open(*model, options.threads);
  if (!team) return without_model(team.error());

  const Round round{**snapshot, *store, *writer, *team, report};
  const std::size_t wanted = std::min(work.size(), options.max_texts);
  for (std::size_t begin = 0; begin < wanted && !cancel; begin += kRound) {
    const std::size_t end = std::min(begin + kRound, wanted);
    Status status = embed_round(round, std::span(work).subspan(begin, end - begin), cancel);
    if (!status) return status.error();
    if (progress) progress(end, work.size());
  }
  report.cancelled = cancel && report.waiting > 0;
  if (report.waiting == 0) {
    if (Status status = tidy(*writer, **snapshot); !status) return status.error();
  }
  return report;
}

Status mend_vectors(const config::World& world, const config::Settings& settings) {
  const auto model = open_model(world);
  if (!model) return without_model(model.error());
  const auto lock = lock_vectors(world, settings);
  if (!lock) return lock.error();
  const auto writer = open_writer(world, settings, **model);
  return writer ? Status{} : Status(writer.error());
}

Status drop_unused_vectors(const config::World& world, const config::Settings& settings) {
  const std::string directory = vector_directory(settings.data_dir);
  std::error_code ignored;
  if (!std::filesystem::exists(directory, ignored)) return {};
  auto lock = lock_vectors(world, settings);
  for (int tries = 0; !lock && lock.error().code == Errc::busy && tries < kLockTries; ++tries) {
    std::this_thread::sleep_for(kLockPause);
    lock = lock_vectors(world, settings);
  }
  if (!lock) return lock.error();
  const auto model = open_model(world);
  if (!model) {
    std::error_code failed;
    std::filesystem::remove_all(directory, failed);
    return failed ? Status(Error{Errc::io, directory + ": " + failed.message()}) : Status{};
  }
  const auto snapshot = lexical::Snapshot::open(keyword_directory(settings.data_dir));
  if (!snapshot) return snapshot.error();
  auto writer = open_writer(world, settings, **model);
  if (!writer) return writer.error();
  const std::unordered_set<vector::TextHash> living = texts_in(**snapshot);
  return writer->compact([&](vector::TextHash text) { return living.contains(text); });
}

Result<EmbedCounts> count_embedded(const config::World& world, const config::Settings& settings) {
  const auto snapshot = lexical::Snapshot::open(keyword_directory(settings.data_dir));
  if (!snapshot) return EmbedCounts{};
  return count_embedded(world, settings, **snapshot);
}

Result<EmbedCounts> count_embedded(const config::World& world, const config::Settings& settings,
                                   const lexical::Snapshot& snapshot) {
  EmbedCounts counts;
  std::vector<vector::TextHash> texts;
  std::vector<bool> recent;
  const auto window = embedding_window(world, settings, snapshot);
  const lexical::Catalog& catalog = snapshot.catalog();
  each_meaning(snapshot, settings.embedding.full, [&](const Meaning& meaning) {
    const lexical::Segment& segment = segment_of(snapshot, meaning.at).segment;
    const lexical::TurnRow& turn = catalog.turns()[segment.turns()[meaning.at.doc]];
    texts.push_back(meaning.key());
    recent.push_back(!window || turn.last_time >= to_ms(*window));
  });
  counts.documents = texts.size();
  counts.recent = static_cast<std::uint64_t>(std::ranges::count(recent, true));
  const auto model = open_model(world);
  if (!model) return without_model(model.error());
  const auto vectors =
      vector::VectorSet::open(vector_directory(settings.data_dir), (*model)->fingerprint());
  if (!vectors) return counts;
  counts.bytes = (*vectors)->bytes_on_disk();
  std::vector<vector::Row> rows(texts.size());
  (*vectors)->find(texts, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == vector::kNoRow) continue;
    ++counts.embedded;
    if (recent[i]) ++counts.recent_embedded;
  }
  return counts;
}

}  // namespace yore::derive
