#include "engine/meanings.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace yore::engine {
namespace {

using lexical::Doc;
using lexical::Family;
using lexical::LiveSegment;
using lexical::TurnOrd;

constexpr Family kWithMeaning[] = {Family::conversation, Family::title};

// Of a damaged segment nothing is known; the search itself reports it.
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

}  // namespace

void each_meaning(const lexical::Snapshot& snapshot, bool full,
                  const std::function<void(const MeaningDoc&, std::uint64_t)>& visit) {
  for (const Family family : kWithMeaning) {
    const std::vector<LiveSegment>& segments = snapshot.segments(family);
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      if (!is_sound(segments[i])) continue;
      const auto hashes = segments[i].segment.text_hashes();
      for (Doc doc = 0; doc < hashes.size(); ++doc) {
        if (!carries_meaning(snapshot.catalog(), segments[i], doc, full)) continue;
        visit({family, i, doc}, hashes[doc]);
      }
    }
  }
}

lexical::Candidate Likeness::place(TurnOrd turn) const {
  const MeaningDoc& at = best_[turn].place;
  lexical::Candidate candidate;
  candidate.family = at.family;
  candidate.segment = at.segment;
  candidate.doc = at.doc;
  candidate.turn = turn;
  candidate.key = snapshot_->segments(at.family)[at.segment].segment.keys()[at.doc];
  return candidate;
}

std::vector<TurnOrd> Likeness::nearest(std::size_t k) const {
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

Meanings::Meanings(std::shared_ptr<const lexical::Snapshot> snapshot,
                   std::shared_ptr<const vector::VectorSet> vectors, bool full)
    : snapshot_(std::move(snapshot)), vectors_(std::move(vectors)) {
  for (const Family family : kWithMeaning) {
    const std::vector<LiveSegment>& segments = snapshot_->segments(family);
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      if (!is_sound(segments[i])) continue;
      const auto hashes = segments[i].segment.text_hashes();
      Column column{family, i, std::vector<vector::Row>(hashes.size())};
      vectors_->find(hashes, column.rows);
      for (Doc doc = 0; doc < hashes.size(); ++doc) {
        if (column.rows[doc] == vector::kNoRow) continue;
        const bool counts = carries_meaning(snapshot_->catalog(), segments[i], doc, full);
        if (!counts) column.rows[doc] = vector::kNoRow;
        documents_ += counts ? 1U : 0U;
      }
      columns_.push_back(std::move(column));
    }
  }
}

Likeness Meanings::compare(const vector::Query& query, const lexical::Selection& selection) const {
  const lexical::Catalog& catalog = snapshot_->catalog();
  std::vector<float> cosines(vectors_->rows());
  vectors_->scan(query, cosines);
  Likeness likeness;
  likeness.snapshot_ = snapshot_;
  likeness.best_.resize(catalog.turns().size());
  for (const Column& column : columns_) {
    const LiveSegment& live = snapshot_->segments(column.family)[column.segment];
    for (Doc doc = 0; doc < column.rows.size(); ++doc) {
      const vector::Row row = column.rows[doc];
      if (row == vector::kNoRow) continue;
      Likeness::Best& best = likeness.best_[live.segment.turns()[doc]];
      if (cosines[row] <= best.cosine) continue;
      if (lexical::document_weight(catalog, live, selection, doc) == 0) continue;
      if (best.cosine == Likeness::kUnknown) ++likeness.known_;
      best = {cosines[row], {column.family, column.segment, doc}};
    }
  }
  return likeness;
}

}  // namespace yore::engine
