// pack.hpp — passages as they lie in the database: a few dozen together, compressed as one.
//
// One row per passage would cost more for the rows than for the text, and text of 1 KB compresses
// badly. So passages that were written together lie in one pack, an immutable zstd frame over
//
//   varint count
//   count × { varint turn, u8 surface, varint block, varint size_bytes }
//   the texts, one after the other
//
// A pack never holds passages of two sessions. Passage ids are not in it: they are dense from the
// id of its row.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "turns/turn_types.hpp"

namespace yore::store {

// Uncompressed text after which a pack is closed.
inline constexpr std::size_t kPackBytes = 64 << 10;
// No pack decompresses to more than this: a larger claim is corruption.
inline constexpr std::size_t kMaxPackBytes = 64 << 20;

// What a pack holds. What was said is kept apart from the rest, which is ten times as much: a page
// of answers then needs few packs. (Packs of the first version hold both.)
inline constexpr unsigned kSaid = 1;     // prompts and answers
inline constexpr unsigned kDetails = 2;  // everything else
inline constexpr unsigned kAllPassages = kSaid | kDetails;
unsigned kind_of(turns::Surface surface);

struct EncodedPack {
  unsigned kind = kAllPassages;
  std::uint32_t count = 0;
  turns::TurnNumber first_turn = 0;
  turns::TurnNumber last_turn = 0;
  std::string bytes;
};

// Keeps the compressor's tables between calls. Single-threaded; have one per thread.
class PackEncoder {
 public:
  PackEncoder();
  ~PackEncoder();
  PackEncoder(PackEncoder&&) noexcept;
  PackEncoder& operator=(PackEncoder&&) noexcept;

  // All passages in as many packs as it takes; what was said first, each kind in order.
  std::vector<EncodedPack> encode(std::span<const turns::Passage> passages);

 private:
  EncodedPack encode_one(std::span<const turns::Passage* const> passages);
  struct Context;
  std::unique_ptr<Context> context_;
};

Result<std::vector<turns::Passage>> decode_pack(std::string_view bytes);

}  // namespace yore::store
