#include "lexical/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "lexical/format/marker.hpp"
#include "lexical/format/segment_format.hpp"
#include "lexical/search/collector.hpp"
#include "lexical/search/phrase.hpp"
#include "lexical/search/window_scorer.hpp"

namespace yore::lexical {
namespace {

constexpr Family kAllFamilies[] = {Family::conversation, Family::title, Family::detail,
                                   Family::kept_conversation, Family::kept_detail};

// How many dead documents a list holds; it walks the dead ones, which are few.
std::uint32_t count_dead(PostingList& list, const DeadSet& dead) {
  std::uint32_t count = 0;
  std::uint32_t at = 0;
  dead.each([&](Doc doc) {
    at = list.block_at(at, doc);
    if (at == list.blocks()) return;
    const PostingList::Block block = list.decode(at);
    count +=
        static_cast<std::uint32_t>(std::binary_search(block.docs, block.docs + block.size, doc));
  });
  return count;
}

// Rarer is heavier; never zero, so that a word in every document still finds them.
float idf(std::uint64_t documents, std::uint64_t frequency) {
  const auto n = static_cast<double>(documents);
  const auto df = static_cast<double>(frequency);
  return static_cast<float>(std::log(1.0 + (n - df + 0.5) / (df + 0.5)));
}

}  // namespace

Result<Search> Search::prepare(std::shared_ptr<const Snapshot> snapshot, std::vector<Leaf> leaves) {
  Search search(std::move(snapshot));
  search.leaves_ = std::move(leaves);
  const std::size_t count = search.leaves_.size();
  search.frequencies_.assign(count, {});
  search.weights_.assign(count, {});
  if (Status status = search.expand_prefixes(); !status) return status.error();
  for (const Leaf& leaf : search.leaves_) {
    search.hashes_.push_back(leaf.kind == Leaf::Kind::term ? term_hash(leaf.terms.front()) : 0);
  }
  for (const Family family : kAllFamilies) {
    if (Status status = search.find_lists(family); !status) return status.error();
  }
  search.weigh_leaves();
  if (count <= kMaxLeaves) return search;
  // Too many: the rarest say the most. Prepared again, so that nothing of the others is left.
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto total = [&](std::size_t leaf) {
    std::uint64_t sum = 0;
    for (const Family family : {Family::conversation, Family::detail, Family::title}) {
      sum += search.frequency(leaf, family);
    }
    return sum == 0 ? UINT64_MAX : sum;  // words nobody ever used help least of all
  };
  std::ranges::stable_sort(order, {}, total);
  order.resize(kMaxLeaves);
  std::ranges::sort(order);
  std::vector<Leaf> kept;
  kept.reserve(order.size());
  for (const std::size_t leaf : order) kept.push_back(std::move(search.leaves_[leaf]));
  return prepare(search.snapshot_, std::move(kept));
}

Status Search::expand_prefixes() {
  for (Leaf& leaf : leaves_) {
    if (leaf.kind != Leaf::Kind::prefix) continue;
    auto words = expand_prefix(*snapshot_, leaf.terms.front());
    if (!words) return words.error();
    leaf.kind = Leaf::Kind::any;
    leaf.terms = std::move(*words);
  }
  return {};
}

Status Search::find_lists(Family family) {
  const auto index = static_cast<std::size_t>(family);
  const FamilyStats stats = snapshot_->stats(counted_as(family));
  norms_[index] = LengthNorm::of(stats.average());
  const std::vector<LiveSegment>& segments = snapshot_->segments(family);
  for (const LiveSegment& live : segments) live.segment.prefetch_slots(hashes_);
  for (const LiveSegment& live : segments) live.segment.prefetch_entries(hashes_);
  std::vector<PostingList> lists;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const LiveSegment& live = segments[i];
    SegmentLists in_segment;
    in_segment.segment = i;
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      lists.clear();
      if (Status status = open_lists(live, leaf, stats.average(), lists); !status) return status;
      for (PostingList& list : lists) {
        const std::uint32_t dead = live.dead.empty() ? 0 : count_dead(list, live.dead);
        frequencies_[leaf][index] += list.size() - dead;
        if (in_segment.lists.empty()) in_segment.lists.reserve(leaves_.size());
        in_segment.lists.push_back({static_cast<std::uint16_t>(leaf), std::move(list)});
      }
    }
    // Lengths of sessions are needed for the conversation even where no word is found.
    if (in_segment.lists.empty() && family != Family::conversation) continue;
    if (Status status = live.segment.check_columns(); !status) return status;
    if (in_segment.lists.empty()) continue;
    lists_[index].push_back(std::move(in_segment));
  }
  return {};
}

