#include "derive/turn_vectors.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/hash.hpp"
#include "base/layout.hpp"

namespace yore::derive {
namespace {

using lexical::Doc;
using lexical::Family;
using lexical::LiveSegment;
using lexical::TurnOrd;

// A longer text says by itself what it is about.
constexpr std::uint16_t kShortWords = 20;
constexpr Family kWithMeaning[] = {Family::conversation, Family::title, Family::kept_conversation};

// Nothing is known about a damaged segment; the search itself reports it.
bool is_sound(const LiveSegment& live) {
  return live.segment.check_columns().ok() && live.segment.check_text_hashes().ok();
}

bool carries_meaning(const lexical::Catalog& catalog, const LiveSegment& live, Doc doc, bool full) {
  if (live.dead.has(doc) || live.segment.text_hashes()[doc] == 0) return false;
  const lexical::TurnRow& turn = catalog.turns()[live.segment.turns()[doc]];
  if ((turn.flags & lexical::kTurnGone) != 0) return false;
  if (live.segment.tags()[doc] != lexical::kAnswerTag || full) return true;
  return live.segment.blocks()[doc] == turn.summary_block;
}

// What the messages of every turn answer.
class Answered {
 public:
  explicit Answered(const lexical::Snapshot& snapshot) : turns_(snapshot.catalog().turns().size()) {
    const lexical::Catalog& catalog = snapshot.catalog();
    // Turns of a session come in their order.
    std::vector<TurnOrd> last(catalog.sessions().size(), kNone);
    for (TurnOrd turn = 0; turn < turns_.size(); ++turn) {
      const lexical::TurnRow& row = catalog.turns()[turn];
      if ((row.flags & lexical::kTurnGone) != 0) continue;
      const TurnOrd before = std::exchange(last[row.session], turn);
      const bool next = before != kNone && catalog.turns()[before].number + 1 == row.number;
      turns_[turn].before = next ? before : kNone;
    }
    for (const Family family : {Family::conversation, Family::kept_conversation}) {
      const std::vector<LiveSegment>& segments = snapshot.segments(family);
      for (std::uint32_t i = 0; i < segments.size(); ++i) {
        if (is_sound(segments[i])) add(catalog, segments[i], {family, i, 0});
      }
    }
  }

  // Completes a meaning of the conversation, in a turn of its own.
  void complete(std::uint8_t tag, TurnOrd turn, Meaning& meaning) const {
    const bool answer = tag == lexical::kAnswerTag;
    const TurnOrd of = answer ? turn : turns_[turn].before;
    if (of == kNone) return;
    const HashedText& said = answer ? turns_[of].prompt : turns_[of].conclusion;
    meaning.answered = said.text;
    meaning.answered_at = said.at;
  }

 private:
  static constexpr TurnOrd kNone = UINT32_MAX;
  struct HashedText {
    std::uint64_t text = 0;  // 0: nothing
    MeaningDoc at;
  };
  struct Turn {
    TurnOrd before = kNone;
    HashedText prompt;      // its beginning
    HashedText conclusion;  // its end
  };

  void add(const lexical::Catalog& catalog, const LiveSegment& live, MeaningDoc at) {
    const auto hashes = live.segment.text_hashes();
    for (Doc doc = 0; doc < hashes.size(); ++doc) {
      if (!carries_meaning(catalog, live, doc, false)) continue;
      Turn& turn = turns_[live.segment.turns()[doc]];
      at.doc = doc;
      const HashedText said{hashes[doc], at};
      if (live.segment.tags()[doc] == lexical::kAnswerTag) {
        turn.conclusion = said;
      } else if (turn.prompt.text == 0) {
        turn.prompt = said;
      }
    }
  }

  std::vector<Turn> turns_;
};

}  // namespace

std::uint64_t Meaning::key() const {
  return answered == 0 ? text : hash64(raw_bytes(text), answered) | 1;
}

void each_meaning(const lexical::Snapshot& snapshot, bool full,
                  const std::function<void(const Meaning&)>& visit) {
  const Answered answered(snapshot);
  for (const Family family : kWithMeaning) {
    const std::vector<LiveSegment>& segments = snapshot.segments(family);
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      if (!is_sound(segments[i])) continue;
      const lexical::Segment& segment = segments[i].segment;
      const auto hashes = segment.text_hashes();
      for (Doc doc = 0; doc < hashes.size(); ++doc) {
        if (!carries_meaning(snapshot.catalog(), segments[i], doc, full)) continue;
        Meaning meaning{{family, i, doc}, hashes[doc], 0, {}};
        if (lexical::counted_as(family) == Family::conversation &&
            segment.lengths()[doc] <= kShortWords) {
          answered.complete(segment.tags()[doc], segment.turns()[doc], meaning);
        }
        visit(meaning);
      }
    }
  }
}

