// places.hpp — finds the files that a description's patterns name, below one root and nowhere else.
//
// A pattern is a path of names. In a name '*' is any run of characters, '?' one of them, and a
// capture such as {id} a run of at least one. "**" stands for some folders, or none. Each run
// is as short as what follows allows, the last takes the rest, so a name has one reading.
//
// Links lead wherever they lead, as for every other agent; what is named is still below the root.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/result.hpp"
#include "transcript/adapter.hpp"
#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

// What the captures of a pattern stand for, by name.
class Captures {
 public:
  [[nodiscard]] std::string_view get(std::string_view name) const;  // "" when there is none
  void set(std::string_view name, std::string_view text);

 private:
  std::vector<std::pair<std::string, std::string>> texts_;
};

// nullopt: the name is not of this pattern. Captures that are set already have to be the same.
std::optional<Captures> match_name(std::string_view pattern, std::string_view name,
                                   const Captures& before = {});
// "message/{id}/*.json" with {id} in place; captures that are not set stay.
std::string fill_pattern(std::string_view pattern, const Captures& captures);

// Is it a pattern? It has no "..", no empty name, no root of its own, at most 16 names, and only
// captures that are known. The error says what is wrong.
Status check_pattern(std::string_view pattern);

// As many folders as "**" can ever stand for.
inline constexpr int kMostFolders = 4;

using OnPlace = std::function<void(const std::string& path, const Captures& captures)>;

// Looks below one root for the files of one pattern after the other; a folder is listed once.
class PlaceFinder {
 public:
  // Folders that cannot be listed become problems of `listing`, which outlives the finder.
  PlaceFinder(std::string root, FileView files, Listing& listing)
      : root_(std::move(root)), files_(files), listing_(listing) {}

  [[nodiscard]] const std::string& root() const { return root_; }
  [[nodiscard]] const FileView& files() const { return files_; }
  // Calls `on_place` for each regular file, in the order of their paths. An error when the root
  // itself cannot be listed. `skip`: names that are passed over, those of folders only when they
  // end in '/'. `depth`: how many folders "**" stands for.
  Status find(std::string_view pattern, const std::vector<std::string>& skip,
              const OnPlace& on_place, int depth = kMostFolders);

 private:
  struct Search;
  const std::vector<DirEntry>* entries(const std::string& folder);
  void look(const Search& search, const std::string& folder, const std::vector<DirEntry>& entries,
            std::size_t name, const Captures& captures, int folders);
  void descend(const Search& search, const std::string& folder, std::size_t name,
               const Captures& captures, int folders);

  std::string root_;
  FileView files_;
  Listing& listing_;
  std::unordered_map<std::string, std::vector<DirEntry>> listed_;
};

}  // namespace yore::transcript
