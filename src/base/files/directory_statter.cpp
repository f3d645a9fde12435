#include "base/files/directory_statter.hpp"

#include <sys/stat.h>

#include <cerrno>

#include "base/posix.hpp"

namespace yore {
namespace {

#ifdef O_PATH
constexpr int kOnlyToLook = O_PATH | O_DIRECTORY;
#else
constexpr int kOnlyToLook = O_RDONLY | O_DIRECTORY;
#endif

// Only what a Look tells: a sixth cheaper than all that stat() gathers, where there is statx().
bool stat_below(int directory, const char* path, struct stat& info) {
#ifdef STATX_BASIC_STATS
  struct statx now {};
  constexpr unsigned kWanted = STATX_TYPE | STATX_SIZE | STATX_MTIME | STATX_INO;
  if (::statx(directory, path, 0, kWanted, &now) == 0) {
    info.st_mode = now.stx_mode;
    info.st_size = static_cast<off_t>(now.stx_size);
    info.st_ino = now.stx_ino;
    info.st_mtim = {now.stx_mtime.tv_sec, now.stx_mtime.tv_nsec};
    return true;
  }
  if (errno != ENOSYS && errno != EPERM) return false;
#endif
  return ::fstatat(directory, path, &info, 0) == 0;
}

}  // namespace

DirectoryStatter::DirectoryStatter(const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    const int fd = open_retrying(directory, kOnlyToLook);
    if (fd >= 0) directories_.push_back({path_join(directory, "/"), fd});
  }
}

DirectoryStatter::~DirectoryStatter() {
  for (const Directory& directory : directories_) ::close(directory.fd);
}

std::optional<PathState> DirectoryStatter::changed(std::string_view path,
                                                   const PathState& before) const {
  int fd = AT_FDCWD;
  const char* below = path.data();
  for (const Directory& directory : directories_) {
    if (path.size() > directory.prefix.size() && path.starts_with(directory.prefix)) {
      fd = directory.fd;
      below += directory.prefix.size();
      break;
    }
  }
  struct stat info {};
  const bool there = stat_below(fd, below, info);
  const PathState now = to_sight(there ? &info : nullptr);
  const bool same = there ? now == before : !before.there;
  return same ? std::nullopt : std::optional(now);
}

}  // namespace yore
