#include "base/lookout.hpp"

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

Lookout::Lookout(const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    const int fd = open_retrying(directory, kOnlyToLook);
    if (fd >= 0) directories_.push_back({path_join(directory, "/"), fd});
  }
}

Lookout::~Lookout() {
  for (const Directory& directory : directories_) ::close(directory.fd);
}

std::optional<Look> Lookout::changed(const Look& before) const {
  int fd = AT_FDCWD;
  const char* path = before.path.c_str();
  for (const Directory& directory : directories_) {
    if (before.path.size() > directory.prefix.size() && before.path.starts_with(directory.prefix)) {
      fd = directory.fd;
      path += directory.prefix.size();
      break;
    }
  }
  struct stat info {};
  const bool there = stat_below(fd, path, info);
  if (there == before.there) {
    if (!there) return std::nullopt;
    const Look now = to_look({}, &info);
    if (now.type == before.type && now.stamp == before.stamp) return std::nullopt;
  }
  return to_look(before.path, there ? &info : nullptr);
}

}  // namespace yore
