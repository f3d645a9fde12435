#include "lexical/format/segment_format.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/hash.hpp"
#include "lexical/format/postings.hpp"

namespace yore::lexical {
namespace {

// At most two thirds full, so that a search for a term ends soon.
std::vector<std::uint32_t> slot_table(const std::vector<TermEntry>& entries) {
  std::size_t size = 4;
  while (size * 2 < entries.size() * 3) size *= 2;
  std::vector<std::uint32_t> slots(size, 0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::size_t at = entries[i].hash & (size - 1);
    while (slots[at] != 0) at = (at + 1) & (size - 1);
    slots[at] = static_cast<std::uint32_t>(i + 1);
  }
  return slots;
}

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

std::uint32_t term_hash(std::string_view term) {
  return static_cast<std::uint32_t>(hash64(term));
}

void SegmentAssembler::add_document(DocKey key, TurnOrd turn, SessionOrd session, std::uint8_t tag,
                                    std::uint16_t block, std::uint16_t length,
                                    std::uint64_t text_hash) {
  assert(keys_.empty() || keys_.back() < key);
  const Doc doc = documents();
  if (!turn_runs_.empty() && turn_runs_.back().turn == turn) {
    ++turn_runs_.back().count;
  } else {
    turn_runs_.push_back({turn, doc, 1});
  }
  if (!session_runs_.empty() && session_runs_.back().session == session) {
    ++session_runs_.back().count;
    session_runs_.back().length += length;
  } else {
    session_runs_.push_back({session, doc, 1, length});
  }
  keys_.push_back(key);
  turns_.push_back(turn);
  lengths_.push_back(length);
  blocks_.push_back(block);
  tags_.push_back(tag);
  if (text_hash != 0 || !text_hashes_.empty()) {
    text_hashes_.resize(doc);
    text_hashes_.push_back(text_hash);
  }
  total_length_ += length;
  if (length > 0) ++counted_;
}

float SegmentAssembler::average() const {
  if (counted_ == 0) return 1;
  return static_cast<float>(static_cast<double>(total_length_) / counted_);
}

void SegmentAssembler::add_term(std::string_view text, const TermPostings& list) {
  TermEntry entry{};
  entry.hash = term_hash(text);
  entry.text = static_cast<std::uint32_t>(texts_.size());
  entry.text_size = static_cast<std::uint8_t>(text.size());
  texts_ += text;
  write_postings(list, lengths_, average(), postings_, positions_, entry);
  entries_.push_back(entry);
}

std::string SegmentAssembler::finish() {
  SegmentHeader header;
  header.documents = documents();
  header.counted = counted_;
  header.terms = static_cast<std::uint32_t>(entries_.size());
  header.total_length = total_length_;
  header.bound_average = average();
  std::ranges::stable_sort(turn_runs_, {}, &TurnRun::turn);
  std::ranges::stable_sort(session_runs_, {}, &SessionRun::session);
  const std::vector<std::uint32_t> slots = slot_table(entries_);
  header.slots = static_cast<std::uint32_t>(slots.size());
  texts_.append(kListPadding, '\0');
  postings_.append(kListPadding, '\0');
  positions_.append(kListPadding, '\0');

  std::string out(sizeof header, '\0');
  const std::string_view sections[] = {bytes_of(keys_),
                                       bytes_of(turns_),
                                       bytes_of(lengths_),
                                       bytes_of(blocks_),
                                       bytes_of(tags_),
                                       bytes_of(text_hashes_),
                                       bytes_of(turn_runs_),
                                       bytes_of(session_runs_),
                                       bytes_of(slots),
                                       bytes_of(entries_),
                                       texts_,
                                       postings_,
                                       positions_};
  std::size_t total = out.size() + kSections * 8;
  for (const std::string_view section : sections) total += section.size();
  out.reserve(total + total / kCheckedBytes * 8 + 64);
  for (std::size_t i = 0; i < std::size(sections); ++i) {
    out.resize(next_section(out.size()));
    header.sections[i] = {out.size(), sections[i].size()};
    out += sections[i];
  }
  out.resize(next_section(out.size()));
  std::vector<std::uint64_t> checks;
  for (std::size_t at = sizeof header; at < out.size(); at += kCheckedBytes) {
    checks.push_back(hash64(std::string_view(out).substr(at, kCheckedBytes)));
  }
  header.sections[kSections - 1] = {out.size(), checks.size() * 8};
  header.checks_hash = hash64(bytes_of(checks));
  out += bytes_of(checks);
  header.hash = hash64({reinterpret_cast<const char*>(&header), offsetof(SegmentHeader, hash)});
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

}  // namespace yore::lexical
