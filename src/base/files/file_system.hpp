// file_system.hpp — the seam through which yore's own files are written, and read by who writes
// them.
//
// Whoever keeps state on disk is handed a FileSystem; in the program that is the real one. The few
// calls to the system at the end of the class are all that an implementation consists of: tests put
// one in their place that tears, shortens, refuses or delays any of them. Transcripts, which others
// write, are not read through this (see file_view.hpp), nor are the files of SQLite.
//
// Threads: all functions may be called from any thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/mapped_file.hpp"
#include "base/result.hpp"

namespace yore {

class FileSystem {
 public:
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;

  // The functions of file.hpp of the same names.
  Status write_file_atomically(const std::string& path, std::string_view bytes) const;
  Status replace_file(const std::string& path, std::string_view bytes) const;
  Status write_new_file(const std::string& path, std::string_view bytes) const;
  Result<bool> append_if_size(const std::string& path, std::uint64_t size,
                              std::string_view bytes) const;
  Status patch_file(const std::string& path, std::string_view identity,
                    const std::vector<Patch>& patches) const;
  Status rename_file(const std::string& from, const std::string& to) const;
  Status remove_file(const std::string& path) const;
  // As many bytes as the file has when it is opened.
  Result<std::string> read_file(const std::string& path, std::size_t limit_bytes = SIZE_MAX) const;

  // What an implementation provides: one call to the system each, with its answer and errno. None
  // is interrupted by a signal.
  virtual int open(const std::string& path, int flags, mode_t mode) const = 0;
  virtual ssize_t write(int fd, const char* bytes, std::size_t size) const = 0;
  virtual ssize_t write_at(int fd, const char* bytes, std::size_t size, off_t at) const = 0;
  virtual ssize_t read_at(int fd, char* bytes, std::size_t size, off_t at) const = 0;
  virtual int sync(int fd) const = 0;
  virtual int rename(const std::string& from, const std::string& to) const = 0;
  virtual int unlink(const std::string& path) const = 0;
  virtual Result<MappedFile> map(const std::string& path) const = 0;

 private:
  enum class Sync : bool { no, yes };
  [[nodiscard]] bool write_all(int fd, std::string_view bytes) const;
  [[nodiscard]] int write_and_close(int fd, std::string_view bytes, Sync sync) const;
  [[nodiscard]] int create_beside(const std::string& path, std::string& temp_path) const;
  Status write_beside_and_rename(const std::string& path, std::string_view bytes, Sync sync) const;
};

// The system's. Has no state.
const FileSystem& real_file_system();

}  // namespace yore
