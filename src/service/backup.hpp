// backup.hpp — what cannot be rebuilt, in one file: everything in keep/ (the archive, what was
// forgotten) and of the record store the sessions whose source is gone, editions, and the sessions
// that are in the archive.
//
// A restore adds. What is there stays as it is; what was forgotten, here or there, stays forgotten.
// Nothing is written before all of the file was found sound; a kill halfway leaves a data directory
// that is whole, and the same restore goes on.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "config/settings.hpp"

namespace yore::service {

struct BackupReport {
  std::uint64_t bytes = 0;      // of the file
  std::uint64_t originals = 0;  // sessions in the archive
  std::uint64_t sessions = 0;   // restored into the record store
  std::uint64_t editions = 0;   // likewise
  std::uint64_t there_already = 0;
};

Result<BackupReport> write_backup(const config::World& world, const config::Settings& settings,
                                  const std::string& path);
// busy: another process is writing. Takes the writer lock.
Result<BackupReport> restore_backup(const config::World& world, const config::Settings& settings,
                                    const std::string& path, const std::atomic<bool>& cancel);

}  // namespace yore::service
