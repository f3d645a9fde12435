#include "lexical/term_pool.hpp"

#include <cstring>

namespace yore::lexical {
namespace {
constexpr std::size_t kFirstSlots = 1 << 10;

// For the table in memory only: words are short, and a call of the project's hash costs as much as
// all the rest of a look-up.
std::uint64_t quick_hash(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  std::uint64_t hash = text.size() * kOdd;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  };
  std::uint64_t word = 0;
  while (text.size() >= 8) {
    std::memcpy(&word, text.data(), 8);
    mix(word);
    text.remove_prefix(8);
  }
  word = 0;
  if (text.size() >= 4) {  // two overlapping halves
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, text.data(), 4);
    std::memcpy(&high, text.data() + text.size() - 4, 4);
    word = std::uint64_t{high} << 32 | low;
  } else if (!text.empty()) {
    word = static_cast<unsigned char>(text[0]) |
           std::uint64_t{static_cast<unsigned char>(text[text.size() / 2])} << 8 |
           std::uint64_t{static_cast<unsigned char>(text.back())} << 16;
  }
  mix(word);
  return hash * kOdd ^ hash >> 29;
}

}  // namespace

TermPool::TermPool() : slots_(kFirstSlots, kNoTerm) {}

TermId TermPool::find_or_add(std::string_view text) {
  const std::uint64_t hash = quick_hash(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at] != kNoTerm) {
    const Entry& entry = entries_[slots_[at]];
    if (entry.hash == hash && this->text(slots_[at]) == text) return slots_[at];
    at = (at + 1) & mask;
  }
  const auto id = static_cast<TermId>(entries_.size());
  slots_[at] = id;
  Entry entry;
  entry.hash = hash;
  entry.text = static_cast<std::uint32_t>(texts_.size());
  entry.size = static_cast<std::uint8_t>(text.size());
  entries_.push_back(entry);
  texts_ += text;
  if (entries_.size() * 3 > slots_.size() * 2) grow();
  return id;
}

void TermPool::grow() {
  slots_.assign(slots_.size() * 2, kNoTerm);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t at = entries_[i].hash & mask;
    while (slots_[at] != kNoTerm) at = (at + 1) & mask;
    slots_[at] = static_cast<TermId>(i);
  }
}

void TermPool::next_slice(Entry& entry) {
  const auto start = static_cast<std::uint32_t>(pool_.size());
  if (entry.used) {
    std::memcpy(pool_.data() + entry.end, &start, 4);
    if (entry.level < kLastLevel) ++entry.level;
  } else {
    entry.head = start;
    entry.used = true;
  }
  entry.at = start;
  entry.end = start + kSliceBytes[entry.level];
  pool_.resize(entry.end + 4);
}

void TermPool::put(Entry& entry, std::uint32_t value) {
  while (true) {
    if (entry.at == entry.end) next_slice(entry);
    const bool last = value < 0x80;
    pool_[entry.at++] = static_cast<char>(last ? value : value | 0x80);
    if (last) return;
    value >>= 7;
  }
}

void TermPool::add(TermId id, Doc doc, std::uint32_t position, bool by_stem) {
  Entry& entry = entries_[id];
  if (!entry.used || entry.last_doc != doc) {
    put(entry, (doc - entry.last_doc) << 1 | 1);
    entry.last_doc = doc;
    entry.last_position = 0;
  }
  if (by_stem) return put(entry, 2);
  put(entry, (position - entry.last_position) << 2);
  entry.last_position = position;
}

}  // namespace yore::lexical
