#include "lexical/write/term_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace yore::lexical {
namespace {

constexpr std::size_t kFirstSlots = 1 << 10;
constexpr std::uint32_t kWholeInKey = 16;
constexpr std::size_t kAhead = 8;  // look-ups under way at once
constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;

template <typename T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * kOdd;
  return hash ^ hash >> 32;
}

// The first eight bytes as a number that sorts like them.
std::uint64_t prefix_of(std::string_view text) {
  std::uint64_t prefix = 0;
  if (text.size() >= 8) {
    prefix = load<std::uint64_t>(text.data());
    if constexpr (std::endian::native == std::endian::little) prefix = __builtin_bswap64(prefix);
    return prefix;
  }
  for (std::size_t i = 0; i < 8; ++i) {
    prefix = prefix << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  }
  return prefix;
}

}  // namespace

// For the table in memory only: words are short, and a call of the project's hash costs as much as
// all the rest of a look-up. Loads overlap, so that none goes past the text.
TermTable::Key TermTable::Key::of(std::string_view text) {
  Key key;
  key.size = static_cast<std::uint32_t>(text.size());
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (text.size() >= 8) {
    key.first = load<std::uint64_t>(begin);
    key.second = load<std::uint64_t>(end - 8);
    for (const char* at = begin + 8; at + 8 < end && key.size > kWholeInKey; at += 8) {
      key.first = mixed(key.first, load<std::uint64_t>(at));
    }
  } else if (text.size() >= 4) {
    key.first = load<std::uint32_t>(begin);
    key.second = load<std::uint32_t>(end - 4);
  } else if (!text.empty()) {
    key.first = static_cast<unsigned char>(begin[0]) |
                static_cast<unsigned>(static_cast<unsigned char>(begin[text.size() / 2])) << 8 |
                static_cast<unsigned>(static_cast<unsigned char>(end[-1])) << 16;
  }
  const std::uint64_t hash = mixed(mixed(key.first + key.size * kOdd, key.second), key.first);
  key.hash = static_cast<std::uint32_t>(hash ^ hash >> 29);
  return key;
}

TermTable::TermTable() : slots_(kFirstSlots) {}

TermId TermTable::find_or_add(std::string_view text) {
  return find_or_add(Key::of(text), text);
}

const std::vector<TermId>& TermTable::find_or_add(const std::vector<text::Term>& terms) {
  const std::size_t count = terms.size();
  if (keys_.size() < count) keys_.resize(2 * count);
  ids_.resize(count);
  const auto slot = [&](std::size_t i) { return &slots_[keys_[i].hash & (slots_.size() - 1)]; };
  for (std::size_t i = 0; i < count; ++i) {
    keys_[i] = Key::of(terms[i].text);
    __builtin_prefetch(slot(i));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) {
      const TermId next = slot(i + kAhead)->id;
      if (next != kNoTerm) __builtin_prefetch(&entries_[next]);
    }
    ids_[i] = find_or_add(keys_[i], terms[i].text);
  }
  return ids_;
}

TermId TermTable::find_or_add(const Key& key, std::string_view text) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = key.hash & mask; slots_[at].id != kNoTerm; at = (at + 1) & mask) {
    if (slots_[at].hash != key.hash) continue;
    const TermId id = slots_[at].id;
    const Entry& entry = entries_[id];
    if (entry.first != key.first || entry.second != key.second || entry.size != key.size) continue;
    if (key.size <= kWholeInKey || this->text(id) == text) return id;
  }
  return add(key, text);
}

TermId TermTable::add(const Key& key, std::string_view text) {
  if ((entries_.size() + 1) * 2 > slots_.size()) grow();
  const auto id = static_cast<TermId>(entries_.size());
  put(key.hash, id);
  entries_.push_back(
      {key.first, key.second, static_cast<std::uint32_t>(texts_.size()), key.size, key.hash});
  texts_ += text;
  return id;
}

void TermTable::put(std::uint32_t hash, TermId id) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].id != kNoTerm) at = (at + 1) & mask;
  slots_[at] = {hash, id};
}

void TermTable::grow() {
  slots_.assign(slots_.size() * 2, Slot{});
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    put(entries_[i].hash, static_cast<TermId>(i));
  }
}

std::vector<TermId> TermTable::sorted() const {
  struct SortKey {
    std::uint64_t prefix;
    TermId id;
  };
  std::vector<SortKey> keys(size());
  for (TermId id = 0; id < keys.size(); ++id) keys[id] = {prefix_of(text(id)), id};
  std::ranges::sort(keys, [&](const SortKey& a, const SortKey& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : text(a.id) < text(b.id);
  });
  std::vector<TermId> ids(size());
  std::ranges::transform(keys, ids.begin(), &SortKey::id);
  return ids;
}

}  // namespace yore::lexical
