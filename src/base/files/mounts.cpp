#include "base/files/mounts.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "base/files/file.hpp"

namespace yore {
namespace {

// Types of disks that are somewhere else; one that ends with '.' stands for all that begin so.
// autofs: looking mounts what is behind it.
constexpr std::array<std::string_view, 24> kNetworkTypes = {
    "nfs",         "nfs4",           "cifs",
    "smb3",        "smbfs",          "9p",
    "drvfs",       "virtiofs",       "afs",
    "ceph",        "glusterfs",      "lustre",
    "gpfs",        "beegfs",         "ncpfs",
    "davfs",       "autofs",         "fuse.sshfs",
    "fuse.rclone", "fuse.s3fs",      "fuse.gvfsd-fuse",
    "fuse.davfs2", "fuse.glusterfs", "fuse.ceph"};
constexpr int kMostLinks = 40;
constexpr std::size_t kMountinfoBytes = 4U << 20;

// "\040" stands for a space.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_octal = [&](std::size_t at) {
      return at < text.size() && text[at] >= '0' && text[at] <= '7';
    };
    if (text[i] == '\\' && is_octal(i + 1) && is_octal(i + 2) && is_octal(i + 3)) {
      const int code = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
      out += static_cast<char>(code);
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string_view take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

bool lies_in(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string read_link(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
  return size <= 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(size));
}

}  // namespace

// "36 35 98:0 /root /mount/point options optional… - type source super"
Mounts Mounts::parse(std::string_view mountinfo) {
  constexpr std::string_view kSeparator = " - ";
  constexpr int kWordsBeforePoint = 4;
  Mounts table;
  while (!mountinfo.empty()) {
    const std::size_t end = std::min(mountinfo.find('\n'), mountinfo.size());
    std::string_view line = mountinfo.substr(0, end);
    mountinfo.remove_prefix(std::min(end + 1, mountinfo.size()));
    const std::size_t separator = line.find(kSeparator);
    if (separator == std::string_view::npos) continue;
    std::string_view behind = line.substr(separator + kSeparator.size());
    for (int i = 0; i < kWordsBeforePoint; ++i) take_word(line);
    Mount mount{unescaped(take_word(line)), std::string(take_word(behind)), false};
    if (!mount.point.starts_with('/')) continue;
    mount.network = std::ranges::find(kNetworkTypes, mount.type) != kNetworkTypes.end();
    table.mounts_.push_back(std::move(mount));
  }
  std::ranges::reverse(table.mounts_);
  return table;
}

const Mount* Mounts::holding(std::string_view path) const {
  const Mount* best = nullptr;
  for (const Mount& mount : mounts_) {
    if (!lies_in(path, mount.point)) continue;
    if (best == nullptr || mount.point.size() > best->point.size()) best = &mount;
  }
  return best;
}

const Mount* Mounts::where_it_leads(const std::string& path) const {
  if (!any_network()) return holding(path);
  std::string rest = absolute_path(path);
  std::string known = "/";
  int links = 0;
  while (true) {
    const Mount* mount = holding(known);
    if (mount != nullptr && mount->network) return mount;
    if (rest.empty() || rest == "/") return mount;
    if (rest.front() == '/') rest.erase(0, 1);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string next = path_join(known, rest.substr(0, end));
    rest.erase(0, end);
    const Mount* below = holding(next);
    if (below != nullptr && below->network) return below;
    const std::string target = read_link(next);
    if (target.empty()) {
      known = next;
      continue;
    }
    if (++links > kMostLinks) return below;
    const std::string led = target.front() == '/' ? target : path_join(known, target);
    rest = absolute_path(led + rest);
    known = "/";
  }
}

bool Mounts::any_network() const {
  return std::ranges::any_of(mounts_, &Mount::network);
}

std::string read_mountinfo() {
  const auto text = read_file("/proc/self/mountinfo", kMountinfoBytes);
  return text ? *text : std::string();
}

}  // namespace yore
