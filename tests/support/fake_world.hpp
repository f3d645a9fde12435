// fake_world.hpp — a machine for tests of the engine: a home directory of its own, an environment
// that is a map, a clock that stands still.
//
// Every write gives its file a later time than any write before: file systems count time in steps
// that tests can be quicker than.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "config/settings.hpp"
#include "ingest/indexer.hpp"
#include "search/reader.hpp"
#include "store/store.hpp"
#include "support/temp_dir.hpp"

namespace yore::fake {

class FakeWorld {
 public:
  explicit FakeWorld(TempDir::Size size = TempDir::Size::small);

  [[nodiscard]] const std::string& home() const { return home_.path(); }
  [[nodiscard]] std::string in_home(std::string_view name) const;
  // ~/.claude/projects/<directory>/<session>.jsonl
  [[nodiscard]] std::string session_path(std::string_view directory,
                                         std::string_view session) const;
  [[nodiscard]] std::string data_dir() const;

  void set_env(const std::string& name, std::string value) { env_[name] = std::move(value); }
  void set_config(std::string_view toml);
  // As /proc/self/mountinfo has them; there is one disk, and it is near, when nothing is said.
  void set_mounts(std::string mountinfo) { mounts_ = std::move(mountinfo); }
  // A line of it.
  static std::string mount_line(std::string_view point, std::string_view type);
  // The folder below which Windows' disks are.
  void set_drives(std::string folder) { drives_ = std::move(folder); }

  // Parents are made. Returns the path.
  std::string write(const std::string& path, std::string_view bytes);
  void append(const std::string& path, std::string_view bytes);
  void truncate(const std::string& path, std::uint64_t size);
  void rename(const std::string& from, const std::string& to);
  void copy(const std::string& from, const std::string& to);
  void remove(const std::string& path);
  static void set_time(const std::string& path, Time time);

  [[nodiscard]] config::World world() const;
  [[nodiscard]] config::Settings settings() const;
  Result<ingest::IndexReport> try_index(const ingest::IndexOptions& options = {}) const;
  // A failure fails the test and gives an empty report.
  ingest::IndexReport index(const ingest::IndexOptions& options = {}) const;
  [[nodiscard]] store::Store store() const;
  [[nodiscard]] search::Reader reader(const config::Scope& scope = {}) const;
  // What the store has of a session; fails the test when that is nothing.
  [[nodiscard]] store::SessionRow session(std::string_view uid) const;

 private:
  void tick(const std::string& path);
  // Of a file that came or went: its folders have another time now, too.
  void tick_folders(const std::string& path);

  TempDir home_;
  std::map<std::string, std::string, std::less<>> env_;
  std::string mounts_;
  std::string drives_;
  std::int64_t ticks_ = 0;
};

}  // namespace yore::fake
