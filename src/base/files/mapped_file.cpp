#include "base/files/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <utility>

#include "base/files/file.hpp"
#include "base/posix.hpp"

namespace yore {

Result<MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK keeps the open of a named pipe from waiting for its writer.
  const Descriptor fd{open_retrying(path, O_RDONLY | O_NONBLOCK)};
  if (fd.get() < 0) return system_error(errno, "open", path);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_error(errno, "look at", path);
  if (!S_ISREG(info.st_mode)) {
    return Error{Errc::io, "cannot open " + path + ": not a regular file"};
  }
  MappedFile file;
  file.size_ = static_cast<std::size_t>(info.st_size);
  if (file.size_ == 0) return file;
  void* const address = ::mmap(nullptr, file.size_, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (address != MAP_FAILED) {
    file.data_ = static_cast<const char*>(address);
    file.mapped_ = true;
    return file;
  }
  auto bytes = read_whole(path);
  if (!bytes) return bytes.error();
  file.read_ = std::move(*bytes);
  file.data_ = file.read_.data();
  file.size_ = file.read_.size();
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept {
  *this = std::move(other);
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);  // `other` unmaps what this held
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  std::swap(read_, other.read_);
  return *this;
}

MappedFile::~MappedFile() {
  // munmap() does not change what is there, but takes a pointer that could.
  if (mapped_) ::munmap(const_cast<char*>(data_), size_);
}

Result<std::vector<char>> read_whole(const std::string& path) {
  const auto file = InputFile::open(path);
  if (!file) return file.error();
  const auto stamp = file->stamp();
  if (!stamp) return stamp.error();
  std::vector<char> bytes(stamp->size_bytes);
  const auto got = file->read_at(0, bytes.data(), bytes.size());
  if (!got) return got.error();
  bytes.resize(*got);
  return bytes;
}

}  // namespace yore
