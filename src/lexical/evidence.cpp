// What the words of a query do in whole turns and whole sessions.
#include <algorithm>

#include "lexical/search.hpp"

namespace yore::lexical {
namespace {

// Documents first … first + count - 1 belong to row `row` of the answer.
struct Range {
  Doc first = 0;
  std::uint32_t count = 0;
  std::uint32_t row = 0;
};

// Calls visit(row, doc, tf) for every posting inside the ranges, which are sorted by first.
template <typename Visit>
void each_posting(PostingList& list, const std::vector<Range>& ranges, Visit visit) {
  std::uint32_t at = 0;
  for (const Range& range : ranges) {
    const Doc end = range.first + range.count;
    at = list.block_at(at, range.first);
    for (std::uint32_t i = at; i < list.blocks(); ++i) {
      const PostingList::Block block = list.decode(i);
      const Doc* const from = std::lower_bound(block.docs, block.docs + block.size, range.first);
      auto n = static_cast<std::uint32_t>(from - block.docs);
      for (; n < block.size && block.docs[n] < end; ++n)
        visit(range.row, block.docs[n], block.tfs[n]);
      if (n < block.size) break;
    }
    if (at == list.blocks()) return;
  }
}

}  // namespace

Search::TurnEvidence Search::turn_evidence(std::span<const TurnOrd> turns,
                                           const Selection& selection) {
  const std::size_t width = leaves_.size();
  TurnEvidence evidence;
  evidence.best.assign(turns.size() * width, 0);
  evidence.tags.assign(turns.size(), 0);
  const Catalog& catalog = snapshot_->catalog();
  std::vector<Range> ranges;
  for (int family = 0; family < kFamilies; ++family) {
    const auto index = static_cast<std::size_t>(family);
    for (Place& place : places_[index]) {
      const LiveSegment& live = snapshot_->segments(static_cast<Family>(family))[place.segment];
      ranges.clear();
      for (std::uint32_t row = 0; row < turns.size(); ++row) {
        for (const TurnRun& run : live.segment.runs_of_turn(turns[row])) {
          ranges.push_back({run.first, run.count, row});
        }
      }
      std::ranges::sort(ranges, {}, &Range::first);
      for (List& list : place.lists) {
        const float weight = weights_[list.leaf][index] * kScoreOne;
        each_posting(list.postings, ranges, [&](std::uint32_t row, Doc doc, std::uint32_t tf) {
          const std::uint32_t value = document_weight(catalog, live, selection, doc);
          if (value == 0) return;
          const float impact = norms_[index].impact(tf, live.segment.lengths()[doc]);
          const std::int32_t score = weighted(contribution(weight, impact), value);
          std::int32_t& slot = evidence.best[row * width + list.leaf];
          slot = std::max(slot, score);
          const std::uint8_t tag = live.segment.tags()[doc];
          const bool concludes = tag == kAnswerTag && live.segment.blocks()[doc] ==
                                                          catalog.turns()[turns[row]].summary_block;
          evidence.tags[row] |= concludes ? kConclusionBit : static_cast<std::uint8_t>(1U << tag);
        });
      }
    }
  }
  return evidence;
}

std::vector<std::uint32_t> Search::session_frequencies() {
  const Catalog& catalog = snapshot_->catalog();
  std::vector<std::uint32_t> counts(leaves_.size(), 0);
  // Which leaf was seen last in a session: lists of one leaf come one after the other.
  std::vector<std::uint32_t> seen(catalog.sessions().size(), UINT32_MAX);
  const auto index = static_cast<std::size_t>(Family::conversation);
  for (std::uint32_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    for (Place& place : places_[index]) {
      const LiveSegment& live = snapshot_->segments(Family::conversation)[place.segment];
      const std::span<const TurnOrd> turns = live.segment.turns();
      for (List& list : place.lists) {
        if (list.leaf != leaf) continue;
        for (std::uint32_t i = 0; i < list.postings.blocks(); ++i) {
          const PostingList::Block block = list.postings.decode(i);
          for (std::uint32_t n = 0; n < block.size; ++n) {
            std::uint32_t& last = seen[catalog.turns()[turns[block.docs[n]]].session];
            if (last == leaf || live.dead.has(block.docs[n])) continue;
            last = leaf;
            ++counts[leaf];
          }
        }
      }
    }
  }
  return counts;
}

Search::SessionEvidence Search::session_evidence(std::span<const SessionOrd> sessions) {
  SessionEvidence evidence;
  const std::size_t width = leaves_.size();
  evidence.counts.assign(sessions.size() * width, 0);
  evidence.lengths.assign(sessions.size(), 0);
  const auto index = static_cast<std::size_t>(Family::conversation);
  const std::vector<LiveSegment>& segments = snapshot_->segments(Family::conversation);
  std::vector<Range> ranges;
  auto place = places_[index].begin();
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const LiveSegment& live = segments[i];
    ranges.clear();
    for (std::uint32_t row = 0; row < sessions.size(); ++row) {
      for (const SessionRun& run : live.segment.runs_of_session(sessions[row])) {
        ranges.push_back({run.first, run.count, row});
        evidence.lengths[row] += run.length;
        for (Doc doc = run.first; !live.dead.empty() && doc < run.first + run.count; ++doc) {
          if (live.dead.has(doc)) evidence.lengths[row] -= live.segment.lengths()[doc];
        }
      }
    }
    if (place == places_[index].end() || place->segment != i) continue;
    std::ranges::sort(ranges, {}, &Range::first);
    for (List& list : place->lists) {
      each_posting(list.postings, ranges, [&](std::uint32_t row, Doc doc, std::uint32_t tf) {
        if (!live.dead.has(doc)) evidence.counts[row * width + list.leaf] += tf;
      });
    }
    ++place;
  }
  return evidence;
}

}  // namespace yore::lexical
