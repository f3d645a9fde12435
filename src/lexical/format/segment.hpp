// segment.hpp — an immutable inverted index over some documents of one family, read in place.
//
// The bytes (docs/format.md) lie in a mapped file or in a frame of the log; the same code reads
// both. Checksums cover blocks of 16 KB and are verified when a block is first needed, so opening
// costs the same however large a segment is.
//
// Threads: all const members may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

// All little-endian; never changed, only versioned.
struct TermEntry {
  std::uint32_t hash;
  std::uint32_t text;       // offset into the term texts
  std::uint32_t documents;  // that hold it, dead ones included
  std::uint32_t postings;   // offset into the postings
  std::uint32_t positions;  // offset into the positions
  std::uint16_t bound;      // largest tf / (tf + K) of the list, in 1/65535, rounded up
  std::uint8_t text_size;
  std::uint8_t flags;
};
static_assert(sizeof(TermEntry) == 24);

// Some documents hold the term only, or also, by words whose stem it is: these have no positions,
// and the positions of each document begin with how many there are.
inline constexpr std::uint8_t kHasStems = 1;

// Postings in a block; the last block of a list may be shorter and is coded byte by byte.
inline constexpr std::uint32_t kBlock = 128;
inline constexpr std::uint8_t kVarintBlock = 255;
struct BlockMeta {
  std::uint32_t last;       // document
  std::uint32_t offset;     // of its bytes, from the first block's
  std::uint32_t positions;  // of its positions, from the list's
  std::uint16_t bound;
  std::uint8_t doc_bits;  // kVarintBlock: varints
  std::uint8_t tf_bits;
};
static_assert(sizeof(BlockMeta) == 16);

// Consecutive documents of one turn (one session), sorted by owner, then by first.
struct TurnRun {
  TurnOrd turn;
  Doc first;
  std::uint32_t count;
};
struct SessionRun {
  SessionOrd session;
  Doc first;
  std::uint32_t count;
  std::uint32_t length;  // positions in these documents together
};

class Segment {
 public:
  // The bytes must outlive the segment and begin at an address divisible by 8. corrupt: not a
  // segment, or its header does not hold. `trusted`: the caller has verified all bytes.
  static Result<Segment> open(std::string_view bytes, bool trusted);
  // A copy is cheap: it reads the same bytes and shares what has been verified of them.
  Segment(const Segment&);
  Segment& operator=(const Segment&);
  Segment(Segment&&) noexcept;
  Segment& operator=(Segment&&) noexcept;
  ~Segment();

  [[nodiscard]] std::uint32_t documents() const { return documents_; }
  [[nodiscard]] std::uint32_t terms() const { return static_cast<std::uint32_t>(entries_.size()); }
  [[nodiscard]] std::uint32_t counted() const { return counted_; }  // documents with text
  [[nodiscard]] std::uint64_t total_length() const { return total_length_; }
  // Average length that the bounds were made with.
  [[nodiscard]] float bound_average() const { return bound_average_; }

  [[nodiscard]] std::span<const DocKey> keys() const { return keys_; }  // ascending
  [[nodiscard]] std::span<const TurnOrd> turns() const { return turns_; }
  [[nodiscard]] std::span<const std::uint16_t> lengths() const { return lengths_; }
  [[nodiscard]] std::span<const std::uint16_t> blocks() const { return blocks_; }
  [[nodiscard]] std::span<const std::uint8_t> tags() const { return tags_; }
  // By which the vector of a text is known; 0: the document has none. Empty: none of them has.
  [[nodiscard]] std::span<const std::uint64_t> text_hashes() const { return text_hashes_; }
  [[nodiscard]] std::span<const TurnRun> turn_runs() const { return turn_runs_; }
  [[nodiscard]] std::span<const SessionRun> session_runs() const { return session_runs_; }

  // Terms are sorted by their bytes.
  [[nodiscard]] std::span<const TermEntry> entries() const { return entries_; }
  [[nodiscard]] std::string_view text(const TermEntry& entry) const;
  // Null: no document has it. All that look something up verify what they touch: corrupt when the
  // bytes are damaged.
  [[nodiscard]] Result<const TermEntry*> find(std::string_view term) const;
  [[nodiscard]] Result<const TermEntry*> find(std::string_view term, std::uint32_t hash) const;
  // Terms with these hashes are looked up soon: brings their slots, then, in a second step, their
  // entries closer. Many of them together wait for memory once.
  void prefetch_slots(std::span<const std::uint32_t> hashes) const;
  void prefetch_entries(std::span<const std::uint32_t> hashes) const;
  // Entries whose text begins with `prefix`.
  [[nodiscard]] Result<std::span<const TermEntry>> find_prefix(std::string_view prefix) const;
  [[nodiscard]] Status check_list(const TermEntry& entry) const;
  [[nodiscard]] Status check_positions(const TermEntry& entry) const;
  // All that scoring reads: everything about a document but its key and the hash of its text.
  [[nodiscard]] Status check_columns() const;
  [[nodiscard]] Status check_key(Doc doc) const;
  [[nodiscard]] Status check_length(Doc doc) const;
  [[nodiscard]] Status check_text_hashes() const;
  [[nodiscard]] Status check_all() const;

  [[nodiscard]] std::string_view postings() const { return postings_; }
  [[nodiscard]] std::string_view positions() const { return positions_; }

 private:
  struct Checks;
  Segment() = default;
  [[nodiscard]] Status verify(const void* from, std::size_t size) const;

  std::string_view bytes_;
  std::uint32_t documents_ = 0;
  std::uint32_t counted_ = 0;
  std::uint64_t total_length_ = 0;
  float bound_average_ = 1;
  std::span<const DocKey> keys_;
  std::span<const TurnOrd> turns_;
  std::span<const std::uint16_t> lengths_;
  std::span<const std::uint16_t> blocks_;
  std::span<const std::uint8_t> tags_;
  std::span<const std::uint64_t> text_hashes_;
  std::span<const TurnRun> turn_runs_;
  std::span<const SessionRun> session_runs_;
  std::span<const std::uint32_t> slots_;
  std::span<const TermEntry> entries_;
  std::string_view texts_;
  std::string_view postings_;
  std::string_view positions_;
  std::shared_ptr<Checks> checks_;
};

}  // namespace yore::lexical
