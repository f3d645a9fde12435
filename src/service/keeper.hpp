// keeper.hpp — keeps the index fresh while conversations grow, in the background of a server.
//
// Every server has one; at any time one of them all keeps: it holds the keeper lock, watches the
// directories of all known roots and reads what grew. The others sleep in the kernel until the lock
// is free, so one takes over the moment the keeper ends, however it ends. Writing itself still
// takes the writer lock, run by run: `yore index` and `yore search` work beside a keeper.
//
// With nothing to read, the keeper gives new texts their vectors (derive/background_embedder.hpp).
//
// What the keeper does is written into a small file, so that the other servers and `yore status`
// can tell how fresh the index is.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "store/coverage.hpp"

namespace yore::service {

struct KeeperReport : store::FileCoverage {
  int pid = 0;
  bool building = false;      // not everything known has been read yet
  std::uint64_t watched = 0;  // directories
  std::uint64_t polled = 0;   // directories that are looked at from time to time instead
  std::string remark;         // a sentence: why some are polled, what went wrong; often empty
};

// The report of the process that keeps the index now; nullopt: there is none.
std::optional<KeeperReport> read_keeper_report(const std::string& data_dir);

struct KeeperOptions {
  // How long a file must rest before it is read; a file that never rests waits four times as long.
  std::chrono::milliseconds debounce{20};
};

class Keeper {
 public:
  Keeper(config::World world, config::Settings settings, config::Scope scope,
         KeeperOptions options);
  // Stops soon, whatever is going on; what was committed stays.
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Begins in a thread of its own. Sources of the scope are registered even when another process
  // keeps. Once.
  void start();
  // Is this the one that keeps? Any thread.
  [[nodiscard]] bool keeps() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yore::service
