// scan_cache.hpp — everything the last run looked at, so that the next one can see in a few
// milliseconds whether anything is different. Derived: without it, everything is listed again.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/directory_statter.hpp"
#include "base/files/file_system.hpp"
#include "base/files/mapped_file.hpp"
#include "base/result.hpp"
#include "config/settings.hpp"
#include "ingest/reach.hpp"
#include "ingest/scan_cache_layout.hpp"

namespace yore::ingest {

// Rows are directories first, then what was changed last, then followers.
//
// What an agent keeps of a session in a folder beside it (x/ beside x.jsonl: its sub-agents)
// changes with the session, which is told of everything that happens there. Where all of it was
// quiet for a day, looking at the session is enough: it leads, the others follow. In a real home
// directory this saves half of all looks.
//
// What lies on another disk is marked as far, and only looked at when that is asked for.
class ScanCache {
 public:
  static constexpr std::uint32_t kAlone = UINT32_MAX;

  // not_found, corrupt: do without.
  static Result<ScanCache> load(const std::string& data_dir,
                                const FileSystem& system = real_file_system());

  [[nodiscard]] std::uint64_t settings() const { return header_.settings; }
  [[nodiscard]] std::uint64_t sessions() const { return header_.sessions; }
  [[nodiscard]] const std::vector<std::string>& roots() const { return roots_; }
  // Were other disks ever looked at? If not, nothing of them is in the table.
  [[nodiscard]] bool knows_far() const { return header_.knows_far != 0; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::size_t followers() const;
  // Ends with a zero.
  [[nodiscard]] std::string_view path_of(std::size_t row) const {
    return paths_.substr(rows_[row].path_at, rows_[row].path_size);
  }
  [[nodiscard]] bool is_far(std::size_t row) const { return rows_[row].far != 0; }

  struct Difference {
    std::vector<std::size_t> files;  // rows: files that are now larger or newer
    bool other = false;              // something came, went, or is not what it was
    std::uint64_t new_bytes = 0;
    std::size_t unchecked = 0;  // no time was left to look
    [[nodiscard]] bool none() const { return files.empty() && !other; }
  };
  // Looks again, for at most about `budget`; at followers when their session is different, at what
  // is far with Reach::everywhere.
  [[nodiscard]] Difference compare(std::chrono::microseconds budget,
                                   Reach reach = Reach::everywhere) const;
  // Looks again only at what is said to have changed. A path that is not in the table counts when
  // it is new in a directory that was listed, or leads to something that was missing.
  [[nodiscard]] Difference compare(std::span<const std::string> changed) const;

  // A file is now as this look says: written where the table lies, for the next to load it. It is
  // not quiet any more, and neither is what followed it. Where another table lies by now, nothing
  // happens.
  Status renew(const std::string& data_dir, std::size_t row, const ObservedPath& now,
               const FileSystem& system = real_file_system()) const;

  // What is known of other disks, for a table that is made without looking at them.
  [[nodiscard]] std::vector<ObservedPath> far_looks() const;

  // The near directories in which something may happen that matters: those that were listed, those
  // of files that were read, and for what is missing the closest one that is there. Sorted.
  [[nodiscard]] std::vector<std::string> directories() const;

  static std::string path(const std::string& data_dir);

 private:
  explicit ScanCache(MappedFile file) : file_(std::move(file)) {}
  [[nodiscard]] bool read();
  // Roots, for quick looks below them.
  [[nodiscard]] std::vector<std::string> roots_within(Reach reach) const;
  // True: it is what it was.
  bool compare(std::size_t row, const DirectoryStatter& lookout, Difference& difference) const;

  MappedFile file_;
  files::Header header_;
  // In place. Another process may renew a row while we look: at worst it seems to be different.
  std::span<const files::Row> rows_;
  std::vector<std::string> roots_;
  std::string_view paths_;
};

// Hash of sources, exclusions and the places where transcripts may be.
std::uint64_t places_hash(const config::World& world, const config::Settings& settings);

}  // namespace yore::ingest
