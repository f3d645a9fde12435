#include "service/here.hpp"

#include "base/files/file.hpp"
#include "ingest/naming.hpp"

namespace yore::service {

std::string project_root(const std::string& folder) {
  constexpr std::size_t kGitFileBytes = 4096;
  std::string at = folder;
  while (true) {
    if (std::string root = ingest::worktree_root_by_name(at); !root.empty()) return root;
    const std::string git = path_join(at, ".git");
    if (is_directory(git)) return at;
    if (is_regular_file(git)) {
      const auto text = read_file(git, kGitFileBytes);
      std::string root = text ? ingest::worktree_root_in(*text) : std::string();
      return root.empty() ? at : root;
    }
    std::string above(path_dirname(at));
    if (above == at || above == ".") return folder;
    at = std::move(above);
  }
}

}  // namespace yore::service