void Search::weigh_leaves() {
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    std::array<float, kFamilies> weights{};
    for (const Family family : {Family::conversation, Family::detail, Family::title}) {
      const std::uint64_t documents = snapshot_->stats(family).documents;
      weights[static_cast<std::size_t>(family)] = idf(documents, frequency(leaf, family));
    }
    // A word that people use all the time is not made special by being rare in tool output.
    constexpr auto kSaid = static_cast<std::size_t>(Family::conversation);
    constexpr auto kDetail = static_cast<std::size_t>(Family::detail);
    if (frequencies_[leaf][kSaid] > 0)
      weights[kDetail] = std::min(weights[kSaid], weights[kDetail]);
    weights[static_cast<std::size_t>(Family::kept_conversation)] = weights[kSaid];
    weights[static_cast<std::size_t>(Family::kept_detail)] = weights[kDetail];
    for (float& weight : weights) weight *= leaves_[leaf].boost;
    weights_[leaf] = weights;
  }
}

Status Search::open_lists(const LiveSegment& live, std::size_t number, float average,
                          std::vector<PostingList>& lists) {
  const Leaf& leaf = leaves_[number];
  if (leaf.kind == Leaf::Kind::term) {
    auto entry = live.segment.find(leaf.terms.front(), hashes_[number]);
    if (!entry) return entry.error();
    if (*entry == nullptr) return {};
    if (Status status = live.segment.check_list(**entry); !status) return status;
    lists.emplace_back(live.segment, **entry);
    return {};
  }
  auto made = leaf.kind == Leaf::Kind::phrase ? find_phrase(live.segment, leaf.terms, leaf.offsets)
                                              : find_any(live.segment, leaf.terms);
  if (!made) return made.error();
  if (made->docs.empty()) return {};
  if (Status status = live.segment.check_columns(); !status) return status;
  lists.emplace_back(std::move(made->docs), std::move(made->tfs), live.segment.lengths(), average);
  return {};
}

std::vector<Candidate> Search::best_turns(const Selection& selection, std::size_t k, bool prune) {
  Collector collector(snapshot_->catalog(), k);
  const auto room = std::make_unique<WindowScorer::Room>();
  for (const Family family : kAllFamilies) {
    const auto index = static_cast<std::size_t>(family);
    for (SegmentLists& in_segment : lists_[index]) {
      WindowScorer scorer(*this, family, in_segment.segment, selection, prune,
                          in_segment.lists.size(), *room);
      for (List& list : in_segment.lists) {
        scorer.add(list.postings, weights_[list.leaf][index] * kScoreOne);
      }
      scorer.run(collector);
    }
  }
  return collector.finish();
}

void Search::add_turns(std::size_t leaf, const Weights& weights, TurnSet& turns) {
  for (const Family family : kAllFamilies) {
    for (SegmentLists& in_segment : lists_[static_cast<std::size_t>(family)]) {
      const LiveSegment& live = snapshot_->segments(family)[in_segment.segment];
      for (List& list : in_segment.lists) {
        if (list.leaf != leaf) continue;
        for (std::uint32_t i = 0; i < list.postings.blocks(); ++i) {
          const PostingList::Block block = list.postings.decode(i);
          for (std::uint32_t n = 0; n < block.size; ++n) {
            const Doc doc = block.docs[n];
            const bool counts = weights[live.segment.tags()[doc]] != 0 && !live.dead.has(doc);
            if (counts) turns.add(live.segment.turns()[doc]);
          }
        }
      }
    }
  }
}

