// The kernel that tells: inotify. On other systems there is none, and everything is polled.
#include "base/watch/watch_parts.hpp"

#ifdef __linux__
#include <sys/inotify.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "base/posix.hpp"
#endif

namespace yore {

#ifdef __linux__

namespace {

constexpr std::uint32_t kGone = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;
constexpr std::uint32_t kMask = IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_FROM |
                                IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF |
                                IN_ONLYDIR | IN_EXCL_UNLINK;
// So that whoever writes without end cannot keep read() from returning.
constexpr int kMostReads = 64;

Error too_many_watches() {
  return {Errc::io, "the system's limit of file watches is reached (fs.inotify.max_user_watches)"};
}

Error refusal(int code, const std::string& directory) {
  if (code == ENOSPC) return too_many_watches();
  if (code == ENOMEM) return {Errc::io, "there is no memory for more file watches"};
  if (code == EACCES) return {Errc::io, "some folders cannot be read"};
  return system_error(code, "watch", directory);
}

class Inotify final : public Notifier {
 public:
  Inotify(int fd, std::size_t most_watches) : fd_(fd), most_watches_(most_watches) {}

  Status add(const std::string& directory) override;
  void remove(const std::string& directory) override;
  [[nodiscard]] std::size_t size() const override { return by_path_.size(); }
  [[nodiscard]] int fd() const override { return fd_.get(); }
  bool read(Collected& changes) override;

 private:
  bool take_in(const inotify_event& event, const char* name, Collected& changes);
  void entry_changed(const std::string& path, std::uint32_t mask, Collected& changes);
  void drop_with_all_below(const std::string& directory, Collected& changes);
  void check_all(Collected& changes);

