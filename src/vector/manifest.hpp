// manifest.hpp — the one small file that says which vectors there are right now; see
// base/publication.hpp.
#pragma once

#include <cstdint>
#include <set>
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

// Its functions are those of base/publication.hpp.
struct Manifest {
  static const Publication kKind;

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
  [[nodiscard]] bool is_sound() const;
  [[nodiscard]] std::string body() const;
  [[nodiscard]] bool read_body(std::string_view bytes);
  [[nodiscard]] std::set<std::string> paths(const std::string& directory) const;
};

std::string vector_path(const std::string& directory, FileNumber number);

}  // namespace yore::vector
