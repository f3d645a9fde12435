#include "lexical/format/segment.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "base/hash.hpp"
#include "lexical/format/segment_format.hpp"

namespace yore::lexical {
namespace {

Error damaged_segment(std::string_view what) {
  return {Errc::corrupt, "a segment of the keyword index is damaged (" + std::string(what) + ")"};
}

template <typename T>
bool place(std::string_view bytes, const SectionPlace& section, std::size_t count,
           std::span<const T>& out) {
  if (section.offset % alignof(T) != 0 || section.size != count * sizeof(T)) return false;
  if (section.offset > bytes.size() || section.size > bytes.size() - section.offset) return false;
  out = {reinterpret_cast<const T*>(bytes.data() + section.offset), count};
  return true;
}

bool place(std::string_view bytes, const SectionPlace& section, std::string_view& out) {
  if (section.offset > bytes.size() || section.size > bytes.size() - section.offset) return false;
  out = bytes.substr(section.offset, section.size);
  return true;
}

// Do the sections lie as they are written? Their sizes are not looked at, but for the padding.
bool in_order(const SegmentHeader& header, std::size_t size) {
  std::uint64_t end = sizeof header;
  for (const SectionPlace& section : header.sections) {
    if (section.offset != next_section(end) || section.size > size) return false;
    end = section.offset + section.size;
  }
  return std::ranges::all_of(
      std::array{Section::texts, Section::postings, Section::positions}, [&](Section list) {
        return header.sections[static_cast<std::size_t>(list)].size >= kListPadding;
      });
}

// Are the bounds of all sections inside `bytes`, and their sizes what the counts say?
template <typename Run>
bool place_runs(std::string_view bytes, const SectionPlace& section, std::span<const Run>& out) {
  return place(bytes, section, section.size / sizeof(Run), out);
}

}  // namespace

// Which blocks of kCheckedBytes have been verified. Two threads may verify the same one: harmless.
struct Segment::Checks {
  explicit Checks(std::span<const std::uint64_t> expected)
      : hashes(expected), done((expected.size() + 63) / 64) {}
  std::span<const std::uint64_t> hashes;
  std::vector<std::atomic<std::uint64_t>> done;
};

Segment::Segment(const Segment&) = default;
Segment& Segment::operator=(const Segment&) = default;
Segment::Segment(Segment&&) noexcept = default;
Segment& Segment::operator=(Segment&&) noexcept = default;
Segment::~Segment() = default;

Result<Segment> Segment::open(std::string_view bytes, bool trusted) {
  SegmentHeader header;
  if (bytes.size() < sizeof header) return damaged_segment("too short");
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0) return damaged_segment("misplaced");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kSegmentMagic) return damaged_segment("no segment");
  if (hash64(bytes.substr(0, offsetof(SegmentHeader, hash))) != header.hash) {
    return damaged_segment("header");
  }
  if (!in_order(header, bytes.size())) return damaged_segment("sections");
  Segment segment;
  segment.bytes_ = bytes;
  segment.documents_ = header.documents;
  segment.counted_ = header.counted;
  segment.total_length_ = header.total_length;
  segment.bound_average_ = header.bound_average;
  const auto section = [&](Section which) -> const SectionPlace& {
    return header.sections[static_cast<std::size_t>(which)];
  };
  const std::size_t docs = header.documents;
  std::span<const std::uint64_t> checks;
  const bool placed =
      place(bytes, section(Section::keys), docs, segment.keys_) &&
      place(bytes, section(Section::turns), docs, segment.turns_) &&
      place(bytes, section(Section::lengths), docs, segment.lengths_) &&
      place(bytes, section(Section::blocks), docs, segment.blocks_) &&
      place(bytes, section(Section::tags), docs, segment.tags_) &&
      place(bytes, section(Section::text_hashes),
            section(Section::text_hashes).size == 0 ? 0 : docs, segment.text_hashes_) &&
      place_runs(bytes, section(Section::turn_runs), segment.turn_runs_) &&
      place_runs(bytes, section(Section::session_runs), segment.session_runs_) &&
      place(bytes, section(Section::slots), header.slots, segment.slots_) &&
      place(bytes, section(Section::entries), header.terms, segment.entries_) &&
      place(bytes, section(Section::texts), segment.texts_) &&
      place(bytes, section(Section::postings), segment.postings_) &&
      place(bytes, section(Section::positions), segment.positions_) &&
      place(bytes, section(Section::checks), section(Section::checks).size / 8, checks);
  if (!placed || header.slots == 0 || (header.slots & (header.slots - 1)) != 0) {
    return damaged_segment("sections");
  }
  const std::size_t covered = section(Section::checks).offset - sizeof header;
  if (checks.size() != (covered + kCheckedBytes - 1) / kCheckedBytes)
    return damaged_segment("checks");
  if (!trusted) {
    const std::string_view table(reinterpret_cast<const char*>(checks.data()), checks.size() * 8);
    if (hash64(table) != header.checks_hash) return damaged_segment("checks");
    segment.checks_ = std::make_shared<Checks>(checks);
  }
  return segment;
}

