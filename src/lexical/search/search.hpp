// search.hpp — stage 1: the turns whose best passage scores highest, and the evidence around them.
//
// score(document) = weight(tag) * sum over leaves of idf(leaf) * boost * tf / (tf + K)
//
// with the statistics of the document's family (living documents only, so that answers do not
// depend on when things were merged). Scores are integers: whatever the order of evaluation,
// whatever is skipped because it cannot reach the best k, the result is the same to the bit.
//
// A result is a turn: of a turn's documents, and of the copies of a turn (equal origin), the best
// one stands for all. Ties: what is kept beside the collection comes last, later activity first,
// then session id, then turn number, then key.
//
// Threads: a Search belongs to one thread; the snapshot is shared.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "lexical/format/marker.hpp"
#include "lexical/format/postings.hpp"
#include "lexical/format/snapshot.hpp"
#include "lexical/format/turn_set.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

// What is looked for. Leaves are ORed.
struct Leaf {
  enum class Kind : std::uint8_t { term, prefix, phrase, any };
  Kind kind = Kind::term;
  std::vector<std::string> terms;  // one, those of a phrase, or the beginning of a prefix, which
                                   // becomes `any` of the words that begin so
  std::vector<std::uint32_t> offsets;  // of a phrase: where each stands after the first
  float boost = 1;
};
// A prefix stands for at most this many terms, the first ones in byte order.
inline constexpr std::size_t kMaxExpansions = 1024;

// Which documents may be found, and what they count.
struct Selection {
  Weights weights{};
  const TurnSet* allowed = nullptr;  // null: every turn
  // Weight of answers that are not the turn's conclusion, in place of weights[kAnswerTag].
  std::uint16_t earlier_answer_weight = 0;
};

struct Candidate {
  std::int32_t score = 0;
  Family family = Family::conversation;
  std::uint32_t segment = 0;  // of Snapshot::segments(family)
  Doc doc = 0;
  TurnOrd turn = 0;
  DocKey key = 0;
};

inline std::int32_t weighted(std::int32_t score, std::uint32_t weight) {
  return static_cast<std::int32_t>(std::int64_t{score} * weight / kWeightOne);
}
// What a document counts under a selection; 0: it may not be found.
inline std::uint32_t document_weight(const Catalog& catalog, const LiveSegment& live,
                                     const Selection& selection, Doc doc) {
  const std::uint8_t tag = live.segment.tags()[doc];
  if (live.dead.has(doc)) return 0;
  const TurnOrd turn = live.segment.turns()[doc];
  if (selection.allowed != nullptr && !selection.allowed->has(turn)) return 0;
  const bool earlier_answer_weight =
      tag == kAnswerTag && live.segment.blocks()[doc] != catalog.brief(turn).summary_block;
  return earlier_answer_weight ? selection.earlier_answer_weight : selection.weights[tag];
}

// Order of turns with equal scores.
bool comes_first(const Catalog& catalog, TurnOrd a, TurnOrd b);

class Search {
 public:
  // Finds the lists. corrupt: the index is damaged. Leaves beyond kMaxLeaves are dropped, the most
  // frequent first.
  static Result<Search> prepare(std::shared_ptr<const Snapshot> snapshot, std::vector<Leaf> leaves);

  [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
  // Living documents of a family that hold the leaf.
  [[nodiscard]] std::uint64_t frequency(std::size_t leaf, Family family) const {
    return frequencies_[leaf][static_cast<std::size_t>(family)];
  }
  // idf * boost, in points.
  [[nodiscard]] float weight(std::size_t leaf, Family family) const {
    return weights_[leaf][static_cast<std::size_t>(family)];
  }

  // The k best turns, best first. `prune` false: every posting is scored; the result is the same.
  std::vector<Candidate> best_turns(const Selection& selection, std::size_t k, bool prune = true);

  // For each turn, row by row, the best weighted contribution of each leaf to one of its documents;
  // and the tags of documents that hold any of them, a bit each (kConclusionBit: the conclusion).
  struct TurnEvidence {
    std::vector<std::int32_t> best;
    std::vector<std::uint16_t> tags;
  };
  static constexpr std::uint16_t kConclusionBit = 1 << 15;
  TurnEvidence turn_evidence(std::span<const TurnOrd> turns, const Selection& selection);
  // For each session how often each leaf occurs in its conversation, and how long that is.
  struct SessionEvidence {
    std::vector<std::uint32_t> counts;   // row by row
    std::vector<std::uint32_t> lengths;  // a session each
  };
  SessionEvidence session_evidence(std::span<const SessionOrd> sessions);
  // In how many living sessions each leaf occurs in the conversation.
  std::vector<std::uint32_t> session_frequencies();

  // Of each turn the tags of selected documents that hold any of the leaves, a bit each; 0: none
  // does. Every posting is looked at.
  std::vector<std::uint16_t> tags_of_turns(const Selection& selection);
  // Adds the turns that hold the leaf in a document the weights select.
  void add_turns(std::size_t leaf, const Weights& weights, TurnSet& turns);

 private:
  struct List {
    std::uint16_t leaf = 0;
    PostingList postings;
  };
  struct SegmentLists {  // one segment that has at least one of the leaves
    std::uint32_t segment = 0;
    std::vector<List> lists;
  };
  explicit Search(std::shared_ptr<const Snapshot> snapshot) : snapshot_(std::move(snapshot)) {}
  Status expand_prefixes();
  Status find_lists(Family family);
  void weigh_leaves();
  Status open_lists(const LiveSegment& live, std::size_t number, float average,
                    std::vector<PostingList>& lists);
  friend class WindowScorer;

  std::shared_ptr<const Snapshot> snapshot_;
  std::vector<Leaf> leaves_;
  std::vector<std::uint32_t> hashes_;  // of leaves that are one term
  std::array<std::vector<SegmentLists>, kFamilies> lists_;
  std::vector<std::array<std::uint64_t, kFamilies>> frequencies_;
  std::vector<std::array<float, kFamilies>> weights_;
  std::array<LengthNorm, kFamilies> norms_{};
};

// Adds the turns with a marker (marker.hpp) whose value fits.
Status add_turns_with_marker(const Snapshot& snapshot, Marker kind,
                             const std::function<bool(std::string_view value)>& fits,
                             TurnSet& turns);
// Visits every value of a marker that any of these turns has, in the order of bytes, with how many
// of them have it.
Status count_marked(const Snapshot& snapshot, Marker kind, const TurnSet& among,
                    const std::function<void(std::string_view value, std::uint64_t turns)>& visit);

}  // namespace yore::lexical
