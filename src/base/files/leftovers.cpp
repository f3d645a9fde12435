#include "base/files/leftovers.hpp"

#include "base/files/file.hpp"
#include "base/trace.hpp"

namespace yore {

void remove_leftovers(const std::string& path, const FileSystem& files) {
  const std::string directory{path_dirname(path)};
  const std::string prefix = std::string(path_basename(path)) + ".tmp-";
  const auto entries = list_directory(directory);
  if (!entries) return Trace::failure("list what was left over", entries.error());
  for (const DirEntry& entry : *entries) {
    if (!entry.name.starts_with(prefix)) continue;
    Trace::failure("remove what was left over",
                   files.remove_file(path_join(directory, entry.name)));
  }
}

}  // namespace yore
