// index.hpp — what Kimi itself says of its sessions, beside the transcripts.
//
//   <home>/kimi.json              {"work_dirs":[{"path":…}]}: folders are named after their MD5
//   <home>/session_index.jsonl    {"sessionId","sessionDir","workDir"},
//   {"sessionId","deleted":true} <session>/state.json
//   {"title","custom_title","workDir","agents":{"agent-0":
//                                 {"parentAgentId":"main"}}}
// What is missing or damaged is empty; nothing depends on it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/files/file_view.hpp"

namespace yore::transcript::kimi {

struct SessionState {
  std::string title;
  std::string work_dir;
  std::unordered_map<std::string, std::string> parents;  // agent -> the one that started it
};
SessionState read_state(const std::string& path, const FileView& files);

class HomeIndex {
 public:
  static HomeIndex read(const std::string& home, const FileView& files);
  // The working directory a folder below sessions/ is named after, "" when it is not known.
  [[nodiscard]] std::string folder_directory(std::string_view folder) const;
  // Likewise of a session of Kimi Code.
  [[nodiscard]] std::string session_directory(const std::string& session) const;
  [[nodiscard]] bool is_deleted(const std::string& session) const;

 private:
  struct Session {
    std::string work_dir;
    bool deleted = false;
  };
  std::unordered_map<std::string, std::string> by_hash_;
  std::unordered_map<std::string, Session> sessions_;
};

}  // namespace yore::transcript::kimi
