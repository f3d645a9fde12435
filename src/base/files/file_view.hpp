// file_view.hpp — looks at files and, when asked to, keeps a record of what it looked at.
//
// A listing draws conclusions from many files: which are there, how large they are, what stands in
// them. Whatever was concluded holds as long as look_at() still says the same of every path in the
// record; so the next run needs to look at those paths only, and to list nothing.
//
// Threads: a view may be copied and used freely; views that share a recorder belong to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "base/result.hpp"

namespace yore {

// The paths that were looked at, with what each was at that moment.
class PathRecorder {
 public:
  void note(ObservedPath seen) { seen_.push_back(std::move(seen)); }
  // Sorted by path, each once: of several looks the first counts, for conclusions began with it.
  std::vector<ObservedPath> take();

 private:
  std::vector<ObservedPath> seen_;
};

// The functions of file.hpp of the same names.
class FileView {
 public:
  FileView() = default;  // keeps no record
  // REQUIRES: the recorder outlives this view and its copies.
  explicit FileView(PathRecorder& recorder) : recorder_(&recorder) {}

  // What is there, in one look.
  [[nodiscard]] PathState look(const std::string& path) const;
  [[nodiscard]] Result<FileStamp> stat(const std::string& path) const;
  [[nodiscard]] bool is_directory(const std::string& path) const;
  [[nodiscard]] bool is_regular_file(const std::string& path) const;
  [[nodiscard]] Result<std::vector<DirEntry>> list_directory(const std::string& path) const;
  [[nodiscard]] Result<std::string> read_file(const std::string& path,
                                              std::size_t limit_bytes = SIZE_MAX) const;
  [[nodiscard]] Result<std::string> read_range(const std::string& path, std::uint64_t offset,
                                               std::size_t size) const;

 private:
  void note(const std::string& path) const;  // what it is now

  PathRecorder* recorder_ = nullptr;
};

}  // namespace yore
