// block.hpp — rows as they lie in files.
//
//   file    header, 64 bytes; then blocks
//   block   header, 64 bytes
//           names of the texts, 8 bytes each
//           scales, 4 bytes each
//           directory, 4 bytes each; only where the names are sorted
//           vectors, 384 bytes each, from a multiple of 64 on
//
// A file that is appended to has a block per append, in the order of coming. A sealed one has a
// single block, sorted by name and with a directory: that of a name's leading bits says where such
// names begin. Look-up touches no vectors, and a scan nothing but scales and vectors. (A column
// that makes a first pass over fewer bytes would stand before the vectors, in sealed blocks only.)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/publication.hpp"
#include "base/result.hpp"
#include "vector/types.hpp"

namespace yore::vector {

inline constexpr std::size_t kFileHeaderBytes = 64;
// Vectors are hashed and written in pieces of this many rows, each hash the seed of the next.
inline constexpr std::size_t kPieceRows = 1024;

struct FileId {
  std::uint64_t model = 0;
  std::uint64_t birth = 0;
  FileNumber number = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};
// A file that does not hold what it should; `what` says where.
Error damaged(std::string_view what);

std::string encode_file_header(const FileId& id);
// corrupt: it is not whole, or of something else.
Result<FileId> read_file_header(std::string_view file);

// A block where it lies.
struct Block {
  std::uint64_t size = 0;  // bytes, with its header
  std::span<const TextHash> texts;
  std::span<const float> scales;
  std::span<const std::uint32_t> directory;  // empty: names are not sorted
  const std::int8_t* vectors = nullptr;
  std::uint64_t vectors_hash = 0;
  Row first = 0;  // in the set

  [[nodiscard]] std::size_t rows() const { return texts.size(); }
  [[nodiscard]] const std::int8_t* vector(std::size_t row) const {
    return vectors + row * kDimensions;
  }
  // The place of each text that has no row yet and is here. REQUIRES: a directory
  void find(std::span<const TextHash> wanted, std::span<Row> rows) const;
  [[nodiscard]] bool vectors_are_sound() const;

 private:
  // The first place of a name that is not smaller; its bucket begins at `begin`. Names behind a
  // bucket are larger than those in it, so most often a look at the next few decides.
  [[nodiscard]] std::size_t place_of(TextHash text, std::size_t begin) const;
};

enum class Check : std::uint8_t { none, columns };

// Size of the block that `bytes`, at an address divisible by 8, begin with; 0 when there is no
// block header. The block itself may be damaged.
std::uint64_t block_size(std::string_view bytes);
// corrupt: it is not whole. What `check` leaves out was checked before.
Result<Block> read_block(std::string_view bytes, Check check = Check::columns);

// All of a block but its vectors. `sorted`: names are, and get a directory.
struct BlockPlan {
  std::span<const TextHash> texts;
  std::span<const float> scales;
  std::uint64_t vectors_hash = 0;
  bool sorted = false;
};
std::string encode_block_head(const BlockPlan& plan);
// Hash of the next piece of vectors, given the hash of the pieces before it (0 for the first).
std::uint64_t hash_vectors(std::span<const std::int8_t> piece, std::uint64_t before);

}  // namespace yore::vector
