// backup_file.hpp — one file with named members, each compressed, all of it under one hash. Bytes:
// docs/format.md, "Backup". What the members are is known in service/backup.hpp.
//
// Written beside its place, synced, then renamed: a kill leaves what was there. Read in two passes:
// nothing of a file is believed before all of it has been looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/files/file_system.hpp"
#include "base/result.hpp"

namespace yore::archive {

class BackupWriter {
 public:
  // Mode 0600. A file of another kind is not overwritten: invalid_argument.
  static Result<BackupWriter> create(const std::string& path,
                                     const FileSystem& files = real_file_system());
  BackupWriter(BackupWriter&& other) noexcept;
  BackupWriter& operator=(BackupWriter&&) = delete;
  BackupWriter(const BackupWriter&) = delete;
  BackupWriter& operator=(const BackupWriter&) = delete;
  ~BackupWriter();  // without finish(): nothing is left

  // REQUIRES: `packed` is one zstd frame (packed.hpp).
  Status add(std::string_view name, std::string_view packed);
  Status finish();
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  BackupWriter(std::string path, const FileSystem& files)
      : path_(std::move(path)), files_(&files) {}
  Status put(std::string_view bytes);

  std::string path_;
  const FileSystem* files_;
  std::string temp_path_;
  int fd_ = -1;
  std::uint64_t hash_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t members_ = 0;
};

using OnMember = std::function<Status(std::string_view name, std::string_view packed)>;
// In the order they were added. corrupt: not a whole backup; members before the damage have been
// visited then. unsupported: of a newer yore.
Status each_member(const std::string& path, const OnMember& visit);

}  // namespace yore::archive
