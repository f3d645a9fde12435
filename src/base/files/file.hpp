// file.hpp — the seam to the file system: everything that opens, lists or writes a file goes here.
//
// Failures are values and name the path. Nothing here follows a policy; callers decide.
// Only regular files are opened: a pipe or a device among the transcripts must not block us.
// A thread may read other files than those on disk: see stand_in.hpp.
// Reading and listing end with `cancelled` when the thread's work is over (base/work_limit.hpp).
// Threads: all functions may be called from any thread; so may the const members of one InputFile.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace yore {

class FileBytes;

// What stat() tells, as far as we compare it: equal stamps mean "nothing to read".
struct FileStamp {
  std::uint64_t size_bytes = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t inode = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

enum class FileType : std::uint8_t { regular, directory, other };

struct DirEntry {
  std::string name;
  FileType type = FileType::other;
};

Result<FileStamp> stat_file(const std::string& path);  // not_found when absent
// What it takes on disk, without the holes of a sparse file; 0 when absent.
std::uint64_t disk_bytes(const std::string& path);
bool is_directory(const std::string& path);
bool is_regular_file(const std::string& path);
// Sorted by name; symbolic links are reported as what they point to, broken ones as `other`.
// Missing directory: not_found.
Result<std::vector<DirEntry>> list_directory(const std::string& path);

// What one look told.
struct PathState {
  bool there = false;
  FileType type = FileType::other;
  FileStamp stamp;  // of a directory without its size
  friend bool operator==(const PathState&, const PathState&) = default;
};
// … and of which path.
struct ObservedPath : PathState {
  std::string path;
};
ObservedPath look_at(std::string path);

// The whole file, or its first `limit_bytes`.
Result<std::string> read_file(const std::string& path, std::size_t limit_bytes = SIZE_MAX);
// Up to `size` bytes at `offset`; shorter at the end of the file.
Result<std::string> read_range(const std::string& path, std::uint64_t offset, std::size_t size);
// Written and synced beside the target, then renamed over it; mode 0600. A reader sees the old or
// the new bytes, never a mixture; a failure leaves the old file and nothing else.
Status write_file_atomically(const std::string& path, std::string_view bytes);
// The same without syncing: for what can be made again and is checksummed.
Status replace_file(const std::string& path, std::string_view bytes);
// Mode 0600, not synced. Fails when there is a file already; leaves nothing when it fails later.
Status write_new_file(const std::string& path, std::string_view bytes);
// Appends to a file that has exactly `size` bytes; false: it has not, and was left alone.
// A failure may leave a part of `bytes` behind.
Result<bool> append_if_size(const std::string& path, std::uint64_t size, std::string_view bytes);
// Bytes that take the place of as many others.
struct Patch {
  std::uint64_t at = 0;
  std::string bytes;
};
// Writes into a file that begins with `identity`; one that does not is left alone. Each patch is
// written by itself: who reads the file must notice one that was cut off.
Status patch_file(const std::string& path, std::string_view identity,
                  const std::vector<Patch>& patches);
Status rename_file(const std::string& from, const std::string& to);  // replaces `to`
Status remove_file(const std::string& path);                         // absent: fine
// Makes an empty file with mode 0600 unless one is there.
Status make_private_file(const std::string& path);
// mkdir -p with mode 0700 for what is created.
Status make_directories(const std::string& path);

// Owns a file descriptor opened for reading.
class InputFile {
 public:
  static Result<InputFile> open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  // Bytes read into `out`; fewer than `size` only at the end of the file. Restarted after signals.
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) const;
  [[nodiscard]] Result<FileStamp> stamp() const;
  // Where the file has bytes again, from `offset` on: before it there is a hole, which reads as
  // zeros. The end when nothing follows; `offset` where the system cannot tell.
  [[nodiscard]] std::uint64_t next_data(std::uint64_t offset) const;

 private:
  InputFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  std::string path_;                        // for messages
  std::shared_ptr<const FileBytes> bytes_;  // in place of a file; see stand_in.hpp
};

// Exactly one slash between the two, whatever they end and begin with; an empty one adds nothing.
std::string path_join(std::string_view directory, std::string_view name);
// As the shell commands: "a/b/" -> "b" and "a"; "b" -> "b" and "."; "/" -> "/" and "/".
std::string_view path_basename(std::string_view path);
std::string_view path_dirname(std::string_view path);
// File name without its last extension: "a/b.jsonl" -> "b", ".profile" -> ".profile".
std::string_view path_stem(std::string_view path);
// "~" and "~/x" with `home`; everything else, and all when `home` is empty, unchanged.
std::string expand_home(std::string_view path, std::string_view home);
// Absolute and free of "." and ".."; does not touch the file system beyond the current directory.
std::string absolute_path(std::string_view path);
// True when `path`, with links resolved on both sides, is `directory` or lies inside it. False when
// either does not exist.
bool is_inside(const std::string& path, const std::string& directory);

}  // namespace yore
