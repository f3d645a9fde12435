// watch.hpp — tells when something happens in a set of directories, and sleeps until then.
//
// The kernel is asked where it can tell (inotify); everything else is polled: other systems,
// directories over the system's limit of watches, unreadable ones. File systems that others change
// too (NFS, SMB, FUSE, ...) are both: the kernel tells what this machine does, polling the rest.
//
// Watch first, then look. What happens after watch() returned is reported; what was there before is
// not. So whoever watches a directory and then lists it misses nothing, and may hear of something
// it has already seen. Sub-directories are not watched by themselves: they are reported, and the
// caller decides.
//
// Threads: one thread uses a Watcher; wake() and describe() may be called from any.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace yore {

// Absolute paths, sorted, each once. A path is a reason to look, not a fact: what is said to be new
// may be gone by now.
struct Changes {
  // Created, written, moved in or out, deleted. A link counts as what it leads to.
  std::vector<std::string> files;
  // Sub-directories that came, went or were replaced, and watched directories that are gone or no
  // longer at their path. The latter are not watched any more, nor is what was watched below them.
  std::vector<std::string> directories;
  bool overflow = false;  // some were lost: look at everything
  bool woken = false;     // by wake()

  [[nodiscard]] bool none() const { return files.empty() && directories.empty() && !overflow; }
};

struct WatchOptions {
  std::chrono::milliseconds poll_interval{2000};
  std::size_t most_watches = SIZE_MAX;  // of the kernel; more directories are polled
  bool force_polling = false;
  std::string assumed_file_system = {};  // as if all were on one that tells only a part: "NFS"
};

struct WatchState {
  std::size_t watched = 0;  // directories the kernel tells about
  std::size_t polled = 0;   // instead, or in addition
  std::string reason;       // a sentence for people when polled > 0
};

class Watcher {
 public:
  static Result<Watcher> start(const WatchOptions& options = {});
  Watcher(Watcher&& other) noexcept;
  Watcher& operator=(Watcher&& other) noexcept;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher();

  // Fine when it is watched already; a directory that was replaced meanwhile is watched anew.
  // not_found: there is no directory (watch its parent). Links are followed.
  Status watch(const std::string& directory);
  void forget(const std::string& directory);

  // Sleeps until something happens, then goes on collecting until `debounce` passed quietly, but
  // not longer than four times that. Nothing for `longest` (negative: no limit): no changes.
  Result<Changes> wait(std::chrono::milliseconds longest, std::chrono::milliseconds debounce);
  // Makes wait() return at once with what it has, or the next one when nobody waits. Several count
  // as one. Safe in signal handlers.
  void wake() const noexcept;

  [[nodiscard]] WatchState describe() const;

 private:
  class Work;
  explicit Watcher(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

}  // namespace yore
