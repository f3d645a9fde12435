// file_table.hpp — everything the last run looked at, so that the next one can see in a few
// milliseconds whether anything is different. Derived: without it, everything is listed again.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "base/lookout.hpp"
#include "base/result.hpp"
#include "engine/settings.hpp"

namespace yore::engine {

struct FileTable {
  std::uint64_t settings = 0;  // hash of what decides where to look
  std::uint64_t sessions = 0;  // known then
  std::vector<std::string> roots;
  std::vector<Look> looks;  // directories first, then what was changed last, then followers
  // Of the followers, the last of the looks: the look that is the session each belongs to, or
  // kAlone for one that follows no more.
  //
  // What an agent keeps of a session in a folder beside it (x/ beside x.jsonl: its sub-agents)
  // changes with the session, which is told of everything that happens there. Where all of it was
  // quiet for a day, looking at the session is enough: of a real home this is half of all looks.
  std::vector<std::uint32_t> leaders;
  static constexpr std::uint32_t kAlone = UINT32_MAX;

  // not_found, corrupt: do without.
  static Result<FileTable> load(const std::string& data_dir);
  // Puts the looks in order and finds the followers. An earlier `now` only costs looks. What has the
  // time 0 follows nobody.
  void arrange(Time now);
  // A file as it is now: it is not quiet any more, and neither is what followed it.
  void renew(std::size_t look, Look now);
  // Directories changed within the last moments count as different next time: another change would
  // not show in their time.
  Status save(const std::string& data_dir) const;

  struct Difference {
    std::vector<std::size_t> files;  // indexes of looks: files that are now larger or newer
    bool other = false;              // something came, went, or is not what it was
    std::uint64_t new_bytes = 0;
    std::size_t unchecked = 0;  // no time was left to look
    [[nodiscard]] bool none() const { return files.empty() && !other; }
  };
  // Looks again, for at most about `budget`; at followers when their session is different.
  [[nodiscard]] Difference compare(std::chrono::microseconds budget) const;
  // Looks again only at what is said to have changed. A path that is not in the table counts when
  // it is new in a directory that was listed, or leads to something that was missing.
  [[nodiscard]] Difference compare(std::span<const std::string> changed) const;

  // The directories in which something may happen that matters: those that were listed, those of
  // files that were read, and for what is missing the closest one that is there. Sorted.
  [[nodiscard]] std::vector<std::string> directories() const;

  static std::string path(const std::string& data_dir);

 private:
  // True: it is what it was.
  bool compare(std::size_t index, const Lookout& lookout, Difference& difference) const;
};

// Of sources, exclusions and the places where transcripts may be.
std::uint64_t places_hash(const World& world, const Settings& settings);

}  // namespace yore::engine
