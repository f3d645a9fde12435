#include "base/lookout.hpp"

#include <sys/stat.h>

#include "base/posix.hpp"

namespace yore {
namespace {

#ifdef O_PATH
constexpr int kOnlyToLook = O_PATH | O_DIRECTORY;
#else
constexpr int kOnlyToLook = O_RDONLY | O_DIRECTORY;
#endif

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
  const bool there = ::fstatat(fd, path, &info, 0) == 0;
  if (there == before.there) {
    if (!there) return std::nullopt;
    const Look now = to_look({}, &info);
    if (now.type == before.type && now.stamp == before.stamp) return std::nullopt;
  }
  return to_look(before.path, there ? &info : nullptr);
}

}  // namespace yore
