#include <sys/stat.h>

#include "base/files/file.hpp"
#include "base/files/file_system.hpp"
#include "base/posix.hpp"

namespace yore {

Status write_file_atomically(const std::string& path, std::string_view bytes) {
  return real_file_system().write_file_atomically(path, bytes);
}

Status replace_file(const std::string& path, std::string_view bytes) {
  return real_file_system().replace_file(path, bytes);
}

Status write_new_file(const std::string& path, std::string_view bytes) {
  return real_file_system().write_new_file(path, bytes);
}

Result<bool> append_if_size(const std::string& path, std::uint64_t size, std::string_view bytes) {
  return real_file_system().append_if_size(path, size, bytes);
}

Status patch_file(const std::string& path, std::string_view identity,
                  const std::vector<Patch>& patches) {
  return real_file_system().patch_file(path, identity, patches);
}

Status rename_file(const std::string& from, const std::string& to) {
  return real_file_system().rename_file(from, to);
}

Status remove_file(const std::string& path) {
  return real_file_system().remove_file(path);
}

Status make_private_file(const std::string& path) {
  const Descriptor fd{open_retrying(path, O_RDWR | O_CREAT, S_IRUSR | S_IWUSR)};
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
      if (!is_directory(prefix)) {
        // That there is no place for it is no answer to "is it there?".
        Error error = system_error(code, "create directory", prefix);
        if (error.code == Errc::not_found) error.code = Errc::io;
        return error;
      }
    }
    if (end == std::string::npos) return {};
  }
}

}  // namespace yore
