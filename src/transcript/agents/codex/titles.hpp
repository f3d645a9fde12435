// titles.hpp — the names that Codex's own lists give to its threads.
//
//   session_index.jsonl   {"id":…,"thread_name":…,"updated_at":…}, the last of an id counts
//   state_5.sqlite        table threads: name, or a title that is not just the first message
// Both are caches of what the rollouts say: whatever is wrong with them, what could be read counts.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/files/file_view.hpp"

namespace yore::transcript::codex {

using Titles = std::unordered_map<std::string, std::string>;  // by thread id

// `home` is the folder that holds `sessions`.
Titles read_titles(const std::string& home, const FileView& files);

}  // namespace yore::transcript::codex
