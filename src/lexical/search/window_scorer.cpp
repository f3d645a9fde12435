#include "lexical/search/window_scorer.hpp"

#include <algorithm>
#include <ranges>

#include "lexical/search/kernels.hpp"

namespace yore::lexical {
namespace {

// A window with more postings than this is searched from end to end afterwards; with fewer, the
// touched documents are remembered.
constexpr std::uint32_t kDensePostings = 512;
// Covers the rounding of float products, so that a bound stays one.
constexpr std::int32_t kBoundSlack = 2;

}  // namespace

WindowScorer::WindowScorer(const Search& search, Family family, std::uint32_t segment,
                           const Selection& selection, bool prune, std::size_t lists, Room& room)
    : search_(search),
      live_(search.snapshot_->segments(family)[segment]),
      catalog_(search.snapshot_->catalog()),
      selection_(selection),
      family_(family),
      segment_(segment),
      norm_(search.norms_[static_cast<std::size_t>(family)]),
      average_(search.snapshot_->stats(counted_as(family)).average()),
      prune_(prune),
      sums_(room.sums_),
      places_(room.places_),
      touched_(room.touched_),
      found_(room.found_) {
  tracks_.reserve(lists);
  for (std::uint8_t tag = 0; tag < kTags; ++tag) {
    if (family_of(tag) != counted_as(family)) continue;
    most_[tag] = selection.weights[tag];
    if (tag == kAnswerTag)
      most_[tag] = std::max<std::uint32_t>(most_[tag], selection.earlier_answer_weight);
    top_weight_ = std::max(top_weight_, most_[tag]);
  }
}

std::int64_t WindowScorer::needed(std::uint32_t weight) const {
  if (!prune_ || threshold_ <= 1) return 1;
  return (std::int64_t{threshold_} * kWeightOne + weight - 1) / weight;
}

void WindowScorer::add(PostingList& list, float weight) {
  Track& track = tracks_.emplace_back();
  track.list = &list;
  track.weight = weight;
  const float grown = std::max(1.0F, average_ / list.bound_average());
  track.bound_scale = weight * grown * 1.00001F / 65535.0F;
}

std::int32_t WindowScorer::bound_of_block(const Track& track, std::uint32_t block) const {
  // An impact never exceeds 1, however loose the bound.
  const float scaled =
      std::min(track.bound_scale * static_cast<float>(track.list->bound(block)), track.weight);
  return static_cast<std::int32_t>(scaled) + kBoundSlack;
}

std::int32_t WindowScorer::score_of(const Track& track, Doc doc, std::uint32_t tf) const {
  return contribution(track.weight, norm_.impact(tf, live_.segment.lengths()[doc]));
}

std::int64_t WindowScorer::enter(Doc low, Doc high) {
  std::int64_t sum = 0;
  for (Track& track : tracks_) {
    const PostingList& list = *track.list;
    track.block = list.block_at(track.block, low);
    track.block_end = track.block;
    track.bound = 0;
    while (track.block_end < list.blocks()) {
      const bool behind =
          track.block_end > track.block && list.last(track.block_end - 1) >= high - 1;
      if (behind) break;
      track.bound = std::max(track.bound, bound_of_block(track, track.block_end));
      ++track.block_end;
    }
    sum += track.bound;
  }
  return sum;
}

void WindowScorer::score_block(Track& track, std::uint32_t block, const PostingList::Block& docs) {
  if (track.scored == block) return;
  track.scored = block;
  score_postings(docs, live_.segment.lengths().data(), norm_, track.weight, track.scores.data());
}

void WindowScorer::walk(Track& track, Doc low, Doc high) {
  for (std::uint32_t i = track.block; i < track.block_end; ++i) {
    const PostingList::Block block = track.list->decode(i);
    score_block(track, i, block);
    std::uint32_t n = 0;
    if (block.docs[0] < low) {
      n = block.place_of(low);
    }
    std::uint32_t end = block.size;
    if (block.docs[end - 1] >= high) {
      end = block.place_of(high);
    }
    if (dense_) {
      for (; n < end; ++n) sums_[block.docs[n] - low] += track.scores[n];
    } else {
      for (; n < end; ++n) {
        std::int32_t& sum = sums_[block.docs[n] - low];
        if (sum == 0) touched_.push_back(block.docs[n]);
        sum += track.scores[n];
      }
    }
  }
}

void WindowScorer::gather(Doc low, Doc high, std::int64_t below) {
  found_.clear();
  const auto least =
      static_cast<std::int32_t>(std::clamp<std::int64_t>(need_ - below, 1, INT32_MAX));
  std::array<std::int64_t, kTags> least_of_tag;
  for (std::size_t tag = 0; tag < kTags; ++tag) {
    least_of_tag[tag] = most_[tag] == 0 ? INT64_MAX : needed(most_[tag]) - below;
  }
  const auto take = [&](Doc doc, std::int32_t sum) {
    // The tag lies close by; the rest of what decides a weight does not.
    if (sum < least_of_tag[live_.segment.tags()[doc]]) return;
    const std::uint32_t weight = document_weight(catalog_, live_, selection_, doc);
    if (weight == 0) return;
    // A document of a surface with a lower weight needs a higher sum than one of the best surface.
    if (weight < top_weight_ && sum + below < needed(weight)) return;
    found_.push_back({doc, sum, weight});
  };
  if (!dense_) {
    for (const Doc doc : touched_) {
      std::int32_t& sum = sums_[doc - low];
      if (sum >= least) take(doc, sum);
      sum = 0;
    }
    touched_.clear();
    std::ranges::sort(found_, {}, &Found::doc);
    return;
  }
  const std::uint32_t count = (high - low + kStep - 1) / kStep * kStep;
  const std::uint32_t reaching = find_reaching(sums_.data(), count, least, places_.data());
  for (std::uint32_t i = 0; i < reaching; ++i) take(low + places_[i], sums_[places_[i]]);
  std::fill_n(sums_.begin(), count, 0);
}

void WindowScorer::ask(Track& track, std::int64_t others) {
  std::size_t kept = 0;
  std::uint32_t at = track.block;
  for (const Found& candidate : found_) {
    Found found = candidate;
    const std::int64_t need = found.weight == top_weight_ ? need_ : needed(found.weight);
    if (found.score + others + track.bound < need) continue;
    at = track.list->block_at(at, found.doc);
    if (at < track.list->blocks() && found.score + others + bound_of_block(track, at) >= need) {
      const PostingList::Block block = track.list->decode(at);
      const std::uint32_t place = block.place_of(found.doc);
      if (block.docs[place] == found.doc) {
        found.score += score_of(track, found.doc, block.tfs[place]);
      }
    }
    if (found.score + others >= need) found_[kept++] = found;
  }
  found_.resize(kept);
}

void WindowScorer::mark_windows() {
  if (selection_.allowed == nullptr) return;
  worth_.assign(live_.segment.documents() / kWindow + 1, false);
  for (const TurnRun& run : live_.segment.turn_runs()) {
    if (!selection_.allowed->has(run.turn)) continue;
    const Doc last = run.first + run.count - 1;
    for (Doc window = run.first / kWindow; window <= last / kWindow; ++window) {
      worth_[window] = true;
    }
  }
}

void WindowScorer::run(Collector& collector) {
  if (top_weight_ == 0 || tracks_.empty()) return;
  mark_windows();
  for (Track& track : tracks_) order_.push_back(&track);
  const std::uint32_t documents = live_.segment.documents();
  for (Doc low = 0; low < documents; low += kWindow) {
    const Doc high = std::min(low + kWindow, documents);
    if (!worth_.empty() && !worth_[low / kWindow]) continue;
    const std::int64_t all = enter(low, high);
    if (all == 0) continue;
    threshold_ = collector.threshold();
    need_ = needed(top_weight_);
    if (all < need_) continue;
    std::ranges::sort(order_, {}, &Track::bound);
    std::size_t first = 0;  // of the lists that are walked
    std::int64_t below = 0;
    while (first < order_.size() && below + order_[first]->bound < need_) {
      below += order_[first++]->bound;
    }
    std::uint32_t postings = 0;
    for (std::size_t i = first; i < order_.size(); ++i) {
      postings += (order_[i]->block_end - order_[i]->block) * kBlock;
    }
    dense_ = postings > kDensePostings;
    for (std::size_t i = first; i < order_.size(); ++i) walk(*order_[i], low, high);
    gather(low, high, below);
    for (std::size_t i = first; i-- > 0 && !found_.empty();) {
      below -= order_[i]->bound;
      if (order_[i]->bound > 0) ask(*order_[i], below);
    }
    for (const Found& found : found_) {
      const std::int32_t score = std::max(1, weighted(found.score, found.weight));
      if (score < collector.threshold()) continue;
      collector.add({score, family_, segment_, found.doc, live_.segment.turns()[found.doc],
                     live_.segment.keys()[found.doc]});
    }
  }
}

}  // namespace yore::lexical
