// segment_format.hpp — the bytes of a segment, as docs/format.md draws them. Written by
// SegmentAssembler, read by Segment; nobody else looks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lexical/format/segment.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

inline constexpr std::array<char, 8> kSegmentMagic = {'y', 'o', 'r', 'e', 's', 'e', 'g', '2'};
inline constexpr std::size_t kCheckedBytes = 16 << 10;

enum class Section : std::uint8_t {
  keys,
  turns,
  lengths,
  blocks,
  tags,
  text_hashes,  // of conversation and titles; empty in details
  turn_runs,
  session_runs,
  slots,
  entries,
  texts,
  postings,
  positions,
  checks,  // hash64 of each 16 KB of the file between the header and here
};
inline constexpr std::size_t kSections = 14;

struct SectionPlace {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

// Sections follow the header and each other in their order, each at a multiple of 8: where the one
// begins that follows what ends at `end`.
constexpr std::uint64_t next_section(std::uint64_t end) {
  return (end + 7) & ~std::uint64_t{7};
}
// Zeros at the end of texts, postings and positions: readers may look a few bytes past a list.
inline constexpr std::size_t kListPadding = 16;

struct SegmentHeader {
  std::array<char, 8> magic = kSegmentMagic;
  std::uint32_t documents = 0;
  std::uint32_t counted = 0;
  std::uint32_t terms = 0;
  std::uint32_t slots = 0;  // a power of two
  std::uint64_t total_length = 0;
  float bound_average = 1;
  std::uint32_t reserved = 0;
  std::array<SectionPlace, kSections> sections{};
  std::uint64_t checks_hash = 0;  // of the section of checks
  std::uint64_t hash = 0;         // of all header bytes before
};
static_assert(sizeof(SegmentHeader) % 8 == 0);

// Collects columns and terms and lays them down.
class SegmentAssembler {
 public:
  void add_document(DocKey key, TurnOrd turn, SessionOrd session, std::uint8_t tag,
                    std::uint16_t block, std::uint16_t length, std::uint64_t text_hash);
  [[nodiscard]] const std::vector<std::uint16_t>& lengths() const { return lengths_; }
  [[nodiscard]] std::uint32_t documents() const { return static_cast<std::uint32_t>(keys_.size()); }
  // Call after the last document and before the first term.
  [[nodiscard]] float average() const;
  // Terms in the order of their bytes.
  void add_term(std::string_view text, const struct TermPostings& list);
  // The segment; the assembler is spent.
  std::string finish();

 private:
  std::vector<DocKey> keys_;
  std::vector<TurnOrd> turns_;
  std::vector<std::uint16_t> lengths_;
  std::vector<std::uint16_t> blocks_;
  std::vector<std::uint8_t> tags_;
  std::vector<std::uint64_t> text_hashes_;  // empty while all are 0
  std::vector<TurnRun> turn_runs_;
  std::vector<SessionRun> session_runs_;
  std::vector<TermEntry> entries_;
  std::string texts_;
  std::string postings_;
  std::string positions_;
  std::uint64_t total_length_ = 0;
  std::uint32_t counted_ = 0;
};

std::uint32_t term_hash(std::string_view term);

}  // namespace yore::lexical
