// term_pool.hpp — the dictionary of a segment while it is built: finds or makes a term in a few
// nanoseconds and appends to its list of occurrences.
//
// An occurrence is one varint: a new document (difference << 1 | 1), a position (difference << 2),
// or 2 for a word whose stem this is. Lists grow in slices of one byte pool, each slice twice as
// long as the one before and linked to the next, so that a million short lists and a few very long
// ones both fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lexical/types.hpp"

namespace yore::lexical {

using TermId = std::uint32_t;
inline constexpr TermId kNoTerm = UINT32_MAX;

class TermPool {
 public:
  TermPool();

  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t text = 0;  // offset
    std::uint32_t last_doc = 0;
    std::uint32_t last_position = 0;
    std::uint32_t head = 0;  // first slice
    std::uint32_t at = 0;    // where the next byte goes
    std::uint32_t end = 0;   // of the current slice's room
    TermId stem = kNoTerm;   // itself: it is its own stem, or has none
    std::uint8_t size = 0;   // of the text
    std::uint8_t level = 0;  // of the current slice
    bool used = false;       // has occurrences
  };

  TermId find_or_add(std::string_view text);
  [[nodiscard]] std::string_view text(TermId id) const {
    return {texts_.data() + entries_[id].text, entries_[id].size};
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  Entry& operator[](TermId id) { return entries_[id]; }

  // REQUIRES: documents ascend; positions within a document do not descend.
  void add(TermId id, Doc doc, std::uint32_t position, bool by_stem);
  // Calls visit(doc, position, by_stem) for each occurrence in order; by a stem: position 0.
  template <typename Visit>
  void each(TermId id, Visit visit) const;

  [[nodiscard]] std::size_t memory() const {
    return entries_.capacity() * sizeof(Entry) + slots_.capacity() * 4 + texts_.capacity() +
           pool_.capacity();
  }

 private:
  void grow();
  void put(Entry& entry, std::uint32_t value);
  void next_slice(Entry& entry);

  std::vector<Entry> entries_;
  std::vector<TermId> slots_;
  std::string texts_;
  std::vector<char> pool_;
};

inline constexpr std::uint32_t kSliceBytes[] = {8, 16, 32, 64, 128, 256, 512, 1024, 2048};
inline constexpr std::uint8_t kLastLevel = 8;

template <typename Visit>
void TermPool::each(TermId id, Visit visit) const {
  const Entry& entry = entries_[id];
  if (!entry.used) return;
  std::uint32_t at = entry.head;
  std::uint8_t level = 0;
  std::uint32_t end = at + kSliceBytes[0];
  Doc doc = 0;
  std::uint32_t position = 0;
  const auto byte = [&] {
    if (at == end) {  // the four bytes behind a slice name the next one
      std::uint32_t next = 0;
      for (unsigned i = 0; i < 4; ++i) {
        next |= static_cast<std::uint32_t>(static_cast<unsigned char>(pool_[end + i])) << (8 * i);
      }
      if (level < kLastLevel) ++level;
      at = next;
      end = at + kSliceBytes[level];
    }
    return static_cast<unsigned char>(pool_[at++]);
  };
  while (at != entry.at) {
    std::uint32_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const unsigned char part = byte();
      value |= static_cast<std::uint32_t>(part & 0x7FU) << shift;
      if (part < 0x80) break;
    }
    if ((value & 1) != 0) {
      doc += value >> 1;
      position = 0;
    } else if ((value & 2) != 0) {
      visit(doc, 0, true);
    } else {
      position += value >> 2;
      visit(doc, position, false);
    }
  }
}

}  // namespace yore::lexical
