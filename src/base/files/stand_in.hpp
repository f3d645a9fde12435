// stand_in.hpp — files that a thread reads in place of those on disk, and what a thread has opened.
//
// A transcript that is gone from disk but kept elsewhere is read again by the same reader that read
// it first: while a StandIn is alive, everything that file.hpp and sqlite.hpp open for reading on
// this thread comes from it. Nothing else is there for the thread then, so that a reading does not
// mix what was kept with what lies there now.
//
// OpenedFiles tells of which files a session consists: those its reader opens. No reader has to
// know of either.
//
// Threads: both belong to the thread that made them; the newest counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/result.hpp"

namespace yore {

// The bytes of one file, wherever they are.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  virtual ~FileBytes() = default;

  [[nodiscard]] virtual std::uint64_t size() const = 0;
  [[nodiscard]] virtual std::int64_t mtime_ns() const = 0;
  // As InputFile::read_at().
  virtual Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) const = 0;
};

class StandIn {
 public:
  using Files = std::map<std::string, std::shared_ptr<const FileBytes>, std::less<>>;  // by path

  explicit StandIn(Files files);
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  ~StandIn();

  // Of this thread; null: the disk counts.
  static const StandIn* current();
  // Null: there is no such file.
  [[nodiscard]] std::shared_ptr<const FileBytes> find(const std::string& path) const;
  [[nodiscard]] bool has_directory(const std::string& path) const;
  [[nodiscard]] const Files& files() const { return files_; }

 private:
  const Files files_;
  const StandIn* const outer_;
};

class OpenedFiles {
 public:
  OpenedFiles();
  OpenedFiles(const OpenedFiles&) = delete;
  OpenedFiles& operator=(const OpenedFiles&) = delete;
  ~OpenedFiles();

  // For file.cpp: this path was opened.
  static void note(const std::string& path);
  [[nodiscard]] const std::set<std::string>& paths() const { return paths_; }

 private:
  std::set<std::string> paths_;
  OpenedFiles* const outer_;
};

}  // namespace yore
