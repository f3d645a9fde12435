#include "generator/output.hpp"

#include "base/files/file.hpp"

namespace yore::generator {

Status MemoryOutput::begin(const std::string& path) {
  files_[path].clear();
  return {};
}

Status MemoryOutput::append(const std::string& path, std::string_view bytes) {
  files_[path] += bytes;
  return {};
}

Status DirectoryOutput::close() {
  if (!file_) return {};
  if (std::fclose(file_.release()) == 0) return {};
  return Error{Errc::io, open_path_ + ": could not be written"};
}

Status DirectoryOutput::open(const std::string& path, const char* mode) {
  if (Status closed = close(); !closed.ok()) return closed;
  open_path_ = path_join(root_, path);
  if (Status made = make_directories(std::string(path_dirname(open_path_))); !made.ok())
    return made;
  file_.reset(std::fopen(open_path_.c_str(), mode));
  if (!file_) return Error{Errc::io, open_path_ + ": cannot be opened for writing"};
  return {};
}

Status DirectoryOutput::begin(const std::string& path) {
  return open(path, "wb");
}

Status DirectoryOutput::append(const std::string& path, std::string_view bytes) {
  if (!file_ || open_path_ != path_join(root_, path)) {
    if (Status opened = open(path, "ab"); !opened.ok()) return opened;
  }
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return {};
  return Error{Errc::io, open_path_ + ": cannot be written"};
}

}  // namespace yore::generator
