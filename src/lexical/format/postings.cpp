#include "lexical/format/postings.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/varint.hpp"
#include "lexical/format/bitpack.hpp"

namespace yore::lexical {
namespace {

static_assert(kBlock == kPacked);

void write_varints(const Doc* docs, const std::uint32_t* tfs, std::uint32_t count, Doc base,
                   std::string& out) {
  for (std::uint32_t i = 0; i < count; ++i) {
    put_varint(out, (docs[i] - base) << 1 | static_cast<std::uint32_t>(tfs[i] > 1));
    if (tfs[i] > 1) put_varint(out, tfs[i]);
    base = docs[i];
  }
}

// One full block; the widths go into its meta.
void write_block(const Doc* docs, const std::uint32_t* tfs, Doc base, BlockMeta& meta,
                 std::string& out) {
  std::array<std::uint32_t, kBlock> gaps;
  std::array<std::uint32_t, kBlock> counts;
  std::uint32_t all_gaps = 0;
  std::uint32_t all_counts = 0;
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    gaps[i] = docs[i] - base;
    counts[i] = tfs[i] - 1;
    base = docs[i];
    all_gaps |= gaps[i];
    all_counts |= counts[i];
  }
  meta.doc_bits = static_cast<std::uint8_t>(bits_for(all_gaps));
  meta.tf_bits = static_cast<std::uint8_t>(bits_for(all_counts));
  pack128(gaps.data(), meta.doc_bits, out);
  pack128(counts.data(), meta.tf_bits, out);
}

// The largest impact of these documents.
float largest_impact(const Doc* docs, const std::uint32_t* tfs, std::uint32_t count,
                     std::span<const std::uint16_t> lengths, const LengthNorm& norm) {
  float impact = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    impact = std::max(impact, norm.impact(tfs[i], lengths[docs[i]]));
  }
  return impact;
}

// Positions of `count` documents from `first` on. In a list with stems, which have no positions,
// each document's are preceded by their number.
void write_positions(const TermPostings& list, std::uint32_t first, std::uint32_t count,
                     bool has_stems, std::string& out) {
  const auto begin_of = [&](std::uint32_t i) { return i == 0 ? 0 : list.ends[i - 1]; };
  if (!has_stems) {
    const std::uint32_t begin = begin_of(first);
    out.append(list.positions.data() + begin, list.ends[first + count - 1] - begin);
    return;
  }
  for (std::uint32_t i = first; i < first + count; ++i) {
    put_varint(out, list.exact[i]);
    out.append(list.positions.data() + begin_of(i), list.ends[i] - begin_of(i));
  }
}

}  // namespace

std::uint16_t bound_of(float impact) {
  const float scaled = std::ceil(impact * 65535.0F + 0.5F);
  return static_cast<std::uint16_t>(std::min(scaled, 65535.0F));
}

void TermPostings::reserve(std::size_t documents, std::size_t bytes) {
  if (docs.size() < count + documents) {
    const std::size_t room = 2 * (count + documents);
    docs.resize(room);
    tfs.resize(room);
    exact.resize(room);
    ends.resize(room);
  }
  if (positions.size() < position_bytes() + bytes) {
    positions.resize(2 * (position_bytes() + bytes));
  }
}

void write_postings(const TermPostings& list, std::span<const std::uint16_t> lengths, float average,
                    std::string& postings, std::string& positions, TermEntry& entry) {
  const auto count = static_cast<std::uint32_t>(list.count);
  const LengthNorm norm = LengthNorm::of(average);
  const bool is_short = count < kBlock;
  const std::uint32_t blocks = (count + kBlock - 1) / kBlock;
  if (!is_short) postings.resize((postings.size() + 3) & ~std::size_t{3});
  entry.documents = count;
  entry.postings = static_cast<std::uint32_t>(postings.size());
  entry.positions = static_cast<std::uint32_t>(positions.size());
  entry.bound = 0;
  const bool has_stems =
      !std::equal(list.tfs.begin(), list.tfs.begin() + count, list.exact.begin());
  entry.flags = has_stems ? kHasStems : std::uint8_t{0};

  const std::size_t table = postings.size();
  if (!is_short) postings.resize(table + blocks * sizeof(BlockMeta));
  const std::size_t data = postings.size();
  const std::size_t position_base = positions.size();
  Doc base = 0;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const std::uint32_t first = block * kBlock;
    const std::uint32_t size = std::min(kBlock, count - first);
    BlockMeta meta{};
    meta.last = list.docs[first + size - 1];
    meta.offset = static_cast<std::uint32_t>(postings.size() - data);
    meta.positions = static_cast<std::uint32_t>(positions.size() - position_base);
    write_positions(list, first, size, has_stems, positions);
    meta.bound = bound_of(largest_impact(&list.docs[first], &list.tfs[first], size, lengths, norm));
    entry.bound = std::max(entry.bound, meta.bound);
    if (size == kBlock) {
      write_block(&list.docs[first], &list.tfs[first], base, meta, postings);
    } else {
      meta.doc_bits = kVarintBlock;
      write_varints(&list.docs[first], &list.tfs[first], size, base, postings);
    }
    base = meta.last;
    if (!is_short) {
      std::memcpy(postings.data() + table + block * sizeof(BlockMeta), &meta, sizeof meta);
    }
  }
}

