// directory_statter.hpp — looks again at many paths below a few directories, without walking down
// from the root of the file system each time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"

namespace yore {

class DirectoryStatter {
 public:
  // Directories that cannot be opened cost nothing but speed.
  explicit DirectoryStatter(const std::vector<std::string>& directories);
  ~DirectoryStatter();
  DirectoryStatter(const DirectoryStatter&) = delete;
  DirectoryStatter& operator=(const DirectoryStatter&) = delete;

  // What is there now, when it is not what it was: as look_at(path) would say.
  // REQUIRES: `path` ends with a zero.
  [[nodiscard]] std::optional<PathState> changed(std::string_view path,
                                                 const PathState& before) const;

 private:
  struct Directory {
    std::string prefix;  // with a slash at its end
    int fd;
  };
  std::vector<Directory> directories_;
};

}  // namespace yore
