// manifest.hpp — the one small file that says which vectors there are right now; see
// base/publication.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/publication.hpp"
#include "base/result.hpp"

namespace yore::vector {

// Also its form on disk.
struct FileEntry {
  FileNumber number = 0;
  std::uint64_t bytes = 0;  // published; what lies behind them does not count
  std::uint64_t rows = 0;
  friend bool operator==(const FileEntry&, const FileEntry&) = default;
};

struct Manifest {
  std::uint64_t generation = 0;  // grows by one with every publication
  // The generation with which this directory began. Within one birth a number means one file.
  std::uint64_t birth = 0;
  std::uint64_t model = 0;
  FileNumber next_file = 1;      // larger than every number that was ever used
  FileNumber log = 0;            // the last of `files`, when that is appended to
  std::uint64_t log_blocks = 0;  // in it
  std::vector<FileEntry> files;  // rows are numbered in this order
  friend bool operator==(const Manifest&, const Manifest&) = default;

  [[nodiscard]] std::uint64_t rows() const;
};

std::string encode(const Manifest& manifest);
// corrupt: not what encode() makes; unsupported: another version.
Result<Manifest> decode_manifest(std::string_view bytes);
// not_found, corrupt, unsupported: there is none that could be read.
Result<Manifest> read_manifest(const std::string& directory, const FileSystem& files);
// REQUIRES: the only writer; every file it names is complete.
Status publish_manifest(const std::string& directory, const Manifest& manifest,
                        const FileSystem& files);

std::string vector_path(const std::string& directory, FileNumber number);
FileNumber largest_number(const std::string& directory);
FileNumber free_number(const std::string& directory, FileNumber from);
void remove_unnamed(const std::string& directory, const Manifest& manifest,
                    const FileSystem& files);

}  // namespace yore::vector
