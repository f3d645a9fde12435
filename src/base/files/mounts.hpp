// mounts.hpp — which disk a path lies on, told without touching that disk: a network disk whose
// server is away can hold up whoever looks at it for minutes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yore {

struct Mount {
  std::string point;     // where it begins: "/mnt/c"
  std::string type;      // "ext4", "nfs4", "fuse.sshfs"
  bool network = false;  // another machine answers for it, or another system on this one
};

// Threads: a table never changes.
class Mounts {
 public:
  Mounts() = default;  // one disk, and it is near
  // As /proc/self/mountinfo has it. Lines that are something else are passed over.
  static Mounts parse(std::string_view mountinfo);

  // The mount that holds an absolute path; null: the table does not know. Links are not followed.
  [[nodiscard]] const Mount* holding(std::string_view path) const;
  // Likewise, where links lead, as far as they lie on near disks themselves: a link is read only
  // after the disk that it lies on is known to be near.
  [[nodiscard]] const Mount* where_it_leads(const std::string& path) const;
  [[nodiscard]] bool any_network() const;

 private:
  std::vector<Mount> mounts_;  // what was mounted last is first
};

// /proc/self/mountinfo; "" where there is none.
std::string read_mountinfo();

}  // namespace yore
