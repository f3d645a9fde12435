#include "setup/user_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/digest.hpp"
#include "base/posix.hpp"

namespace yore::setup {
namespace {

constexpr off_t kMostSettingsBytes = off_t{64} << 20;

// The nearest folder above that is there.
std::string standing_folder(const std::string& path) {
  std::string folder(path_dirname(path));
  struct stat info {};
  while (folder != "/" && folder != "." && ::stat(folder.c_str(), &info) != 0) {
    folder = std::string(path_dirname(folder));
  }
  return folder;
}

struct Looks {
  mode_t mode = 0600;
  uid_t owner = 0;
  gid_t group = 0;
  bool keep_owner = false;
};

// 0 or the errno of the step that failed.
int fill(int fd, std::string_view bytes, const Looks& looks, const FileSystem& files) {
  const Descriptor file{fd};
  while (!bytes.empty()) {
    const ssize_t written = files.write(fd, bytes.data(), bytes.size());
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  struct stat made {};
  if (::fstat(fd, &made) != 0) return errno;
  const bool is_theirs =
      looks.keep_owner && (made.st_uid != looks.owner || made.st_gid != looks.group);
  if (is_theirs && ::fchown(fd, looks.owner, looks.group) != 0) return errno;
  if (::fchmod(fd, looks.mode & 07777) != 0) return errno;
  return files.sync(fd) == 0 ? 0 : errno;
}

Status put_beside_and_rename(const std::string& target, std::string_view bytes, const Looks& looks,
                             const FileSystem& files) {
  const std::string beside = target + std::string(kBeside);
  remove_leftover(target, files);
  const int fd = files.open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (fd < 0) return system_error(errno, "create", beside);
  int failure = fill(fd, bytes, looks, files);
  if (failure == 0 && files.rename(beside, target) != 0) failure = errno;
  if (failure == 0) return {};
  files.unlink(beside);
  return system_error(failure, "write", target);
}

}  // namespace

std::string hash_of(std::string_view bytes) {
  return sha256_hex(bytes);
}

Result<UserFile> read_user_file(const std::string& path, const FileSystem& files) {
  UserFile file;
  file.path = file.target = path;
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return file;
    return system_error(errno, "look at", path);
  }
  std::string real(PATH_MAX, '\0');
  if (::realpath(path.c_str(), real.data()) == nullptr || ::stat(path.c_str(), &info) != 0) {
    return Error{Errc::io, "it is a link that leads nowhere"};
  }
  real.resize(real.find('\0'));
  if (!S_ISREG(info.st_mode)) return Error{Errc::io, "it is no regular file"};
  if (info.st_size > kMostSettingsBytes) return Error{Errc::unsupported, "it is too large"};
  auto bytes = files.read_file(real);
  if (!bytes) return bytes.error();
  file.target = std::move(real);
  file.there = true;
  file.bytes = std::move(*bytes);
  file.hash = hash_of(file.bytes);
  file.mode = info.st_mode & 07777;
  file.owner = info.st_uid;
  file.group = info.st_gid;
  file.has_other_names = info.st_nlink > 1;
  return file;
}

Status may_write(const UserFile& file) {
  // Modes as well as access(): to root everything is writable.
  const std::string folder = standing_folder(file.target);
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return Error{Errc::io, folder + " is no folder"};
  }
  if ((info.st_mode & S_IWUSR) == 0 || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    return Error{Errc::io, "its folder is read-only"};
  }
  if (!file.there) return {};
  if ((file.mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 ||
      ::access(file.target.c_str(), W_OK) != 0) {
    return Error{Errc::io, "it is read-only"};
  }
  if (file.has_other_names) {
    return Error{Errc::unsupported,
                 "it has a second name (a hard link), which an edit would split"};
  }
  return {};
}

Status write_user_file(const UserFile& was, std::string_view bytes, const FileSystem& files) {
  const auto now = read_user_file(was.path, files);
  if (!now) return now.error();
  if (now->there != was.there || now->hash != was.hash || now->target != was.target) {
    return Error{Errc::busy, "it was changed meanwhile; run yore setup again"};
  }
  const Looks looks{now->mode, now->owner, now->group, now->there};
  return put_beside_and_rename(now->target, bytes, looks, files);
}

Status remove_user_file(const UserFile& was, const FileSystem& files) {
  const auto now = read_user_file(was.path, files);
  if (!now) return now.error();
  if (now->hash != was.hash) {
    return Error{Errc::busy, "it was changed meanwhile; run yore setup --undo again"};
  }
  return files.remove_file(was.path);
}

void remove_leftover(const std::string& path, const FileSystem& files) {
  const std::string beside = path + std::string(kBeside);
  struct stat info {};
  if (::lstat(beside.c_str(), &info) == 0 && S_ISREG(info.st_mode)) files.unlink(beside);
}

Status put_private_file(const std::string& path, std::string_view bytes, const FileSystem& files) {
  return put_beside_and_rename(path, bytes, Looks{}, files);
}

}  // namespace yore::setup