Status add_turns_with_marker(const Snapshot& snapshot, Marker kind,
                             const std::function<bool(std::string_view value)>& fits,
                             TurnSet& turns) {
  const std::string prefix(1, static_cast<char>(kind));
  for (const LiveSegment& live : snapshot.segments(Family::detail)) {
    const auto entries = live.segment.find_prefix(prefix);
    if (!entries) return entries.error();
    for (const TermEntry& entry : *entries) {
      if (!fits(live.segment.text(entry).substr(1))) continue;
      Status status = live.segment.check_list(entry);
      if (status) status = live.segment.check_columns();
      if (!status) return status;
      PostingList list(live.segment, entry);
      for (std::uint32_t i = 0; i < list.blocks(); ++i) {
        const PostingList::Block block = list.decode(i);
        for (std::uint32_t n = 0; n < block.size; ++n) {
          if (!live.dead.has(block.docs[n])) turns.add(live.segment.turns()[block.docs[n]]);
        }
      }
    }
  }
  return {};
}

std::vector<std::uint16_t> Search::tags_of_turns(const Selection& selection) {
  const Catalog& catalog = snapshot_->catalog();
  std::vector<std::uint16_t> tags(catalog.turns().size());
  for (const Family family : kAllFamilies) {
    for (SegmentLists& in_segment : lists_[static_cast<std::size_t>(family)]) {
      const LiveSegment& live = snapshot_->segments(family)[in_segment.segment];
      for (List& list : in_segment.lists) {
        for (std::uint32_t i = 0; i < list.postings.blocks(); ++i) {
          const PostingList::Block block = list.postings.decode(i);
          for (std::uint32_t n = 0; n < block.size; ++n) {
            const Doc doc = block.docs[n];
            if (document_weight(catalog, live, selection, doc) == 0) continue;
            tags[live.segment.turns()[doc]] |=
                static_cast<std::uint16_t>(1U << live.segment.tags()[doc]);
          }
        }
      }
    }
  }
  return tags;
}

Status count_marked(const Snapshot& snapshot, Marker kind, const TurnSet& among,
                    const std::function<void(std::string_view value, std::uint64_t turns)>& visit) {
  struct Place {
    const LiveSegment* live;
    const TermEntry* entry;
  };
  // A value lies in several segments, and a turn in several of them.
  std::map<std::string_view, std::vector<Place>> places;
  const std::string prefix(1, static_cast<char>(kind));
  for (const LiveSegment& live : snapshot.segments(Family::detail)) {
    const auto entries = live.segment.find_prefix(prefix);
    if (!entries) return entries.error();
    if (entries->empty()) continue;
    if (Status status = live.segment.check_columns(); !status) return status;
    for (const TermEntry& entry : *entries) {
      if (Status status = live.segment.check_list(entry); !status) return status;
      places[live.segment.text(entry).substr(1)].push_back({&live, &entry});
    }
  }
  std::vector<std::uint32_t> counted_for(snapshot.catalog().turns().size());
  std::uint32_t value = 0;
  for (const auto& [name, where] : places) {
    ++value;
    std::uint64_t turns = 0;
    for (const Place& place : where) {
      PostingList list(place.live->segment, *place.entry);
      for (std::uint32_t i = 0; i < list.blocks(); ++i) {
        const PostingList::Block block = list.decode(i);
        for (std::uint32_t n = 0; n < block.size; ++n) {
          const TurnOrd turn = place.live->segment.turns()[block.docs[n]];
          if (!among.has(turn) || counted_for[turn] == value) continue;
          if (place.live->dead.has(block.docs[n])) continue;
          counted_for[turn] = value;
          ++turns;
        }
      }
    }
    if (turns > 0) visit(name, turns);
  }
  return {};
}

}  // namespace yore::lexical
