#include "archive/backup_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "base/posix.hpp"

namespace yore::archive {
namespace {

constexpr std::string_view kBackupMagic = "YOREBKP";
constexpr char kBackupVersion = 1;
constexpr std::size_t kBackupHeadBytes = 8;
constexpr std::uint64_t kMostNameBytes = 4096;
constexpr std::uint64_t kMostMemberBytes = std::uint64_t{8} << 30U;
// A member begins with the sizes of its name and of its bytes, 8 bytes each; the end is a member
// without a name whose size is the number of members, then the hash.
constexpr std::size_t kSizesBytes = 16;

bool is_backup(const std::string& path) {
  const auto head = read_range(path, 0, kBackupMagic.size());
  return head && *head == kBackupMagic;
}

std::string member_sizes(std::uint64_t name, std::uint64_t bytes) {
  ByteWriter out;
  out.u64(name);
  out.u64(bytes);
  return out.take();
}

// Reads on from where it stopped, and hashes what it has read.
class BackupSource {
 public:
  explicit BackupSource(InputFile file) : file_(std::move(file)) {}
  Result<std::string> take(std::uint64_t size, std::uint64_t file_bytes) {
    const Error cut{Errc::corrupt, "it ends too early"};
    if (size > file_bytes || at_ > file_bytes - size) return cut;
    std::string bytes(size, '\0');
    const auto got = file_.read_at(at_, bytes.data(), bytes.size());
    if (!got) return got.error();
    if (*got != size) return cut;
    at_ += size;
    hash_ = hash64(bytes, hash_);
    return bytes;
  }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  InputFile file_;
  std::uint64_t at_ = 0;
  std::uint64_t hash_ = 0;
};

Status read_members(BackupSource& source, std::uint64_t file_bytes, const OnMember& visit) {
  const Error damaged{Errc::corrupt, "damaged"};
  const auto head = source.take(kBackupHeadBytes, file_bytes);
  if (!head) return head.error();
  if (!head->starts_with(kBackupMagic)) return Error{Errc::corrupt, "not a backup of yore"};
  if (head->back() != kBackupVersion) {
    return Error{Errc::unsupported, "written by a newer yore", "update yore"};
  }
  for (std::uint64_t members = 0;; ++members) {
    const auto sizes = source.take(kSizesBytes, file_bytes);
    if (!sizes) return sizes.error();
    ByteReader in(*sizes);
    const std::uint64_t name_size = in.u64();
    const std::uint64_t size = in.u64();
    if (name_size == 0) {
      if (size != members) return damaged;
      const std::uint64_t hash = source.hash();
      const auto end = source.take(sizeof(std::uint64_t), file_bytes);
      if (!end) return end.error();
      if (ByteReader(*end).u64() != hash || source.at() != file_bytes) return damaged;
      return {};
    }
    if (name_size > kMostNameBytes || size > kMostMemberBytes) return damaged;
    const auto name = source.take(name_size, file_bytes);
    if (!name) return name.error();
    const auto packed = source.take(size, file_bytes);
    if (!packed) return packed.error();
    if (Status visited = visit(*name, *packed); !visited) return visited;
  }
}

}  // namespace

Result<BackupWriter> BackupWriter::create(const std::string& path, const FileSystem& files) {
  if (look_at(path).there && !is_backup(path)) {
    return Error{Errc::invalid_argument, path + " is there already and is not a backup of yore",
                 "name a new file"};
  }
  BackupWriter writer(path, files);
  writer.temp_path_ = path + ".tmp-" + std::to_string(::getpid());
  writer.fd_ = files.open(writer.temp_path_, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (writer.fd_ < 0) return system_error(errno, "create", writer.temp_path_);
  std::string head(kBackupMagic);
  head += kBackupVersion;
  if (Status put = writer.put(head); !put) return put.error();
  return writer;
}

BackupWriter::BackupWriter(BackupWriter&& other) noexcept
    : path_(std::move(other.path_)),
      files_(other.files_),
      temp_path_(std::move(other.temp_path_)),
      fd_(std::exchange(other.fd_, -1)),
      hash_(other.hash_),
      bytes_(other.bytes_),
      members_(other.members_) {}

BackupWriter::~BackupWriter() {
  if (fd_ < 0) return;
  ::close(fd_);
  static_cast<void>(files_->remove_file(temp_path_));  // what stays is named like a leftover
}

Status BackupWriter::put(std::string_view bytes) {
  hash_ = hash64(bytes, hash_);
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = files_->write(fd_, bytes.data(), bytes.size());
    if (written <= 0) return system_error(errno, "write", temp_path_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status BackupWriter::add(std::string_view name, std::string_view packed) {
  ++members_;
  Status status = put(member_sizes(name.size(), packed.size()));
  if (status) status = put(name);
  if (status) status = put(packed);
  return status;
}

Status BackupWriter::finish() {
  Status status = put(member_sizes(0, members_));
  ByteWriter hash;
  hash.u64(hash_);
  if (status) status = put(hash.bytes());
  if (!status) return status;
  if (files_->sync(fd_) != 0) return system_error(errno, "sync", temp_path_);
  if (status = files_->rename_file(temp_path_, path_); !status) return status;
  ::close(std::exchange(fd_, -1));
  return {};
}

Status each_member(const std::string& path, const OnMember& visit) {
  auto file = InputFile::open(path);
  if (!file) return file.error();
  const auto stamp = file->stamp();
  if (!stamp) return stamp.error();
  BackupSource source(std::move(*file));
  Status read = read_members(source, stamp->size_bytes, visit);
  if (!read && read.error().code == Errc::corrupt) {
    return Error{Errc::corrupt, path + ": " + read.error().message, read.error().hint};
  }
  return read;
}

}  // namespace yore::archive
