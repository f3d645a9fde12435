#include "base/file_lock.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include "base/posix.hpp"

namespace yore {

Result<FileLock> FileLock::try_acquire(const std::string& path) {
  Descriptor fd{open_retrying(path, O_RDWR | O_CREAT, S_IRUSR | S_IWUSR)};
  if (fd.get() < 0) return system_error(errno, "open", path);
  if (restarted([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) == 0) {
    return FileLock{fd.release()};
  }
  if (errno == EWOULDBLOCK) return Error{Errc::busy, path + " is locked"};
  return system_error(errno, "lock", path);
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace yore
