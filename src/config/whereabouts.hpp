// whereabouts.hpp — on which side of a machine transcripts lie: near, on a network disk, or in the
// home folder of a Windows that this Linux runs below (WSL).
//
// What is not near is looked at by `yore index` and by the process that keeps the index, never
// while somebody waits for an answer: it may take seconds, or for ever. Telling where a path lies
// touches no such disk. The disk that holds yore's own data is near whatever its type: every answer
// needs it anyway.
// Threads: it never changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_view.hpp"
#include "base/files/mounts.hpp"
#include "config/roots.hpp"

namespace yore::config {

struct World;

// Where Windows' disks are mounted, when this Linux runs below it ("/mnt", unless /etc/wsl.conf
// says another place); "" elsewhere.
std::string windows_drives(const GetEnv& env);

class Whereabouts {
 public:
  Whereabouts(const World& world, const std::string& data_dir);

  // Where links lead counts.
  [[nodiscard]] bool is_far(const std::string& path) const;
  // "Windows (ann)", "network disk /net/home"; "" when it is near. Links are not followed.
  [[nodiscard]] std::string tell(std::string_view path) const;
  // Is there anything that is not near?
  [[nodiscard]] bool has_far() const;

  // The places of agents in the home folders of Windows. Looks at its disks.
  [[nodiscard]] std::vector<FoundRoot> windows_places(const transcript::AgentRegistry& agents,
                                                      const FileView& files = {}) const;

 private:
  // "/mnt/c", and "/mnt/c/Users/ann", of a path below it; "" elsewhere.
  [[nodiscard]] std::string_view windows_disk_of(std::string_view path) const;
  [[nodiscard]] std::string_view windows_home_of(std::string_view path) const;
  [[nodiscard]] std::vector<std::string> windows_homes(const FileView& files) const;

  Mounts mounts_;
  std::string drives_;  // of Windows; "" without it
  std::string own_;     // mount point of yore's data, when that is a network disk
};

}  // namespace yore::config