lexical::Candidate TurnSimilarity::place(TurnOrd turn) const {
  const MeaningDoc& at = best_[turn].place;
  lexical::Candidate candidate;
  candidate.family = at.family;
  candidate.segment = at.segment;
  candidate.doc = at.doc;
  candidate.turn = turn;
  candidate.key = snapshot_->segments(at.family)[at.segment].segment.keys()[at.doc];
  return candidate;
}

std::vector<TurnOrd> TurnSimilarity::nearest(std::size_t k) const {
  const lexical::Catalog& catalog = snapshot_->catalog();
  std::vector<TurnOrd> known;
  for (TurnOrd turn = 0; turn < best_.size(); ++turn) {
    if (best_[turn].cosine != kUnknown) known.push_back(turn);
  }
  const auto nearer = [&](TurnOrd a, TurnOrd b) {
    if (best_[a].cosine != best_[b].cosine) return best_[a].cosine > best_[b].cosine;
    return lexical::comes_first(catalog, a, b);
  };
  std::vector<TurnOrd> found;
  std::unordered_set<std::uint64_t> origins;
  // Copies fall out, so that more may have to be sorted than are wanted.
  for (std::size_t sorted = 0; sorted < known.size() && found.size() < k;) {
    const std::size_t end = std::min(known.size(), sorted + k + k / 2);
    const auto from = known.begin() + static_cast<std::ptrdiff_t>(sorted);
    std::partial_sort(from, known.begin() + static_cast<std::ptrdiff_t>(end), known.end(), nearer);
    for (; sorted < end && found.size() < k; ++sorted) {
      const std::uint64_t origin = catalog.turns()[known[sorted]].origin;
      if (origin != 0 && !origins.insert(origin).second) continue;
      found.push_back(known[sorted]);
    }
  }
  return found;
}

TurnVectors::TurnVectors(std::shared_ptr<const lexical::Snapshot> snapshot,
                         std::shared_ptr<const vector::VectorSet> vectors, bool full)
    : snapshot_(std::move(snapshot)), vectors_(std::move(vectors)) {
  std::vector<MeaningDoc> places;
  std::vector<vector::TextHash> keys;
  each_meaning(*snapshot_, full, [&](const Meaning& meaning) {
    places.push_back(meaning.at);
    keys.push_back(meaning.key());
  });
  std::vector<vector::Row> rows(keys.size());
  vectors_->find(keys, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == vector::kNoRow) continue;
    ++documents_;
    const MeaningDoc& at = places[i];
    const bool same = !columns_.empty() && columns_.back().family == at.family &&
                      columns_.back().segment == at.segment;
    if (!same) columns_.push_back({at.family, at.segment, {}});
    columns_.back().rows.push_back({at.doc, rows[i]});
  }
}

TurnSimilarity TurnVectors::compare(const vector::Query& query,
                                    const lexical::Selection& selection) const {
  const lexical::Catalog& catalog = snapshot_->catalog();
  std::vector<float> cosines(vectors_->rows());
  vectors_->scan(query, cosines);
  TurnSimilarity likeness;
  likeness.snapshot_ = snapshot_;
  likeness.best_.resize(catalog.turns().size());
  for (const Column& column : columns_) {
    const LiveSegment& live = snapshot_->segments(column.family)[column.segment];
    for (const auto& [doc, row] : column.rows) {
      TurnSimilarity::Best& best = likeness.best_[live.segment.turns()[doc]];
      if (cosines[row] <= best.cosine) continue;
      if (lexical::document_weight(catalog, live, selection, doc) == 0) continue;
      if (best.cosine == TurnSimilarity::kUnknown) ++likeness.known_;
      best = {cosines[row], {column.family, column.segment, doc}};
    }
  }
  return likeness;
}

}  // namespace yore::derive
