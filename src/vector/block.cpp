#include "vector/block.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "base/hash.hpp"
#include "base/layout.hpp"

namespace yore::vector {
namespace {

constexpr Magic kMagic = {'y', 'o', 'r', 'e', 'v', 'e', 'c', '1'};
constexpr std::size_t kAlign = 64;

struct FileHeader {
  Magic magic = kMagic;
  std::uint64_t model = 0;
  std::uint64_t birth = 0;
  FileNumber number = 0;
  std::uint64_t dimensions = kDimensions;
  std::array<std::uint64_t, 2> unused{};
  std::uint64_t hash = 0;  // of the bytes before
};
static_assert(sizeof(FileHeader) == kFileHeaderBytes);

struct BlockHeader {
  std::uint64_t size = 0;  // of the block with this header
  std::uint64_t rows = 0;
  std::uint64_t directory = 0;     // entries: 0, or a power of two from 2 on and one more
  std::uint64_t columns_hash = 0;  // of the bytes between this header and the vectors
  std::uint64_t vectors_hash = 0;
  std::array<std::uint64_t, 2> unused{};
  std::uint64_t hash = 0;  // of the bytes before
};
static_assert(sizeof(BlockHeader) == kAlign);

template <typename Header>
std::uint64_t hash_of(const Header& header) {
  return hash64(raw_bytes(header).substr(0, sizeof header - sizeof header.hash));
}

std::uint64_t aligned(std::uint64_t size) {
  return (size + kAlign - 1) & ~std::uint64_t{kAlign - 1};
}

std::uint64_t head_bytes(std::uint64_t rows, std::uint64_t directory) {
  return aligned(sizeof(BlockHeader) + rows * sizeof(TextHash) + padded(rows * sizeof(float)) +
                 directory * sizeof(std::uint32_t));
}

// A name's bucket is its leading bits: what is left when it is shifted by this.
int bucket_shift(std::size_t directory_entries) {
  return 64 - std::countr_zero(directory_entries - 1);
}

// One or two names a bucket: a name and its neighbours are then on one line of the cache.
std::vector<std::uint32_t> make_directory(std::span<const TextHash> sorted) {
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(sorted.size() / 2, 2));
  const int shift = bucket_shift(buckets + 1);
  std::vector<std::uint32_t> directory(buckets + 1);
  for (const TextHash text : sorted) ++directory[(text >> shift) + 1];
  for (std::size_t i = 1; i <= buckets; ++i) directory[i] += directory[i - 1];
  return directory;
}

// 0 bytes: no header.
BlockHeader read_header(std::string_view bytes) {
  BlockHeader header;
  if (bytes.size() < sizeof header) return {};
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.hash != hash_of(header) || header.rows >= kNoRow || header.directory > kNoRow) {
    return {};
  }
  // Two buckets at least: no name may be shifted by all its bits.
  if (header.directory != 0 &&
      (header.directory < 3 || !std::has_single_bit(header.directory - 1))) {
    return {};
  }
  const std::uint64_t size = head_bytes(header.rows, header.directory) + header.rows * kDimensions;
  return header.size == size ? header : BlockHeader{};
}

}  // namespace

Error damaged(std::string_view what) {
  return {Errc::corrupt, "the vectors are damaged (" + std::string(what) + ")"};
}

std::string encode_file_header(const FileId& id) {
  FileHeader header;
  header.model = id.model;
  header.birth = id.birth;
  header.number = id.number;
  header.hash = hash_of(header);
  return std::string(raw_bytes(header));
}

Result<FileId> read_file_header(std::string_view file) {
  FileHeader header;
  if (file.size() < sizeof header) return damaged("header of a file");
  std::memcpy(&header, file.data(), sizeof header);
  if (header.magic != kMagic || header.hash != hash_of(header) ||
      header.dimensions != kDimensions) {
    return damaged("header of a file");
  }
  return FileId{header.model, header.birth, header.number};
}

std::uint64_t block_size(std::string_view bytes) {
  return read_header(bytes).size;
}

