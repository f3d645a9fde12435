// recall_log.hpp — what agents were reminded of by their hooks (`yore recall`), and the folders in
// which they are not to be.
//
// keep/recalls, 0600: a line per reminder with the places of turns and none of their text;
// keep/recall_off: a folder per line. A line is one write, so hooks of many agents may append at
// once; a log that grew large loses its older half.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_system.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "store/tombstones.hpp"

namespace yore::store {

struct RemindedTurn {
  std::string session;
  std::uint32_t number = 0;
  std::string chunk;
  friend bool operator==(const RemindedTurn&, const RemindedTurn&) = default;
};

struct RecallEntry {
  Time time = kNoTime;
  std::string agent;
  std::string event;    // "start", "prompt", "compact"
  std::string session;  // that was reminded, as its agent names it
  std::string folder;
  std::uint32_t bytes = 0;    // that were handed over; 0: there was nothing to say
  std::uint32_t percent = 0;  // relevance of the best turn
  std::vector<RemindedTurn> turns;
};

Status append_recall(const std::string& data_dir, const RecallEntry& entry);
// Oldest first; lines that cannot be read are passed over.
std::vector<RecallEntry> load_recalls(const std::string& data_dir);
// Drops what the tombstones name: reminders of forgotten sessions, and to them.
Status forget_recalls(const std::string& data_dir, const Tombstones& forgotten,
                      const FileSystem& files);

// Of this folder or one above it.
bool recall_is_off(const std::string& data_dir, std::string_view folder);
Status switch_recall(const std::string& data_dir, const std::string& folder, bool on,
                     const FileSystem& files);

}  // namespace yore::store