PostingList::PostingList(const Segment& segment, const TermEntry& entry)
    : size_(entry.documents),
      bound_(entry.bound),
      has_stems_((entry.flags & kHasStems) != 0),
      bound_average_(segment.bound_average()) {
  block_count_ = (size_ + kBlock - 1) / kBlock;
  positions_ = segment.positions().data() + entry.positions;
  const char* from = segment.postings().data() + entry.postings;
  if (size_ >= kBlock) {
    metas_ = reinterpret_cast<const BlockMeta*>(from);
    data_ = from + block_count_ * sizeof(BlockMeta);
    return;
  }
  data_ = from;
  single_.bound = bound_;
  single_.doc_bits = kVarintBlock;
  if (size_ > 0) {
    decode_varints(data_, size_, 0);
    decoded_ = 0;
    decoded_size_ = size_;
    single_.last = room_->docs[size_ - 1];
  }
}

PostingList::PostingList(std::vector<Doc> docs, std::vector<std::uint32_t> tfs,
                         std::span<const std::uint16_t> lengths, float average)
    : size_(static_cast<std::uint32_t>(docs.size())),
      bound_average_(average),
      own_docs_(std::move(docs)),
      own_tfs_(std::move(tfs)) {
  block_count_ = (size_ + kBlock - 1) / kBlock;
  own_metas_.resize(block_count_);
  const LengthNorm norm = LengthNorm::of(average);
  for (std::uint32_t block = 0; block < block_count_; ++block) {
    const std::uint32_t first = block * kBlock;
    const std::uint32_t end = std::min(size_, first + kBlock);
    own_metas_[block].last = own_docs_[end - 1];
    own_metas_[block].bound =
        bound_of(largest_impact(&own_docs_[first], &own_tfs_[first], end - first, lengths, norm));
    bound_ = std::max(bound_, own_metas_[block].bound);
  }
  metas_ = own_metas_.data();
}

std::uint32_t PostingList::block_at(std::uint32_t from, Doc doc) const {
  // Mostly the next one or close by: gallop, then halve.
  std::uint32_t step = 1;
  std::uint32_t low = from;
  std::uint32_t high = from;
  while (high < block_count_ && last(high) < doc) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = std::min(high, block_count_);
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (last(middle) < doc) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::span<const Doc> PostingList::decode_docs(std::uint32_t block) {
  const bool packed =
      own_metas_.empty() && metas_ != nullptr && metas_[block].doc_bits != kVarintBlock;
  if (!packed || decoded_ == block) {
    const Block both = decode(block);
    return {both.docs, both.size};
  }
  if (room_ == nullptr) room_ = std::make_unique_for_overwrite<Decoded>();
  decoded_ = kNone;
  const Doc base = block == 0 ? 0 : metas_[block - 1].last;
  unpack128_sums(data_ + metas_[block].offset, metas_[block].doc_bits, base, room_->docs.data());
  return room_->docs;
}

PostingList::Block PostingList::decode(std::uint32_t block) {
  if (!own_metas_.empty()) {
    const std::uint32_t first = block * kBlock;
    return {&own_docs_[first], &own_tfs_[first], std::min(kBlock, size_ - first)};
  }
  if (decoded_ != block) {
    decoded_ = block;
    decoded_size_ = std::min(kBlock, size_ - block * kBlock);
    const BlockMeta& meta = metas_[block];
    const Doc base = block == 0 ? 0 : metas_[block - 1].last;
    const char* from = data_ + meta.offset;
    if (meta.doc_bits == kVarintBlock) {
      decode_varints(from, decoded_size_, base);
    } else {
      if (room_ == nullptr) room_ = std::make_unique_for_overwrite<Decoded>();
      unpack128_sums(from, meta.doc_bits, base, room_->docs.data());
      unpack128(from + packed_bytes(meta.doc_bits), meta.tf_bits, room_->tfs.data());
      for (std::uint32_t& tf : room_->tfs) ++tf;
    }
  }
  return {room_->docs.data(), room_->tfs.data(), decoded_size_};
}

void PostingList::decode_varints(const char* from, std::uint32_t count, Doc base) {
  if (room_ == nullptr) room_ = std::make_unique_for_overwrite<Decoded>();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t value = get_varint(from);
    base += value >> 1;
    room_->docs[i] = base;
    room_->tfs[i] = (value & 1) != 0 ? get_varint(from) : 1;
  }
}

const char* PostingList::positions_of_block() const {
  return size_ >= kBlock ? positions_ + metas_[decoded_].positions : positions_;
}

void PostingList::exact_positions(std::uint32_t index, std::vector<std::uint32_t>& out) const {
  out.clear();
  const char* from = positions_of_block();
  for (std::uint32_t i = 0; i <= index; ++i) {
    std::uint32_t at = 0;
    const std::uint32_t count = has_stems_ ? get_varint(from) : room_->tfs[i];
    for (std::uint32_t k = 0; k < count; ++k) {
      at += get_varint(from);
      if (i == index) out.push_back(at);
    }
  }
}

}  // namespace yore::lexical