  Descriptor fd_;
  std::size_t most_watches_;
  std::map<std::string, int> by_path_;
  // A directory that is reached by several paths (links, mounts) has one watch.
  std::map<int, std::vector<std::string>> by_watch_;
};

Status Inotify::add(const std::string& directory) {
  const int watch = ::inotify_add_watch(fd_.get(), directory.c_str(), kMask);
  if (watch < 0) {
    const int problem = errno;
    remove(directory);
    return refusal(problem, directory);
  }
  const auto known = by_path_.find(directory);
  if (known != by_path_.end() && known->second == watch) return {};
  remove(directory);  // it was another directory
  if (!by_watch_.contains(watch) && by_watch_.size() >= most_watches_) {
    ::inotify_rm_watch(fd_.get(), watch);
    return too_many_watches();
  }
  by_path_.emplace(directory, watch);
  by_watch_[watch].push_back(directory);
  return {};
}

void Inotify::remove(const std::string& directory) {
  const auto at = by_path_.find(directory);
  if (at == by_path_.end()) return;
  const auto watch = by_watch_.find(at->second);
  std::erase(watch->second, directory);
  by_path_.erase(at);
  if (!watch->second.empty()) return;
  ::inotify_rm_watch(fd_.get(), watch->first);  // fails when the kernel took it back already
  by_watch_.erase(watch);
}

bool Inotify::read(Collected& changes) {
  alignas(inotify_event) std::array<char, 16'384> buffer;
  bool any = false;
  bool overflow = false;
  for (int round = 0; round < kMostReads; ++round) {
    const ssize_t got = restarted([&] { return ::read(fd_.get(), buffer.data(), buffer.size()); });
    if (got < 0 && errno != EAGAIN) overflow = true;
    if (got <= 0) break;
    for (const char *at = buffer.data(), *end = at + got; at < end;) {
      inotify_event event;
      std::memcpy(&event, at, sizeof event);
      if ((event.mask & IN_Q_OVERFLOW) != 0) overflow = true;
      any |= take_in(event, at + sizeof event, changes);
      at += sizeof event + event.len;
    }
  }
  if (overflow) check_all(changes);
  return any || overflow;
}

bool Inotify::take_in(const inotify_event& event, const char* name, Collected& changes) {
  const auto watch = by_watch_.find(event.wd);
  if (watch == by_watch_.end()) return false;  // forgotten meanwhile; numbers are not used again
  const std::vector<std::string> directories = watch->second;  // dropping changes it
  for (const std::string& directory : directories) {
    if ((event.mask & kGone) != 0) {
      drop_with_all_below(directory, changes);
    } else if (event.len > 0) {
      entry_changed(path_join(directory, name), event.mask, changes);
    }
  }
  return true;
}

void Inotify::entry_changed(const std::string& path, std::uint32_t mask, Collected& changes) {
  bool is_dir = (mask & IN_ISDIR) != 0;
  // Directories below a moved one notice nothing, and keep telling under the old path. A file or
  // link that is moved in may have taken the place of a link that led to a directory.
  const bool leaves = (mask & (IN_DELETE | IN_MOVED_FROM)) != 0;
  if (leaves || ((mask & IN_MOVED_TO) != 0 && !is_dir)) drop_with_all_below(path, changes);
  if (!is_dir && (mask & (IN_CREATE | IN_MOVED_TO)) != 0) is_dir = is_directory(path);  // a link
  (is_dir ? changes.directories : changes.files).insert(path);
}

// Whatever is dropped is reported: the caller can watch it again if it is there.
void Inotify::drop_with_all_below(const std::string& directory, Collected& changes) {
  std::vector<std::string> dropped;
  if (by_path_.contains(directory)) dropped.push_back(directory);
  const std::string inside = directory == "/" ? directory : directory + '/';
  for (auto at = by_path_.lower_bound(inside); at != by_path_.end(); ++at) {
    if (!at->first.starts_with(inside)) break;
    dropped.push_back(at->first);
  }
  for (std::string& path : dropped) {
    remove(path);
    changes.directories.insert(std::move(path));
  }
}

// Among what was lost may be the end of a watched directory.
void Inotify::check_all(Collected& changes) {
  changes.overflow = true;
  const std::map<std::string, int> before = by_path_;
  for (const auto& [path, watch] : before) {
    if (!add(path) || by_path_.at(path) != watch) changes.directories.insert(path);
  }
}

struct DeafFileSystem {
  std::uint32_t magic;
  std::string_view kind;
};

// From statfs(2) and linux/magic.h; the headers do not have all of them.
constexpr std::array kDeafFileSystems = {
    DeafFileSystem{0x00006969, "NFS"},        DeafFileSystem{0x0000517B, "SMB"},
    DeafFileSystem{0xFF534D42, "SMB"},        DeafFileSystem{0xFE534D42, "SMB"},
    DeafFileSystem{0x65735546, "FUSE"},  // sshfs, virtiofs and many more
    DeafFileSystem{0x01021997, "9p"},         DeafFileSystem{0x00C36400, "Ceph"},
    DeafFileSystem{0x5346414F, "AFS"},        DeafFileSystem{0x6B414653, "AFS"},
    DeafFileSystem{0x73757245, "Coda"},       DeafFileSystem{0x0000564C, "NCP"},
    DeafFileSystem{0x0BD00BD0, "Lustre"},     DeafFileSystem{0x47504653, "GPFS"},
    DeafFileSystem{0x786F4256, "VirtualBox"}, DeafFileSystem{0xBACBACBC, "VMware"},
};

}  // namespace

std::string_view deaf_file_system(std::uint32_t magic) {
  const auto* const at = std::ranges::find(kDeafFileSystems, magic, &DeafFileSystem::magic);
  return at == kDeafFileSystems.end() ? std::string_view{} : at->kind;
}

std::string_view deaf_file_system(const std::string& directory) {
  struct statfs info {};
  if (restarted([&] { return ::statfs(directory.c_str(), &info); }) != 0) return {};
  return deaf_file_system(static_cast<std::uint32_t>(info.f_type));
}

Result<std::unique_ptr<Notifier>> make_notifier(std::size_t most_watches) {
  const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd >= 0) return std::unique_ptr<Notifier>{std::make_unique<Inotify>(fd, most_watches)};
  if (errno == EMFILE) {
    return Error{Errc::io,
                 "the system's limit of watching programs is reached "
                 "(fs.inotify.max_user_instances)"};
  }
  return Error{Errc::io, "the system refuses file watches"};
}

#else

std::string_view deaf_file_system(std::uint32_t /*magic*/) {
  return {};
}

std::string_view deaf_file_system(const std::string& /*directory*/) {
  return {};
}

Result<std::unique_ptr<Notifier>> make_notifier(std::size_t /*most_watches*/) {
  return Error{Errc::unsupported, "this system does not tell of changes"};
}

#endif

}  // namespace yore
