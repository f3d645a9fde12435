// zstd_source.hpp — what a zstd-compressed file holds, as bytes by position.
//
// Made for reading forward: going back starts anew. Memory: two buffers of a block and what a frame
// may look back at (64 MB at most), whatever the file claims. A file that holds more than
// max_unpacked_bytes() is read up to there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/files/file.hpp"
#include "base/result.hpp"
#include "transcript/adapter.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript {

// For a file of this size: 64 MB plus 200 times the size, 4 GB at most. Conversations shrink to a
// fifth or a thirtieth; what shrinks to a ten-thousandth was made to be unpacked.
std::uint64_t max_unpacked_bytes(std::uint64_t packed_bytes);

class ZstdSource final : public ByteSource {
 public:
  static Result<ZstdSource> open(const std::string& path);
  ZstdSource(ZstdSource&&) noexcept;
  ZstdSource& operator=(ZstdSource&&) noexcept;
  ~ZstdSource() override;

  // What stands before a damaged place is read; there the bytes end.
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override;

  // torn: the last frame has no end yet.
  enum class State : std::uint8_t { sound, torn, damaged, oversized };
  // As far as it was read.
  [[nodiscard]] State state() const;

 private:
  struct Stream;
  explicit ZstdSource(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> stream_;
};

// By its name: "session.jsonl.zst", "….zstd".
bool is_packed_name(std::string_view path);

// Every step unpacks again what the steps before have read, so they grow with what is behind them:
// a step covers at least a quarter of it, up to 64 MB. `cursor` is one of read_jsonl().
ReadLimits unpacking_limits(const ReadLimits& limits, const Cursor& cursor);

}  // namespace yore::transcript
