// watch_parts.hpp — the two ways of learning about changes that Watcher puts together: a kernel
// that tells, and comparing from time to time. Nobody outside base needs it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/files/file.hpp"
#include "base/result.hpp"

namespace yore {

// Changes while they are collected.
struct Collected {
  std::set<std::string> files;
  std::set<std::string> directories;
  bool overflow = false;
};

// A kernel that tells. Paths are absolute.
class Notifier {
 public:
  virtual ~Notifier() = default;
  // not_found: there is no directory. Otherwise the message says why it must be polled.
  // A directory that is there already is checked: after a replacement the new one is watched.
  virtual Status add(const std::string& directory) = 0;
  virtual void remove(const std::string& directory) = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual int fd() const = 0;  // readable when there is something to tell
  // Does not wait. True: there was something, if only what is known already.
  virtual bool read(Collected& changes) = 0;
};

// The message of the error says why everything must be polled.
Result<std::unique_ptr<Notifier>> make_notifier(std::size_t most_watches);

// Kind of a file system that others can change without our kernel knowing; empty for all others.
std::string_view deaf_file_system(std::uint32_t magic);  // of statfs()
std::string_view deaf_file_system(const std::string& directory);

// Looks at directories and their entries from time to time.
class Poller {
 public:
  using Clock = std::chrono::steady_clock;

  // No file system keeps coarser times (FAT: 2 s). A second change within one tick leaves the time
  // of a directory as it is, so a listing is complete only when made this long after that time was
  // first seen.
  static constexpr std::chrono::milliseconds kCoarsestTick{3000};

  explicit Poller(std::chrono::milliseconds interval,
                  std::chrono::milliseconds coarsest_tick = kCoarsestTick)
      : interval_(interval), pause_(interval), coarsest_tick_(coarsest_tick) {}

  Status add(const std::string& directory, const std::string& why);  // not_found
  void remove(const std::string& directory);
  [[nodiscard]] bool has(const std::string& directory) const;
  [[nodiscard]] std::size_t size() const { return directories_.size(); }
  // One clause per reason, and how often: "...; 3 folders are looked at every 2 s".
  [[nodiscard]] std::string reason() const;

  // When step() has something to do.
  [[nodiscard]] Clock::time_point due() const;
  // Looks at the next directory; a round is as many steps as there are directories. True: something
  // is different.
  bool step(Collected& changes);
  // Looks at this one now.
  bool look(const std::string& directory, Collected& changes);

 private:
  struct Entry {
    FileType type = FileType::other;
    bool there = false;  // a link can lead nowhere
    FileStamp stamp;     // of a directory only the inode
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  struct Directory {
    std::string why;
    std::map<std::string, Entry> entries;  // by name
    FileStamp stamp;
    Clock::time_point stamp_seen;  // first
    Clock::time_point listed;
    bool settled = false;  // the names can only change together with the stamp
  };
  bool compare(const ObservedPath& look, Directory& known, Collected* changes);
  bool update_names(const std::string& path, Directory& known, Clock::time_point now,
                    Collected* changes);
  static Entry look_at_entry(const std::string& path, const Entry& before);

  std::map<std::string, Directory> directories_;
  std::map<std::string, std::size_t> whys_;  // with the number of directories
  std::chrono::milliseconds interval_;
  std::chrono::milliseconds pause_;  // between rounds
  std::chrono::milliseconds coarsest_tick_;
  Clock::time_point next_round_;
  bool in_round_ = false;
  std::string last_looked_at_;              // in this round
  std::chrono::nanoseconds round_cost_{0};  // processor time
};

}  // namespace yore
