// watch_ear.hpp — a Watcher that remembers all it was told, for tests that wait for something.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/files/file.hpp"
#include "base/watch/watch.hpp"
#include "support/temp_dir.hpp"

namespace yore::fake {

// Far longer than anything takes: reaching it is the failure.
inline constexpr std::chrono::seconds kPatience{30};

struct Ear {
  explicit Ear(const WatchOptions& options = {}) : watcher(make(options)) {}

  // Listens until it is so.
  bool listen_until(const std::function<bool()>& is_so) {
    const auto give_up = std::chrono::steady_clock::now() + kPatience;
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > give_up) return false;
      listen(std::chrono::milliseconds{1000});
    }
    return true;
  }
  void listen(std::chrono::milliseconds longest) {
    auto changes = watcher.wait(longest, std::chrono::milliseconds{0});
    ASSERT_TRUE(changes.ok()) << changes.error().message;
    files.insert(changes->files.begin(), changes->files.end());
    directories.insert(changes->directories.begin(), changes->directories.end());
    overflow |= changes->overflow;
  }
  bool hears_of_file(const std::string& path) {
    return listen_until([&] { return files.contains(path); });
  }
  bool hears_of_directory(const std::string& path) {
    return listen_until([&] { return directories.contains(path); });
  }
  void forget_what_was_said() {
    files.clear();
    directories.clear();
    overflow = false;
  }

  Watcher watcher;
  std::set<std::string> files;
  std::set<std::string> directories;
  bool overflow = false;

 private:
  static Watcher make(const WatchOptions& options) {
    auto started = Watcher::start(options);
    if (!started) std::abort();
    return std::move(*started);
  }
};

inline void append(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::app | std::ios::binary) << text;
}

struct Directories : testing::Test {
  [[nodiscard]] const std::string& root() const { return temp.path(); }
  [[nodiscard]] std::string in(std::string_view name) const { return path_join(root(), name); }
  [[nodiscard]] std::string make_dir(std::string_view name) const {
    std::filesystem::create_directories(in(name));
    return in(name);
  }
  TempDir temp;
};

inline WatchOptions telling() {
  return {};
}

inline WatchOptions polling() {
  WatchOptions options;
  options.force_polling = true;
  options.poll_interval = std::chrono::milliseconds{5};
  return options;
}

// As on a network: the kernel tells a part, and everything is polled.
inline WatchOptions telling_and_polling() {
  WatchOptions options;
  options.assumed_file_system = "NFS";
  options.poll_interval = std::chrono::milliseconds{5};
  return options;
}

}  // namespace yore::fake
