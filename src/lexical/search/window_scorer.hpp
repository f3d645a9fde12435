// window_scorer.hpp — scores one segment, window by window, leaving out what cannot matter.
//
// A window is 4096 consecutive documents with one accumulator each. For every list the largest
// contribution within the window is known (block bounds). Lists are split by that bound: those
// whose bounds together stay below the threshold can only add to documents that another list has
// found, so they are not walked but asked, and only for documents that may still get there
// (MaxScore with block bounds). Where all bounds together stay below, the window is skipped.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lexical/search/collector.hpp"
#include "lexical/search/search.hpp"

namespace yore::lexical {

class WindowScorer {
 public:
  // What the scorers of one search share, one after the other: fresh memory for every segment would
  // cost a tenth of a search.
  class Room;

  // Takes up to `lists` lists.
  WindowScorer(const Search& search, Family family, std::uint32_t segment,
               const Selection& selection, bool prune, std::size_t lists, Room& room);
  // `weight` in 1/kScoreOne points.
  void add(PostingList& list, float weight);
  void run(Collector& collector);

 private:
  static constexpr std::uint32_t kWindow = 4096;
  static constexpr std::uint32_t kStep = 32;  // of find_reaching

  struct Track {
    PostingList* list = nullptr;
    float weight = 0;
    float bound_scale = 0;        // from a stored bound to a contribution
    std::uint32_t block = 0;      // first that reaches into the window
    std::uint32_t block_end = 0;  // behind the last that does
    std::int32_t bound = 0;       // in this window
    std::uint32_t scored = UINT32_MAX;
    std::array<std::int32_t, kBlock> scores;
  };
  struct Found {
    Doc doc = 0;
    std::int32_t score = 0;
    std::uint32_t weight = 0;
  };

  [[nodiscard]] std::int32_t bound_of_block(const Track& track, std::uint32_t block) const;
  [[nodiscard]] std::int32_t score_of(const Track& track, Doc doc, std::uint32_t tf) const;
  // Enters the window; the sum of all bounds.
  std::int64_t enter(Doc low, Doc high);
  void score_block(Track& track, std::uint32_t block, const PostingList::Block& docs);
  void walk(Track& track, Doc low, Doc high);
  // What an unweighted sum must reach so that its weighted score can reach the threshold. Weighted
  // scores are never below 1.
  [[nodiscard]] std::int64_t needed(std::uint32_t weight) const;
  // Documents that may get there when lists not walked add `below` at most.
  void gather(Doc low, Doc high, std::int64_t below);
  void ask(Track& track, std::int64_t others);
  void mark_windows();

  const Search& search_;
  const LiveSegment& live_;
  const Catalog& catalog_;
  const Selection& selection_;
  Family family_;
  std::uint32_t segment_;
  LengthNorm norm_;
  float average_;
  bool prune_;
  std::array<std::uint32_t, kTags> most_{};  // a document of this tag can weigh
  std::uint32_t top_weight_ = 0;             // the largest of them
  std::vector<Track> tracks_;
  std::vector<Track*> order_;
  std::int32_t threshold_ = 1;  // in this window
  std::int64_t need_ = 1;       // of a sum in this window, with the largest weight
  std::array<std::int32_t, kWindow>& sums_;
  std::array<std::uint32_t, kWindow>& places_;
  std::vector<Doc>& touched_;
  bool dense_ = false;
  std::vector<Found>& found_;
  std::vector<bool> worth_;  // windows that hold an allowed turn; empty: all
};

class WindowScorer::Room {
 public:
  Room() {}  // places are written before they are read

 private:
  friend class WindowScorer;
  std::array<std::int32_t, kWindow> sums_{};  // all 0 between two windows
  std::array<std::uint32_t, kWindow> places_;
  std::vector<Doc> touched_;
  std::vector<Found> found_;
};

}  // namespace yore::lexical
