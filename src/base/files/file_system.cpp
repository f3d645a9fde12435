#include "base/files/file_system.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "base/posix.hpp"

namespace yore {
namespace {

constexpr int kTempNameTries = 100;
constexpr mode_t kPrivate = S_IRUSR | S_IWUSR;

class RealFileSystem final : public FileSystem {
 public:
  int open(const std::string& path, int flags, mode_t mode) const override {
    return open_retrying(path, flags, mode);
  }
  ssize_t write(int fd, const char* bytes, std::size_t size) const override {
    return restarted([&] { return ::write(fd, bytes, size); });
  }
  ssize_t write_at(int fd, const char* bytes, std::size_t size, off_t at) const override {
    return restarted([&] { return ::pwrite(fd, bytes, size, at); });
  }
  ssize_t read_at(int fd, char* bytes, std::size_t size, off_t at) const override {
    return restarted([&] { return ::pread(fd, bytes, size, at); });
  }
  int sync(int fd) const override {
    return restarted([&] { return ::fsync(fd); });
  }
  int rename(const std::string& from, const std::string& to) const override {
    return ::rename(from.c_str(), to.c_str());
  }
  int unlink(const std::string& path) const override { return ::unlink(path.c_str()); }
  Result<MappedFile> map(const std::string& path) const override { return MappedFile::open(path); }
};

// From the beginning; fewer bytes only at the end of the file. -1: errno says why.
ssize_t read_all(const FileSystem& files, int fd, char* bytes, std::size_t size) {
  std::size_t total = 0;
  while (total < size) {
    const std::size_t step = std::min(size - total, kMaxTransferBytes);
    const ssize_t got = files.read_at(fd, bytes + total, step, static_cast<off_t>(total));
    if (got < 0) return -1;
    if (got == 0) break;
    total += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(total);
}

}  // namespace

const FileSystem& real_file_system() {
  static const RealFileSystem real;
  return real;
}

bool FileSystem::write_all(int fd, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), std::min(bytes.size(), kMaxTransferBytes));
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// 0 or the errno of the first step that failed.
int FileSystem::write_and_close(int fd, std::string_view bytes, Sync sync_it) const {
  const Descriptor file{fd};
  if (!write_all(fd, bytes)) return errno;
  if (sync_it == Sync::yes && sync(fd) != 0) return errno;
  return 0;
}

// A new file beside `path` that nobody else has; its name goes to `temp_path`.
int FileSystem::create_beside(const std::string& path, std::string& temp_path) const {
  static std::atomic<unsigned> counter{0};
  for (int tries = 0; tries < kTempNameTries; ++tries) {
    temp_path = path + ".tmp-" + std::to_string(::getpid()) + '-' + std::to_string(counter++);
    const int fd = open(temp_path, O_WRONLY | O_CREAT | O_EXCL, kPrivate);
    if (fd >= 0 || errno != EEXIST) return fd;  // EEXIST: left by a crash under the same pid
  }
  return -1;
}

Status FileSystem::write_beside_and_rename(const std::string& path, std::string_view bytes,
                                           Sync sync_it) const {
  std::string temp_path;
  const int fd = create_beside(path, temp_path);
  if (fd < 0) return system_error(errno, "create", temp_path);
  int failure = write_and_close(fd, bytes, sync_it);
  if (failure == 0 && rename(temp_path, path) != 0) failure = errno;
  if (failure != 0) {
    unlink(temp_path);
    return system_error(failure, "write", path);
  }
  return {};
}

Status FileSystem::write_file_atomically(const std::string& path, std::string_view bytes) const {
  if (Status status = write_beside_and_rename(path, bytes, Sync::yes); !status) return status;
  // Makes the rename durable. Best effort: some file systems cannot sync a directory.
  const Descriptor directory{open(std::string{path_dirname(path)}, O_RDONLY | O_DIRECTORY, 0)};
  if (directory.get() >= 0) sync(directory.get());
  return {};
}

Status FileSystem::replace_file(const std::string& path, std::string_view bytes) const {
  return write_beside_and_rename(path, bytes, Sync::no);
}

Status FileSystem::write_new_file(const std::string& path, std::string_view bytes) const {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, kPrivate);
  if (fd < 0) return system_error(errno, "create", path);
  const int failure = write_and_close(fd, bytes, Sync::no);
  if (failure == 0) return {};
  unlink(path);
  return system_error(failure, "write", path);
}

Result<bool> FileSystem::append_if_size(const std::string& path, std::uint64_t size,
                                        std::string_view bytes) const {
  const Descriptor fd{open(path, O_WRONLY | O_APPEND | O_NONBLOCK, 0)};
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

Status FileSystem::patch_file(const std::string& path, std::string_view identity,
                              const std::vector<Patch>& patches) const {
  const Descriptor fd{open(path, O_RDWR | O_NONBLOCK, 0)};
  if (fd.get() < 0) return system_error(errno, "open", path);
  std::string head(identity.size(), '\0');
  const ssize_t read = read_all(*this, fd.get(), head.data(), head.size());
  if (read < 0) return system_error(errno, "read", path);
  if (static_cast<std::size_t>(read) != head.size() || head != identity) return {};
  for (const Patch& patch : patches) {
    const ssize_t written =
        write_at(fd.get(), patch.bytes.data(), patch.bytes.size(), static_cast<off_t>(patch.at));
    if (written != static_cast<ssize_t>(patch.bytes.size())) {
      return system_error(written < 0 ? errno : EIO, "write", path);
    }
  }
  return {};
}

Status FileSystem::rename_file(const std::string& from, const std::string& to) const {
  if (rename(from, to) != 0) return system_error(errno, "rename", from);
  return {};
}

Status FileSystem::remove_file(const std::string& path) const {
  if (unlink(path) != 0 && errno != ENOENT) return system_error(errno, "remove", path);
  return {};
}

Result<std::string> FileSystem::read_file(const std::string& path, std::size_t limit_bytes) const {
  // O_NONBLOCK keeps the open of a named pipe from waiting for its writer.
  const Descriptor fd{open(path, O_RDONLY | O_NONBLOCK, 0)};
  if (fd.get() < 0) return system_error(errno, "open", path);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_error(errno, "look at", path);
  if (!S_ISREG(info.st_mode)) {
    return Error{Errc::io, "cannot open " + path + ": not a regular file"};
  }
  std::string bytes(std::min(static_cast<std::size_t>(info.st_size), limit_bytes), '\0');
  const ssize_t got = read_all(*this, fd.get(), bytes.data(), bytes.size());
  if (got < 0) return system_error(errno, "read", path);
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

}  // namespace yore
