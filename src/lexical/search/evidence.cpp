// What the words of a query do in whole turns and whole sessions.
#include <algorithm>
#include <array>
#include <numeric>

#include "lexical/search/search.hpp"

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
    if (at == list.blocks()) return;
    for (std::uint32_t i = at; i < list.blocks(); ++i) {
      const PostingList::Block block = list.decode(i);
      std::uint32_t n = block.place_of(range.first);
      for (; n < block.size && block.docs[n] < end; ++n)
        visit(range.row, block.docs[n], block.tfs[n]);
      if (n < block.size) break;
    }
  }
}

// Rows of the answer in the order of what they are about, so that a segment is passed through once.
template <typename Ord>
std::vector<std::uint32_t> in_order(std::span<const Ord> wanted) {
  std::vector<std::uint32_t> rows(wanted.size());
  std::iota(rows.begin(), rows.end(), 0U);
  std::ranges::sort(rows, {}, [&](std::uint32_t row) { return wanted[row]; });
  return rows;
}

// Calls visit(row, run) for the runs of each wanted turn or session. Both are sorted by owner, so
// each search begins where the last one ended.
template <typename Ord, typename Run, typename Visit>
void each_run(std::span<const Run> runs, Ord Run::*owner, std::span<const Ord> wanted,
              const std::vector<std::uint32_t>& rows, Visit visit) {
  auto at = runs.begin();
  for (const std::uint32_t row : rows) {
    const Ord ord = wanted[row];
    std::ptrdiff_t step = 1;
    while (runs.end() - at > step && (*(at + step)).*owner < ord) {
      at += step;
      step *= 2;
    }
    const auto end = runs.end() - at > step ? at + step + 1 : runs.end();
    at = std::ranges::lower_bound(at, end, ord, {}, owner);
    for (auto run = at; run != runs.end() && (*run).*owner == ord; ++run) visit(row, *run);
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
  const std::vector<std::uint32_t> rows = in_order(turns);
  std::vector<Range> ranges;
  for (int family = 0; family < kFamilies; ++family) {
    const auto index = static_cast<std::size_t>(family);
    for (SegmentLists& in_segment : lists_[index]) {
      const LiveSegment& live =
          snapshot_->segments(static_cast<Family>(family))[in_segment.segment];
      ranges.clear();
      each_run(live.segment.turn_runs(), &TurnRun::turn, turns, rows,
               [&](std::uint32_t row, const TurnRun& run) {
                 ranges.push_back({run.first, run.count, row});
               });
      std::ranges::sort(ranges, {}, &Range::first);
      for (List& list : in_segment.lists) {
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
                                                          catalog.brief(turns[row]).summary_block;
          evidence.tags[row] |= concludes ? kConclusionBit : static_cast<std::uint16_t>(1U << tag);
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
  std::array<std::uint32_t, kBlock> owners;
  const auto index = static_cast<std::size_t>(Family::conversation);
  for (std::uint32_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    for (SegmentLists& in_segment : lists_[index]) {
      const LiveSegment& live = snapshot_->segments(Family::conversation)[in_segment.segment];
      const std::span<const TurnOrd> turns = live.segment.turns();
      for (List& list : in_segment.lists) {
        if (list.leaf != leaf) continue;
        for (std::uint32_t i = 0; i < list.postings.blocks(); ++i) {
          // One step for all of a block, then the next: so reads wait for memory together.
          const std::span<const Doc> docs = list.postings.decode_docs(i);
          for (std::size_t n = 0; n < docs.size(); ++n) owners[n] = turns[docs[n]];
          for (std::size_t n = 0; n < docs.size(); ++n) {
            owners[n] = catalog.brief(owners[n]).session;
          }
          std::uint32_t count = 0;
          for (std::size_t n = 0; n < docs.size(); ++n) {
            if (live.dead.has(docs[n])) continue;
            std::uint32_t& last = seen[owners[n]];
            count += static_cast<std::uint32_t>(last != leaf);  // no branch: nobody can guess
            last = leaf;
          }
          counts[leaf] += count;
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
  const std::vector<std::uint32_t> rows = in_order(sessions);
  std::vector<Range> ranges;
  auto in_segment = lists_[index].begin();
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const LiveSegment& live = segments[i];
    ranges.clear();
    const auto take = [&](std::uint32_t row, const SessionRun& run) {
      ranges.push_back({run.first, run.count, row});
      evidence.lengths[row] += run.length;
      for (Doc doc = run.first; !live.dead.empty() && doc < run.first + run.count; ++doc) {
        if (live.dead.has(doc)) evidence.lengths[row] -= live.segment.lengths()[doc];
      }
    };
    each_run(live.segment.session_runs(), &SessionRun::session, sessions, rows, take);
    if (in_segment == lists_[index].end() || in_segment->segment != i) continue;
    std::ranges::sort(ranges, {}, &Range::first);
    for (List& list : in_segment->lists) {
      each_posting(list.postings, ranges, [&](std::uint32_t row, Doc doc, std::uint32_t tf) {
        if (!live.dead.has(doc)) evidence.counts[row * width + list.leaf] += tf;
      });
    }
    ++in_segment;
  }
  return evidence;
}

}  // namespace yore::lexical
