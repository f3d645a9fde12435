#include "base/files/file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/files/stand_in.hpp"
#include "base/posix.hpp"
#include "base/work_limit.hpp"

namespace yore {
namespace {

constexpr std::size_t kReadStepBytes = std::size_t{1} << 16;

FileStamp to_stamp(const struct stat& info) {
#if defined(__APPLE__)
  const struct timespec& modified = info.st_mtimespec;
#else
  const struct timespec& modified = info.st_mtim;
#endif
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  // Wraps instead of overflowing: a file system may claim any year, and stamps are only compared.
  const std::uint64_t ns = static_cast<std::uint64_t>(modified.tv_sec) * kNsPerSecond +
                           static_cast<std::uint64_t>(modified.tv_nsec);
  return {static_cast<std::uint64_t>(info.st_size), static_cast<std::int64_t>(ns),
          static_cast<std::uint64_t>(info.st_ino)};
}

FileType to_type(mode_t mode) {
  if (S_ISREG(mode)) return FileType::regular;
  if (S_ISDIR(mode)) return FileType::directory;
  return FileType::other;
}

FileStamp stamp_of(const FileBytes& bytes) {
  return {bytes.size(), bytes.mtime_ns(), 0};
}

PathState kept_state(const StandIn& kept, const std::string& path) {
  if (const auto file = kept.find(path)) return {true, FileType::regular, stamp_of(*file)};
  if (kept.has_directory(path)) return {true, FileType::directory, {}};
  return {};
}

Error not_kept(std::string_view what, const std::string& path) {
  return {Errc::not_found, "cannot " + std::string(what) + " " + path + ": it was not kept"};
}

Result<std::vector<DirEntry>> list_kept(const StandIn& kept, const std::string& path) {
  if (!kept.has_directory(path)) return not_kept("list", path);
  const std::string below = path.ends_with('/') ? path : path + '/';
  std::vector<DirEntry> entries;
  for (auto it = kept.files().lower_bound(below);
       it != kept.files().end() && it->first.starts_with(below); ++it) {
    const std::string_view rest = std::string_view(it->first).substr(below.size());
    const std::size_t slash = rest.find('/');
    const std::string_view name = rest.substr(0, slash);
    if (!entries.empty() && entries.back().name == name) continue;
    entries.push_back({std::string(name),
                       slash == std::string_view::npos ? FileType::regular : FileType::directory});
  }
  std::sort(entries.begin(), entries.end(),
            [](const DirEntry& a, const DirEntry& b) { return a.name < b.name; });
  const auto same = [](const DirEntry& a, const DirEntry& b) { return a.name == b.name; };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  return entries;
}

std::optional<FileType> type_of(const std::string& path) {
  if (const StandIn* kept = StandIn::current()) {
    const PathState state = kept_state(*kept, path);
    return state.there ? std::optional(state.type) : std::nullopt;
  }
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return to_type(info.st_mode);
}

FileType type_of_entry(int directory_fd, const dirent& entry) {
  if (entry.d_type == DT_REG) return FileType::regular;
  if (entry.d_type == DT_DIR) return FileType::directory;
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return FileType::other;
  struct stat info {};
  if (::fstatat(directory_fd, entry.d_name, &info, 0) != 0) return FileType::other;
  return to_type(info.st_mode);
}

std::optional<std::string> resolved(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real{::realpath(path.c_str(), nullptr), &std::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

std::string current_directory() {
  std::array<char, PATH_MAX> buffer{};
  return ::getcwd(buffer.data(), buffer.size()) != nullptr ? buffer.data() : "/";
}

std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path;
}

}  // namespace

PathState to_sight(const struct stat* info) {
  if (info == nullptr) return {};
  PathState sight{true, to_type(info->st_mode), to_stamp(*info)};
  if (sight.type == FileType::directory) sight.stamp.size_bytes = 0;
  return sight;
}

Result<FileStamp> stat_file(const std::string& path) {
  if (const StandIn* kept = StandIn::current()) {
    const PathState state = kept_state(*kept, path);
    if (!state.there) return not_kept("look at", path);
    return state.stamp;
  }
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return system_error(errno, "look at", path);
  return to_stamp(info);
}

std::uint64_t disk_bytes(const std::string& path) {
  constexpr std::uint64_t kBlockBytes = 512;
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return 0;
  return static_cast<std::uint64_t>(info.st_blocks) * kBlockBytes;
}

ObservedPath look_at(std::string path) {
  if (const StandIn* kept = StandIn::current()) return {kept_state(*kept, path), std::move(path)};
  struct stat info {};
  const bool there = ::stat(path.c_str(), &info) == 0;
  return {to_sight(there ? &info : nullptr), std::move(path)};
}

bool is_directory(const std::string& path) {
  return type_of(path) == FileType::directory;
}

bool is_regular_file(const std::string& path) {
  return type_of(path) == FileType::regular;
}

Result<std::vector<DirEntry>> list_directory(const std::string& path) {
  if (const StandIn* kept = StandIn::current()) return list_kept(*kept, path);
  Descriptor fd{open_retrying(path, O_RDONLY | O_DIRECTORY)};
  if (fd.get() < 0) return system_error(errno, "list", path);
  const std::unique_ptr<DIR, int (*)(DIR*)> directory{::fdopendir(fd.get()), &::closedir};
  if (!directory) return system_error(errno, "list", path);
  const int directory_fd = fd.release();  // closedir() closes it

  std::vector<DirEntry> entries;
  errno = 0;
  while (const dirent* entry = ::readdir(directory.get())) {
    if (const Status go = WorkLimit::check("listed", path); !go) return go.error();
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") {
      entries.push_back({std::string{name}, type_of_entry(directory_fd, *entry)});
    }
    errno = 0;  // readdir() tells a failure from the end only by errno
  }
  if (errno != 0) return system_error(errno, "list", path);
  std::sort(entries.begin(), entries.end(),
            [](const DirEntry& a, const DirEntry& b) { return a.name < b.name; });
  return entries;
}

Result<std::string> read_file(const std::string& path, std::size_t limit_bytes) {
  const auto file = InputFile::open(path);
  if (!file) return file.error();
  const auto stamp = file->stamp();
  if (!stamp) return stamp.error();

  // The size is a hint only: the file may grow, and files of /proc say 0.
  std::string bytes;
  std::size_t step = stamp->size_bytes == 0 ? kReadStepBytes : stamp->size_bytes + 1;
  while (bytes.size() < limit_bytes) {
    const std::size_t before = bytes.size();
    const std::size_t wanted = std::min(step, limit_bytes - before);
    bytes.resize(before + wanted);
    const auto got = file->read_at(before, bytes.data() + before, wanted);
    if (!got) return got.error();
    bytes.resize(before + *got);
    if (*got < wanted) break;
    step = kReadStepBytes;
  }
  return bytes;
}

Result<std::string> read_range(const std::string& path, std::uint64_t offset, std::size_t size) {
  const auto file = InputFile::open(path);
  if (!file) return file.error();
  const auto stamp = file->stamp();
  if (!stamp) return stamp.error();
  if (offset >= stamp->size_bytes) return std::string{};

  // What the file does not have must not be allocated: `size` may come from damaged data.
  std::string bytes(std::min<std::uint64_t>(size, stamp->size_bytes - offset), '\0');
  const auto got = file->read_at(offset, bytes.data(), bytes.size());
  if (!got) return got.error();
  bytes.resize(*got);
  return bytes;
}

Result<InputFile> InputFile::open(const std::string& path) {
  if (const StandIn* kept = StandIn::current()) {
    InputFile file{-1, path};
    file.bytes_ = kept->find(path);
    if (file.bytes_ == nullptr) return not_kept("open", path);
    return file;
  }
  // O_NONBLOCK keeps the open of a named pipe from waiting for its writer.
  InputFile file{open_retrying(path, O_RDONLY | O_NONBLOCK), path};
  if (file.fd_ < 0) return system_error(errno, "open", path);
  struct stat info {};
  if (::fstat(file.fd_, &info) != 0) return system_error(errno, "look at", path);
  if (!S_ISREG(info.st_mode)) {
    return Error{Errc::io, "cannot open " + path + ": not a regular file"};
  }
  OpenedFiles::note(path);
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      bytes_(std::move(other.bytes_)) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(fd_, other.fd_);  // `other` closes what this held
  path_.swap(other.path_);
  bytes_.swap(other.bytes_);
  return *this;
}

InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::size_t> InputFile::read_at(std::uint64_t offset, char* out, std::size_t size) const {
  if (bytes_ != nullptr) {
    if (const Status go = WorkLimit::check("read", path_); !go) return go.error();
    return bytes_->read_at(offset, out, size);
  }
  constexpr auto kMaxOffset = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
  std::size_t total = 0;
  while (total < size && offset <= kMaxOffset - total) {
    if (const Status go = WorkLimit::check("read", path_); !go) return go.error();
    const std::size_t step = std::min(size - total, kMaxTransferBytes);
    const auto position = static_cast<off_t>(offset + total);
    const ssize_t got = restarted([&] { return ::pread(fd_, out + total, step, position); });
    if (got < 0) return system_error(errno, "read", path_);
    if (got == 0) break;
    total += static_cast<std::size_t>(got);
  }
  return total;
}

std::uint64_t InputFile::next_data(std::uint64_t offset) const {
  if (bytes_ != nullptr) return offset;
#if defined(SEEK_DATA)
  const off_t data = ::lseek(fd_, static_cast<off_t>(offset), SEEK_DATA);
  if (data >= 0) return static_cast<std::uint64_t>(data);
  const bool hole_to_end = errno == ENXIO;
  if (const auto size = stamp(); hole_to_end && size) return std::max(offset, size->size_bytes);
#endif
  return offset;
}

Result<FileStamp> InputFile::stamp() const {
  if (bytes_ != nullptr) return stamp_of(*bytes_);
  struct stat info {};
  if (::fstat(fd_, &info) != 0) return system_error(errno, "look at", path_);
  return to_stamp(info);
}

std::string path_join(std::string_view directory, std::string_view name) {
  if (directory.empty()) return std::string{name};
  if (name.empty()) return std::string{directory};
  while (!directory.empty() && directory.back() == '/') directory.remove_suffix(1);
  while (!name.empty() && name.front() == '/') name.remove_prefix(1);
  std::string path{directory};
  path += '/';
  path += name;
  return path;
}

std::string_view path_basename(std::string_view path) {
  path = without_trailing_slashes(path);
  if (path == "/") return path;
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string_view path_dirname(std::string_view path) {
  path = without_trailing_slashes(path);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return without_trailing_slashes(path.substr(0, std::max<std::size_t>(slash, 1)));
}

std::string_view path_stem(std::string_view path) {
  const std::string_view name = path_basename(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || name == "..") return name;
  return name.substr(0, dot);
}

std::string expand_home(std::string_view path, std::string_view home) {
  if (home.empty()) return std::string{path};
  if (path == "~") return std::string{home};
  if (path.substr(0, 2) == "~/") return path_join(home, path.substr(2));
  return std::string{path};
}

std::string absolute_path(std::string_view path) {
  const bool relative = path.empty() || path.front() != '/';
  const std::string full = relative ? path_join(current_directory(), path) : std::string{path};
  std::string result;
  for (std::size_t begin = 0; begin < full.size();) {
    const std::size_t end = std::min(full.find('/', begin), full.size());
    const std::string_view part = std::string_view{full}.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      result.resize(result.empty() ? 0 : result.rfind('/'));
    } else {
      result += '/';
      result += part;
    }
  }
  return result.empty() ? "/" : result;
}

bool is_inside(const std::string& path, const std::string& directory) {
  // What is kept has no links.
  const bool kept = StandIn::current() != nullptr;
  const bool there = kept && type_of(path) && type_of(directory);
  if (kept && !there) return false;
  const auto inner = kept ? absolute_path(path) : resolved(path);
  const auto outer = kept ? absolute_path(directory) : resolved(directory);
  if (!inner || !outer) return false;
  if (*inner == *outer || *outer == "/") return true;
  return inner->size() > outer->size() && inner->compare(0, outer->size(), *outer) == 0 &&
         (*inner)[outer->size()] == '/';
}

}  // namespace yore
