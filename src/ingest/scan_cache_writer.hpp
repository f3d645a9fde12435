// scan_cache_writer.hpp — everything a run looked at, to be saved as the file table of the next
// one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/files/file_system.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

namespace yore::ingest {

struct ScanCacheWriter {
  std::uint64_t settings = 0;  // hash of what decides where to look
  std::uint64_t sessions = 0;  // known then
  std::vector<std::string> roots;
  std::vector<ObservedPath> looks;
  std::function<bool(const std::string& path)> is_far = {};  // empty: nothing is
  bool knows_far = true;  // false: other disks were never looked at

  // As the file table. `now` decides what has been quiet; an earlier one only costs looks. What has
  // the time 0 follows nobody. Directories changed within the last moments count as different next
  // time: another change would not show in their time. REQUIRES: the writer lock.
  [[nodiscard]] Status save(const std::string& data_dir, Time now,
                            const FileSystem& system = real_file_system()) const;
};

}  // namespace yore::ingest