Result<Block> read_block(std::string_view bytes, Check check) {
  const BlockHeader header = read_header(bytes);
  if (header.size == 0 || header.size > bytes.size()) return damaged("header of a block");
  const std::size_t head = head_bytes(header.rows, header.directory);
  const std::string_view columns = bytes.substr(sizeof header, head - sizeof header);
  if (check != Check::none && hash64(columns) != header.columns_hash) {
    return damaged("columns of a block");
  }
  LayoutReader reader(columns);
  Block block;
  block.size = header.size;
  block.texts = reader.array<TextHash>(header.rows);
  block.scales = reader.array<float>(header.rows);
  block.directory = reader.array<std::uint32_t>(header.directory);
  block.vectors = reinterpret_cast<const std::int8_t*>(bytes.data() + head);
  block.vectors_hash = header.vectors_hash;
  if (!reader.ok()) return damaged("columns of a block");
  return block;
}

bool Block::vectors_are_sound() const {
  std::uint64_t hash = 0;
  for (std::size_t row = 0; row < rows(); row += kPieceRows) {
    const std::size_t count = std::min(kPieceRows, rows() - row);
    hash = hash_vectors({vector(row), count * kDimensions}, hash);
  }
  return hash == vectors_hash;
}

std::size_t Block::place_of(TextHash text, std::size_t begin) const {
  constexpr std::size_t kNear = 4;
  if (begin + kNear < texts.size()) {
    std::size_t smaller = 0;
    for (std::size_t i = 0; i < kNear; ++i) {
      smaller += static_cast<std::size_t>(texts[begin + i] < text);
    }
    if (smaller < kNear) return begin + smaller;
  }
  const std::size_t end = directory[(text >> bucket_shift(directory.size())) + 1];
  const auto names = texts.subspan(begin, end - begin);
  return begin + static_cast<std::size_t>(std::ranges::lower_bound(names, text) - names.begin());
}

void Block::find(std::span<const TextHash> wanted, std::span<Row> found) const {
  constexpr std::size_t kBatch = 32;  // as many misses of the cache are under way at once
  const int shift = bucket_shift(directory.size());
  std::array<std::uint32_t, kBatch> begin{};
  for (std::size_t at = 0; at < wanted.size(); at += kBatch) {
    const std::size_t count = std::min(kBatch, wanted.size() - at);
    for (std::size_t i = 0; i < count; ++i) {
      __builtin_prefetch(&directory[wanted[at + i] >> shift]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      begin[i] = directory[wanted[at + i] >> shift];
      __builtin_prefetch(texts.data() + begin[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (found[at + i] != kNoRow) continue;
      const std::size_t place = place_of(wanted[at + i], begin[i]);
      const bool here = place < texts.size() && texts[place] == wanted[at + i];
      found[at + i] = here ? first + static_cast<Row>(place) : kNoRow;
    }
  }
}

std::string encode_block_head(const BlockPlan& plan) {
  std::vector<std::uint32_t> directory;
  if (plan.sorted) directory = make_directory(plan.texts);
  BlockHeader header;
  header.rows = plan.texts.size();
  header.directory = directory.size();
  const std::size_t head = head_bytes(header.rows, header.directory);
  header.size = head + header.rows * kDimensions;
  header.vectors_hash = plan.vectors_hash;
  std::string out;
  out.reserve(head);
  LayoutWriter writer(out);
  writer.value(header);
  writer.array(plan.texts);
  writer.bytes({reinterpret_cast<const char*>(plan.scales.data()), plan.scales.size_bytes()});
  writer.array(std::span<const std::uint32_t>(directory));
  out.resize(head);
  header.columns_hash = hash64(std::string_view(out).substr(sizeof header));
  header.hash = hash_of(header);
  out.replace(0, sizeof header, raw_bytes(header));
  return out;
}

std::uint64_t hash_vectors(std::span<const std::int8_t> piece, std::uint64_t before) {
  return hash64({reinterpret_cast<const char*>(piece.data()), piece.size()}, before);
}

}  // namespace yore::vector
