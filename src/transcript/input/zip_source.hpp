// zip_source.hpp — what one file in a zip archive holds, as bytes by position.
//
// Made for reading forward: going back starts anew. Memory: the unpacker's window and a buffer,
// whatever the archive claims. A file that holds more than max_unpacked_bytes() (zstd_source.hpp)
// is read up to there. Nothing is ever written: names in an archive are only compared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript {

// By its first bytes.
bool is_zip(std::string_view head);

// The names of the files in it, in its own order; at most 100,000. `unsupported`: it is no archive,
// or a damaged one.
Result<std::vector<std::string>> zip_names(const std::string& path);

class ZipSource final : public ByteSource {
 public:
  // `unsupported` when the file in it is not there, has a password or a packing that is not known.
  static Result<ZipSource> open(const std::string& path, const std::string& name);
  ZipSource(ZipSource&&) noexcept;
  ZipSource& operator=(ZipSource&&) noexcept;
  ~ZipSource() override;

  // An error where the archive is damaged, or holds more than it may.
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override;

 private:
  struct Stream;
  explicit ZipSource(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> stream_;
};

}  // namespace yore::transcript
