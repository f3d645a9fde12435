// The kernel and the comparing twin must tell the same of whatever somebody does to a tree.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"
#include "unit/base/watch_ear.hpp"

namespace yore {
namespace {

namespace fs = std::filesystem;
using Paths = std::set<std::string>;

struct Touched {
  Paths files;
  Paths directories;
  Paths perhaps;  // files in a directory that went with all it held
};

// Directories d0..d2 in the root, files f0..f2 in each of them and in the root.
class Tree {
 public:
  explicit Tree(std::string root) : root_(std::move(root)) {}

  Touched write(int place, int name) {
    const std::string path = file(place, name);
    if (!is_directory(directory(place))) return {};
    std::ofstream(path, std::ios::app) << std::string(1 + (writes_++ % 7U), 'x');
    return {{path}, {}, {}};
  }
  Touched empty(int place, int name) {
    const std::string path = file(place, name);
    if (!is_regular_file(path) || fs::file_size(path) == 0) return {};
    fs::resize_file(path, 0);
    return {{path}, {}, {}};
  }
  Touched remove(int place, int name) {
    const std::string path = file(place, name);
    if (!fs::remove(path)) return {};
    return {{path}, {}, {}};
  }
  Touched move(int place, int name, int to_place, int to_name) {
    const std::string from = file(place, name);
    const std::string to = file(to_place, to_name);
    if (from == to || !is_regular_file(from) || !is_directory(directory(to_place))) return {};
    fs::rename(from, to);
    return {{from, to}, {}, {}};
  }
  Touched make_directory(int place) {
    const std::string path = directory(place);
    if (!fs::create_directory(path)) return {};
    return {{}, {path}, {}};
  }
  Touched remove_directory(int place) {
    const std::string path = directory(place);
    if (place == 0 || !is_directory(path)) return {};
    Touched touched{{}, {path}, files_in(place)};
    fs::remove_all(path);
    return touched;
  }
  Touched move_directory(int place, int to_place) {
    const std::string from = directory(place);
    const std::string to = directory(to_place);
    if (place == 0 || !is_directory(from) || is_directory(to)) return {};
    fs::rename(from, to);
    return {{}, {from, to}, {}};
  }

  [[nodiscard]] std::vector<std::string> directories() const {
    std::vector<std::string> all;
    for (int place = 0; place < kPlaces; ++place) {
      if (is_directory(directory(place))) all.push_back(directory(place));
    }
    return all;
  }
  static constexpr int kPlaces = 4;  // 0: the root
  static constexpr int kNames = 3;

 private:
  [[nodiscard]] std::string directory(int place) const {
    return place == 0 ? root_ : path_join(root_, "d" + std::to_string(place));
  }
  [[nodiscard]] std::string file(int place, int name) const {
    return path_join(directory(place), "f" + std::to_string(name));
  }
  [[nodiscard]] Paths files_in(int place) const {
    Paths all;
    for (int name = 0; name < kNames; ++name) {
      if (is_regular_file(file(place, name))) all.insert(file(place, name));
    }
    return all;
  }
  std::string root_;
  std::size_t writes_ = 0;
};

Touched do_something(Tree& tree) {
  const int place = *rc::gen::inRange(0, Tree::kPlaces);
  const int other = *rc::gen::inRange(0, Tree::kPlaces);
  const int name = *rc::gen::inRange(0, Tree::kNames);
  const int other_name = *rc::gen::inRange(0, Tree::kNames);
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
      return tree.empty(place, name);
    case 1:
      return tree.remove(place, name);
    case 2:
      return tree.move(place, name, other, other_name);
    case 3:
    case 4:
      return tree.make_directory(place);
    case 5:
      return tree.remove_directory(place);
    case 6:
      return tree.move_directory(place, other);
    default:
      return tree.write(place, name);
  }
}

bool has_all(const Paths& heard, const Paths& wanted) {
  return std::includes(heard.begin(), heard.end(), wanted.begin(), wanted.end());
}

// One of the two, and a directory of its own that is the last one in every round of polling:
// whoever has heard twice of a file there has looked everywhere since the first time.
class Twin {
 public:
  Twin(const std::string& root, const std::string& name, const WatchOptions& options)
      : ear(options), directory_(path_join(root, "z" + name)) {
    fs::create_directory(directory_);
    RC_ASSERT(ear.watcher.watch(directory_).ok());
  }
  void catch_up() {
    const std::string file = path_join(directory_, "f");
    for (int time = 0; time < 2; ++time) {
      fake::append(file, "x");
      RC_ASSERT(ear.hears_of_file(file));
      ear.files.erase(file);
    }
  }
  fake::Ear ear;

 private:
  std::string directory_;
};

void expect_told(Twin& twin, const Touched& touched) {
  fake::Ear& ear = twin.ear;
  RC_ASSERT(ear.listen_until([&] {
    return has_all(ear.files, touched.files) && has_all(ear.directories, touched.directories);
  }));
  twin.catch_up();
  Paths allowed = touched.files;
  allowed.insert(touched.perhaps.begin(), touched.perhaps.end());
  RC_ASSERT(has_all(allowed, ear.files));
  RC_ASSERT(has_all(touched.directories, ear.directories));
  RC_ASSERT(!ear.overflow);
  ear.forget_what_was_said();
}

RC_GTEST_PROP(WatchTwins, TellOfEverythingTouchedAndNothingElse, ()) {
  const fake::TempDir temp;
  Tree tree{temp.path()};
  WatchOptions polling = fake::polling();
  polling.poll_interval = std::chrono::milliseconds{1};
  Twin kernel{temp.path(), "kernel", {}};
  Twin poller{temp.path(), "poller", polling};
  const int steps = *rc::gen::inRange(1, 16);
  for (int step = 0; step < steps; ++step) {
    for (const std::string& directory : tree.directories()) {
      RC_ASSERT(kernel.ear.watcher.watch(directory).ok());
      RC_ASSERT(poller.ear.watcher.watch(directory).ok());
    }
    const Touched touched = do_something(tree);
    expect_told(kernel, touched);
    expect_told(poller, touched);
  }
}

}  // namespace
}  // namespace yore
