// postings.hpp — one term's documents in one segment: written once, read block by block.
//
// A list of fewer than 128 documents is varints: (difference << 1 | more than once), then how often
// when it is more than once. A longer one is a table of BlockMeta and blocks of 128 documents:
// packed differences, packed (how often - 1); the last, shorter block is varints again. Positions
// lie apart and are read for phrases only: per document as many varints as it has the very word,
// each the difference to the one before; words that came by their stem have none (kHasStems).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/varint.hpp"
#include "lexical/format/segment.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

// tf / (tf + K) of one document, K = c0 + c1 * length. The one place where this is computed: all
// ways of scoring give the same bits.
struct LengthNorm {
  float c0 = 0;
  float c1 = 0;
  static LengthNorm of(float average) { return {kK1 * (1 - kB), kK1 * kB / average}; }
  [[nodiscard]] float impact(std::uint32_t tf, std::uint32_t length) const {
    // By way of int32: neither is that large, and every processor converts those four at a time.
    const auto count = static_cast<float>(static_cast<std::int32_t>(tf));
    const float k = c0 + c1 * static_cast<float>(static_cast<std::int32_t>(length));
    return count / (count + k);
  }
};
// A BM25 contribution in units of 1/kScoreOne; `weight` = idf * boost * kScoreOne. Never zero:
// every document that holds the term is found.
inline std::int32_t contribution(float weight, float impact) {
  return std::max(1, static_cast<std::int32_t>(weight * impact));
}

// Rounded up, so that a bound stays one.
std::uint16_t bound_of(float impact);

// What a builder or a merge knows of one term, in order of documents. Used for one term after the
// other: the vectors only grow, `count` documents of them count.
struct TermPostings {
  std::size_t count = 0;
  std::vector<Doc> docs;
  std::vector<std::uint32_t> tfs;
  std::vector<std::uint32_t> exact;  // how many of these are the very word
  std::vector<std::uint32_t> ends;   // of a document's bytes in `positions`
  std::vector<char> positions;       // as they are written

  void clear() { count = 0; }
  [[nodiscard]] std::uint32_t position_bytes() const { return count == 0 ? 0 : ends[count - 1]; }
  // Makes room for this many more documents and bytes of positions.
  void reserve(std::size_t documents, std::size_t bytes);
};

// Appends the lists and fills `entry` except its text and hash.
void write_postings(const TermPostings& list, std::span<const std::uint16_t> lengths, float average,
                    std::string& postings, std::string& positions, TermEntry& entry);

// A list opened for reading. Blocks are decoded on demand and kept until another one is.
class PostingList {
 public:
  // REQUIRES: the list was checked, or its segment is trusted.
  PostingList(const Segment& segment, const TermEntry& entry);
  // A list made by hand (phrases, prefixes): takes the vectors over.
  PostingList(std::vector<Doc> docs, std::vector<std::uint32_t> tfs,
              std::span<const std::uint16_t> lengths, float average);

  [[nodiscard]] std::uint32_t size() const { return size_; }  // documents
  [[nodiscard]] std::uint32_t blocks() const { return block_count_; }
  [[nodiscard]] Doc last(std::uint32_t block) const { return table()[block].last; }
  [[nodiscard]] std::uint16_t bound(std::uint32_t block) const { return table()[block].bound; }
  [[nodiscard]] std::uint16_t bound() const { return bound_; }
  // Average length the bounds were made with.
  [[nodiscard]] float bound_average() const { return bound_average_; }

  // The first block at or after `from` whose last document is >= doc; blocks() when none.
  [[nodiscard]] std::uint32_t block_at(std::uint32_t from, Doc doc) const;

  struct Block {
    const Doc* docs = nullptr;
    const std::uint32_t* tfs = nullptr;
    std::uint32_t size = 0;
    // The first place whose document is at or after `doc`; `size` when none.
    [[nodiscard]] std::uint32_t place_of(Doc doc) const {
      if (size != kBlock) {
        return static_cast<std::uint32_t>(std::lower_bound(docs, docs + size, doc) - docs);
      }
      // Halving without a branch: which way it goes, nobody can guess.
      std::uint32_t place = 0;
      for (std::uint32_t step = kBlock / 2; step > 0; step /= 2) {
        place += docs[place + step - 1] < doc ? step : 0;
      }
      return place + (docs[place] < doc ? 1 : 0);
    }
  };
  // Valid until another block is decoded.
  Block decode(std::uint32_t block);
  // The same without how often.
  std::span<const Doc> decode_docs(std::uint32_t block);

  // Positions of the very word in document `index` of the decoded block.
  // REQUIRES: opened from a segment; the block is the one last decoded.
  void exact_positions(std::uint32_t index, std::vector<std::uint32_t>& out) const;
  // Calls visit(index, how often the very word, the bytes of its positions) for each document of
  // the decoded block.
  template <typename Visit>
  void each_positions(Visit visit) const {
    const char* from = positions_of_block();
    for (std::uint32_t i = 0; i < decoded_size_; ++i) {
      const std::uint32_t exact = has_stems_ ? get_varint(from) : room_->tfs[i];
      const char* const begin = from;
      skip_varints(from, exact);
      visit(i, exact, std::string_view(begin, static_cast<std::size_t>(from - begin)));
    }
  }

 private:
  void decode_varints(const char* from, std::uint32_t count, Doc base);
  [[nodiscard]] const char* positions_of_block() const;
  // The table of a short list is in the object itself, which may move.
  [[nodiscard]] const BlockMeta* table() const { return metas_ != nullptr ? metas_ : &single_; }

  std::uint32_t size_ = 0;
  std::uint32_t block_count_ = 0;
  std::uint16_t bound_ = 0;
  bool has_stems_ = false;
  float bound_average_ = 1;
  const BlockMeta* metas_ = nullptr;  // null: single_
  const char* data_ = nullptr;
  const char* positions_ = nullptr;
  BlockMeta single_{};                // the table of a short list
  std::vector<BlockMeta> own_metas_;  // and of one made by hand
  std::vector<Doc> own_docs_;
  std::vector<std::uint32_t> own_tfs_;

  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::uint32_t decoded_ = kNone;
  std::uint32_t decoded_size_ = 0;
  struct Decoded {
    std::array<Doc, kBlock> docs;
    std::array<std::uint32_t, kBlock> tfs;
  };
  std::unique_ptr<Decoded> room_;  // made for the first block, so that a list is quick to move
};

}  // namespace yore::lexical
