#include <algorithm>
#include <utility>

#include "base/files/file.hpp"
#include "base/files/file_lock.hpp"
#include "base/trace.hpp"
#include "lexical/format/snapshot_files.hpp"
#include "lexical/write/index_state.hpp"
#include "lexical/write/index_writer.hpp"
#include "lexical/write/merge.hpp"
#include "lexical/write/merge_policy.hpp"

namespace yore::lexical {
namespace {

// Neighbours of one family in files of their own.
struct Task {
  std::vector<SegmentFile> files;
  std::vector<MergeInput> inputs;
};

std::optional<Task> next_task(const Snapshot& snapshot, const Manifest& manifest,
                              const WriterLimits& limits, std::uint64_t max_bytes) {
  for (std::size_t family = 0; family < kFamilies; ++family) {
    std::vector<SegmentFile> files;
    std::ranges::copy_if(manifest.segments, std::back_inserter(files),
                         [&](const SegmentFile& file) { return file.family == family; });
    // Those of the log follow behind the files; the next fold takes them.
    const auto& live = snapshot.segments(static_cast<Family>(family));
    std::vector<MergeCandidate> candidates;
    for (std::size_t i = 0; i < files.size(); ++i) {
      candidates.push_back({files[i].bytes, files[i].documents, live[i].dead.count()});
    }
    const auto group = choose_merge(candidates, limits, max_bytes);
    if (!group) continue;
    Task task;
    for (std::size_t i = group->first; i < group->first + group->count; ++i) {
      task.files.push_back(files[i]);
      // Those that are all dead need not even be read.
      if (candidates[i].dead < candidates[i].documents) {
        task.inputs.push_back({&live[i].segment, &live[i].dead});
      }
    }
    return task;
  }
  return std::nullopt;
}

// Publishes `merged` (nothing: all were dead) in place of the task's files. False: they are no
// longer what is published. Documents that died since the merge began are still named by the
// removals, which go by key.
Result<bool> replace_files(const std::string& directory, std::uint64_t birth, const Task& task,
                           std::optional<SegmentFile> merged, const FileSystem& files) {
  auto manifest = read_manifest<Manifest>(directory, files);
  if (!manifest) return manifest.error();
  if (manifest->birth != birth) return false;
  auto& segments = manifest->segments;
  const auto found =
      std::search(segments.begin(), segments.end(), task.files.begin(), task.files.end());
  if (found == segments.end()) return false;
  const auto at = segments.erase(found, found + std::ssize(task.files));
  if (merged) {
    merged->number = manifest->next_file++;
    segments.insert(at, *merged);
    Status status =
        files.rename_file(merge_output_path(directory), segment_path(directory, merged->number));
    if (!status) return status.error();
  }
  ++manifest->generation;
  if (Status status = publish_manifest(directory, *manifest, files); !status) return status.error();
  remove_unnamed(directory, *manifest, files);
  return true;
}

}  // namespace

Result<bool> IndexWriter::merge(const std::string& directory, const WriterLimits& limits,
                                std::uint64_t max_bytes, const UnderLock& publish_under_lock,
                                const std::shared_ptr<const Snapshot>& previous,
                                const FileSystem& files) {
  const auto lock = FileLock::try_acquire(merge_lock_path(directory), files);
  if (!lock) {
    const Errc code = lock.error().code;
    if (code == Errc::busy || code == Errc::not_found) return false;
    return lock.error();
  }
  const auto snapshot = Snapshot::open(directory, previous, files);
  if (!snapshot) {
    if (snapshot.error().code == Errc::not_found) return false;
    return snapshot.error();
  }
  const Manifest& manifest = (*snapshot)->files_->manifest;
  const auto task = next_task(**snapshot, manifest, limits, max_bytes);
  if (!task) return false;

  std::optional<SegmentFile> merged;
  const std::string output = merge_output_path(directory);
  if (Status status = files.remove_file(output); !status) return status.error();
  if (!task->inputs.empty()) {
    const auto bytes = merge_segments(task->inputs);
    if (!bytes) return bytes.error();
    auto described = describe(task->files.front().of(), *bytes);
    if (!described) return described.error();
    merged = *described;
    if (Status status = files.write_new_file(output, *bytes); !status) return status.error();
  }
  bool replaced = false;
  const Status status = publish_under_lock([&]() -> Status {
    const auto done = replace_files(directory, manifest.birth, *task, merged, files);
    if (!done) return done.error();
    replaced = *done;
    return {};
  });
  Trace::failure("remove the output of a merge", files.remove_file(output));
  if (!status) return status.error();
  return replaced;
}

}  // namespace yore::lexical