Status Segment::verify(const void* from, std::size_t size) const {
  if (checks_ == nullptr || size == 0) return {};
  const auto begin = static_cast<std::size_t>(static_cast<const char*>(from) - bytes_.data()) -
                     sizeof(SegmentHeader);
  const std::size_t last = (begin + size - 1) / kCheckedBytes;
  for (std::size_t block = begin / kCheckedBytes; block <= last; ++block) {
    if (block >= checks_->hashes.size()) return damaged_segment("bounds");
    std::atomic<std::uint64_t>& done = checks_->done[block / 64];
    const std::uint64_t bit = std::uint64_t{1} << (block % 64);
    if ((done.load(std::memory_order_relaxed) & bit) != 0) continue;
    const std::size_t at = sizeof(SegmentHeader) + block * kCheckedBytes;
    const auto* const table = reinterpret_cast<const char*>(checks_->hashes.data());
    const std::size_t end = static_cast<std::size_t>(table - bytes_.data());
    const std::size_t length = std::min(kCheckedBytes, end - at);
    if (hash64(bytes_.substr(at, length)) != checks_->hashes[block])
      return damaged_segment("block");
    done.fetch_or(bit, std::memory_order_relaxed);
  }
  return {};
}

Status Segment::check_all() const {
  if (checks_ == nullptr) return {};
  const auto* const table = reinterpret_cast<const char*>(checks_->hashes.data());
  const char* const first = bytes_.data() + sizeof(SegmentHeader);
  Status status = verify(first, static_cast<std::size_t>(table - first));
  if (!status) return status;
  // A header may be whole and still not be that of these entries.
  for (const TermEntry& entry : entries_) {
    if (entry.text + std::size_t{entry.text_size} > texts_.size()) return damaged_segment("text");
    status = check_list(entry);
    if (status) status = check_positions(entry);
    if (!status) return status;
  }
  return {};
}

Status Segment::check_columns() const {
  // Columns lie next to each other, in the order of their sections.
  const auto between = [this](const void* from, const void* to) {
    return verify(from, static_cast<std::size_t>(static_cast<const char*>(to) -
                                                 static_cast<const char*>(from)));
  };
  Status status = between(turns_.data(), tags_.data() + tags_.size());
  return status ? between(turn_runs_.data(), slots_.data()) : status;
}

Status Segment::check_key(Doc doc) const {
  return verify(&keys_[doc], sizeof keys_[doc]);
}

Status Segment::check_length(Doc doc) const {
  return verify(&lengths_[doc], sizeof lengths_[doc]);
}

Status Segment::check_text_hashes() const {
  return verify(text_hashes_.data(), text_hashes_.size_bytes());
}

// A list ends where the next one begins.
Status Segment::check_list(const TermEntry& entry) const {
  const bool last = &entry == &entries_.back();
  const std::size_t end = last ? postings_.size() : (&entry)[1].postings;
  if (entry.postings > end || end > postings_.size()) return damaged_segment("list");
  return verify(postings_.data() + entry.postings, end - entry.postings);
}

Status Segment::check_positions(const TermEntry& entry) const {
  const bool last = &entry == &entries_.back();
  const std::size_t end = last ? positions_.size() : (&entry)[1].positions;
  if (entry.positions > end || end > positions_.size()) return damaged_segment("positions");
  return verify(positions_.data() + entry.positions, end - entry.positions);
}

std::string_view Segment::text(const TermEntry& entry) const {
  if (entry.text + std::size_t{entry.text_size} > texts_.size()) return {};
  return texts_.substr(entry.text, entry.text_size);
}

Result<const TermEntry*> Segment::find(std::string_view term) const {
  return find(term, term_hash(term));
}

Result<const TermEntry*> Segment::find(std::string_view term, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (std::size_t tries = 0; tries < slots_.size(); ++tries) {
    if (Status status = verify(&slots_[at], sizeof slots_[at]); !status) return status.error();
    const std::uint32_t slot = slots_[at];
    if (slot == 0) return nullptr;
    if (slot > entries_.size()) return damaged_segment("slot");
    const TermEntry& entry = entries_[slot - 1];
    if (Status status = verify(&entry, sizeof entry); !status) return status.error();
    if (entry.hash == hash) {
      const std::string_view found = text(entry);
      if (Status status = verify(found.data(), found.size()); !status) return status.error();
      if (found == term) return &entry;
    }
    at = (at + 1) & mask;
  }
  return nullptr;
}

void Segment::prefetch_slots(std::span<const std::uint32_t> hashes) const {
  if (slots_.empty()) return;
  for (const std::uint32_t hash : hashes) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
}

void Segment::prefetch_entries(std::span<const std::uint32_t> hashes) const {
  if (slots_.empty()) return;
  for (const std::uint32_t hash : hashes) {
    // Not verified yet: good enough for a guess.
    const std::uint32_t slot = slots_[hash & (slots_.size() - 1)];
    if (slot != 0 && slot <= entries_.size()) __builtin_prefetch(&entries_[slot - 1]);
  }
}

Result<std::span<const TermEntry>> Segment::find_prefix(std::string_view prefix) const {
  Status status = verify(entries_.data(), entries_.size_bytes());
  if (status) status = verify(texts_.data(), texts_.size());
  if (!status) return status.error();
  const auto begins = [&](const TermEntry& entry) { return text(entry).substr(0, prefix.size()); };
  const auto first = std::ranges::lower_bound(entries_, prefix, {}, begins);
  const auto last = std::ranges::upper_bound(entries_, prefix, {}, begins);
  return std::span<const TermEntry>{first, last};
}

}  // namespace yore::lexical
