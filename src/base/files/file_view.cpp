#include "base/files/file_view.hpp"

#include <algorithm>
#include <utility>

#include "base/work_limit.hpp"

namespace yore {

std::vector<ObservedPath> PathRecorder::take() {
  std::ranges::stable_sort(seen_, {}, &ObservedPath::path);
  // Not std::ranges::unique: clang 14 cannot compile what it returns.
  const auto same_path = [](const ObservedPath& a, const ObservedPath& b) {
    return a.path == b.path;
  };
  seen_.erase(std::unique(seen_.begin(), seen_.end(), same_path), seen_.end());
  return std::exchange(seen_, {});
}

void FileView::note(const std::string& path) const {
  if (recorder_ != nullptr) recorder_->note(look_at(path));
}

PathState FileView::look(const std::string& path) const {
  ObservedPath seen = look_at(path);
  const PathState state = seen;
  if (recorder_ != nullptr) recorder_->note(std::move(seen));
  return state;
}

Result<FileStamp> FileView::stat(const std::string& path) const {
  if (const Status go = WorkLimit::check("looked at", path); !go) return go.error();
  if (recorder_ == nullptr) return stat_file(path);
  // A stamp of a directory has a size, a state of one has not: only a file's are the same.
  const PathState state = look(path);
  if (state.there && state.type == FileType::regular) return state.stamp;
  return stat_file(path);
}

bool FileView::is_directory(const std::string& path) const {
  const PathState state = look(path);
  return state.there && state.type == FileType::directory;
}

bool FileView::is_regular_file(const std::string& path) const {
  const PathState state = look(path);
  return state.there && state.type == FileType::regular;
}

Result<std::vector<DirEntry>> FileView::list_directory(const std::string& path) const {
  note(path);
  return yore::list_directory(path);
}

Result<std::string> FileView::read_file(const std::string& path, std::size_t limit_bytes) const {
  note(path);
  return yore::read_file(path, limit_bytes);
}

Result<std::string> FileView::read_range(const std::string& path, std::uint64_t offset,
                                         std::size_t size) const {
  note(path);
  return yore::read_range(path, offset, size);
}

}  // namespace yore
