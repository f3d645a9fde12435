#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "base/files/file.hpp"
#include "base/posix.hpp"

namespace yore {
namespace {

constexpr int kTempNameTries = 100;
constexpr mode_t kPrivate = S_IRUSR | S_IWUSR;

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t step = std::min(bytes.size(), kMaxTransferBytes);
    const ssize_t written = restarted([&] { return ::write(fd, bytes.data(), step); });
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A new file beside `path` that nobody else has; its name goes to `temp_path`.
int create_beside(const std::string& path, std::string& temp_path) {
  static std::atomic<unsigned> counter{0};
  for (int tries = 0; tries < kTempNameTries; ++tries) {
    temp_path = path + ".tmp-" + std::to_string(::getpid()) + '-' + std::to_string(counter++);
    const int fd = open_retrying(temp_path, O_WRONLY | O_CREAT | O_EXCL, kPrivate);
    if (fd >= 0 || errno != EEXIST) return fd;  // EEXIST: left by a crash under the same pid
  }
  return -1;
}

enum class Sync : bool { no, yes };

// 0 or the errno of the first step that failed.
int write_and_close(int fd, std::string_view bytes, Sync sync) {
  const Descriptor file{fd};
  if (!write_all(fd, bytes)) return errno;
  if (sync == Sync::yes && restarted([&] { return ::fsync(fd); }) != 0) return errno;
  return 0;
}

// Makes a rename durable. Best effort: some file systems cannot sync a directory.
void sync_directory(const std::string& path) {
  const Descriptor directory{open_retrying(path, O_RDONLY | O_DIRECTORY)};
  if (directory.get() >= 0) restarted([&] { return ::fsync(directory.get()); });
}

Status write_beside_and_rename(const std::string& path, std::string_view bytes, Sync sync) {
  std::string temp_path;
  const int fd = create_beside(path, temp_path);
  if (fd < 0) return system_error(errno, "create", temp_path);
  int failure = write_and_close(fd, bytes, sync);
  if (failure == 0 && ::rename(temp_path.c_str(), path.c_str()) != 0) failure = errno;
  if (failure != 0) {
    ::unlink(temp_path.c_str());
    return system_error(failure, "write", path);
  }
  return {};
}

}  // namespace

Status write_file_atomically(const std::string& path, std::string_view bytes) {
  Status status = write_beside_and_rename(path, bytes, Sync::yes);
  if (status) sync_directory(std::string{path_dirname(path)});
  return status;
}

Status replace_file(const std::string& path, std::string_view bytes) {
  return write_beside_and_rename(path, bytes, Sync::no);
}

Status write_new_file(const std::string& path, std::string_view bytes) {
  const int fd = open_retrying(path, O_WRONLY | O_CREAT | O_EXCL, kPrivate);
  if (fd < 0) return system_error(errno, "create", path);
  const int failure = write_and_close(fd, bytes, Sync::no);
  if (failure == 0) return {};
  ::unlink(path.c_str());
  return system_error(failure, "write", path);
}

Result<bool> append_if_size(const std::string& path, std::uint64_t size, std::string_view bytes) {
  const Descriptor fd{open_retrying(path, O_WRONLY | O_APPEND | O_NONBLOCK)};
  if (fd.get() < 0) return system_error(errno, "open", path);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_error(errno, "look at", path);
  if (!S_ISREG(info.st_mode)) {
    return Error{Errc::io, "cannot append to " + path + ": not a regular file"};
  }
  if (static_cast<std::uint64_t>(info.st_size) != size) return false;
  if (!write_all(fd.get(), bytes)) return system_error(errno, "append to", path);
  return true;
}

Status patch_file(const std::string& path, std::string_view identity,
                  const std::vector<Patch>& patches) {
  const Descriptor fd{open_retrying(path, O_RDWR | O_NONBLOCK)};
  if (fd.get() < 0) return system_error(errno, "open", path);
  std::string head(identity.size(), '\0');
  const ssize_t read = restarted([&] { return ::pread(fd.get(), head.data(), head.size(), 0); });
  if (read < 0) return system_error(errno, "read", path);
  if (static_cast<std::size_t>(read) != head.size() || head != identity) return {};
  for (const Patch& patch : patches) {
    const ssize_t written = restarted([&] {
      return ::pwrite(fd.get(), patch.bytes.data(), patch.bytes.size(),
                      static_cast<off_t>(patch.at));
    });
    if (written != static_cast<ssize_t>(patch.bytes.size())) {
      return system_error(written < 0 ? errno : EIO, "write", path);
    }
  }
  return {};
}

Status rename_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return system_error(errno, "rename", from);
  return {};
}

Status remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return system_error(errno, "remove", path);
  return {};
}

Status make_private_file(const std::string& path) {
  const Descriptor fd{open_retrying(path, O_RDWR | O_CREAT, kPrivate)};
  if (fd.get() < 0) return system_error(errno, "create", path);
  return {};
}

Status make_directories(const std::string& path) {
  if (path.empty()) return Error{Errc::invalid_argument, "cannot create a directory without name"};
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string prefix = path.substr(0, end);
    if (::mkdir(prefix.c_str(), S_IRWXU) != 0) {
      // Not only EEXIST: a directory that exists in a read-only place may say EROFS or EACCES.
      const int code = errno;
      if (!is_directory(prefix)) return system_error(code, "create directory", prefix);
    }
    if (end == std::string::npos) return {};
  }
}

}  // namespace yore
