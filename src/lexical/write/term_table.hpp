// term_table.hpp — the dictionary of a segment while it is built: from a text to its number.
//
// What a look-up compares lies in the entry itself: words of up to 16 bytes are told apart by two
// numbers and their size. All terms of a passage are looked up together, so that the memory they
// need is on its way before it is needed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lexical/format/types.hpp"
#include "text/analyzer.hpp"

namespace yore::lexical {

using TermId = std::uint32_t;
inline constexpr TermId kNoTerm = UINT32_MAX;

class TermTable {
 public:
  TermTable();

  TermId find_or_add(std::string_view text);
  // The number of each term, in their order. Valid until the next call.
  const std::vector<TermId>& find_or_add(const std::vector<text::Term>& terms);

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::string_view text(TermId id) const {
    return {texts_.data() + entries_[id].text, entries_[id].size};
  }
  // All terms in the order of their bytes.
  [[nodiscard]] std::vector<TermId> sorted() const;
  [[nodiscard]] std::size_t memory() const {
    return entries_.capacity() * sizeof(Entry) + slots_.capacity() * sizeof(Slot) +
           texts_.capacity();
  }

 private:
  // A text of up to 16 bytes is held whole, with its size; a longer one as a part and a hash.
  struct Key {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint32_t hash = 0;
    std::uint32_t size = 0;
    static Key of(std::string_view text);
  };
  struct Entry {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint32_t text = 0;  // offset
    std::uint32_t size = 0;
    std::uint32_t hash = 0;
  };
  struct Slot {
    std::uint32_t hash = 0;
    TermId id = kNoTerm;
  };

  TermId find_or_add(const Key& key, std::string_view text);
  TermId add(const Key& key, std::string_view text);
  void put(std::uint32_t hash, TermId id);
  void grow();

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // a power of two
  std::string texts_;
  std::vector<Key> keys_;  // of the terms at hand
  std::vector<TermId> ids_;
};

}  // namespace yore::lexical
