// faulty_vfs.hpp — SQLite's own files, but for one call that goes wrong.
//
// While one exists, every database of the process is opened through it. Calls that change files are
// counted from 0: open, write, sync, truncate, delete and growth of the shared memory; or reads
// alone, where those are to fail. Threads:
// any; arm() and the like while no database is open.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace yore::fake {

enum class StoreFault {
  misread,    // a read fails; nothing else does
  refuse,     // it fails, and nothing has happened
  fill,       // likewise, because the disk is full
  tear,       // half of the bytes are written, then it fails
  crash,      // likewise, and no later call does anything: the process is gone
  power_cut,  // likewise, and what was not synced is lost: see lose_unsynced()
  reorder,    // likewise, but of what was not synced every second write is there
};
inline constexpr std::array kStoreFaults = {
    StoreFault::misread, StoreFault::refuse,    StoreFault::fill,   StoreFault::tear,
    StoreFault::crash,   StoreFault::power_cut, StoreFault::reorder};

class FaultyVfs {
 public:
  FaultyVfs();
  FaultyVfs(const FaultyVfs&) = delete;
  FaultyVfs& operator=(const FaultyVfs&) = delete;
  ~FaultyVfs();

  // From now on; counting begins anew.
  void arm(StoreFault fault, std::size_t at);
  // Lets all calls through.
  void disarm();
  // Since arm(), of the sort that goes wrong.
  [[nodiscard]] std::size_t calls() const;
  // Takes writes back that were not synced since arm(), as the fault has it: all that a database
  // may hope for when the power fails. How many were lost. REQUIRES: no database is open.
  std::size_t lose_unsynced();
};

}  // namespace yore::fake
