// mapped_file.hpp — the bytes of a file, in place: pages come from the disk cache when touched, and
// all processes share them.
//
// A mapping outlives the name of its file: who has one may go on reading after the file was
// removed. REQUIRES of whoever writes such files: never truncate them, never rewrite what may be
// mapped (the file table does, and its readers can live with a torn row). Appending is fine; the
// mapping keeps the size it was opened with. Threads: bytes() may be read from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace yore {

class MappedFile {
 public:
  // The whole file as it is now. Regular files only; not_found when absent. Where mapping is
  // impossible (some network file systems) the bytes are read into memory.
  static Result<MappedFile> open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  // Begin at an address divisible by 16, and stay there when this is moved.
  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

 private:
  MappedFile() = default;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
  std::vector<char> read_;  // used when not mapped
};

// How open() does without mapping; for tests.
Result<std::vector<char>> read_whole(const std::string& path);

}  // namespace yore
