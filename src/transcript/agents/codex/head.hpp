// head.hpp — what the first line of a rollout says of its session, read without the rest.
#pragma once

#include <string>
#include <string_view>

#include "base/files/file_view.hpp"

namespace yore::transcript::codex {

struct Head {
  std::string id;  // the thread's
  std::string cwd;
  std::string parent;  // the thread that started this one as a sub-agent
  bool subagent = false;
  bool automated = false;  // a timer started it
};

// Reads a few kilobytes, more only when they do not hold all that is wanted. What cannot be read
// stays empty.
Head read_head(const std::string& path, const FileView& files = {});

}  // namespace yore::transcript::codex
