// project.hpp — which working directory a Gemini folder stands for.
//
//   <home>/projects.json               {"projects":{"/w/app":"app"}}
//   <home>/tmp/<slug>/.project_root    the directory itself
//   <home>/tmp/<SHA-256 of the directory>/    older
// Qwen Code took the older layout over.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/files/file_view.hpp"

namespace yore::transcript::gemini {

// "My App!" -> "my-app": how the folder of /w/My App! is called, unless that name was taken.
std::string slug_of(std::string_view cwd);
// 64 hex digits.
bool is_hash(std::string_view name);

// What projects.json knows: folder names (slugs, and hashes of the same directories) and their
// directories. Whatever is wrong with the file, what could be read counts.
class ProjectIndex {
 public:
  void add_file(const std::string& path, const FileView& files);
  // The directory that `folder` (…/tmp/<name>) stands for, "" when nothing tells.
  [[nodiscard]] std::string directory_of(const std::string& folder, const FileView& files) const;

 private:
  std::map<std::string, std::string, std::less<>> directories_;  // by folder name
};

// Finds the directory whose hash a session carries among the directories above the paths its tools
// worked on: equal hashes are proof.
class DirectoryFinder {
 public:
  void set_hash(std::string_view hash);
  // The directory, the first time a path leads to it; else "".
  std::string_view look_at(std::string_view path);

 private:
  std::string hash_;
  std::string found_;
  std::string last_folder_;
  int tries_left_ = 0;
};

}  // namespace yore::transcript::gemini
