// index.hpp — what OpenClaw's own session map says of its sessions.
//
// The map goes from session key ("agent:main:main", "cron:<job>", "agent:main:subagent:<uuid>") to
// the transcript that is current for it. It is a file (sessions.json) or tables of the database.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"
#include "transcript/adapter.hpp"

namespace yore::transcript::openclaw {

inline constexpr std::string_view kIdPrefix = "openclaw:";

struct IndexEntry {
  std::string session_key;
  std::string title;
  std::string parent_key;  // session key of the session that spawned it
};

class SessionIndex {
 public:
  // `stem` names the transcript: a file's stem or a row's session id. A key leads to the transcript
  // that was added last as `current`.
  void add(std::string stem, IndexEntry entry, bool current);
  // Adds what a sessions.json holds. On failure, what stands before the damage.
  Status add_file(const std::string& path, const FileView& files);
  // Fills title, resume key, kind, parent and automated of the session of this stem.
  void describe(std::string_view stem, SessionRef& session) const;

 private:
  bool add_text(std::string_view json);

  std::unordered_map<std::string, IndexEntry> entries_;   // by stem
  std::unordered_map<std::string, std::string> current_;  // session key -> stem
};

}  // namespace yore::transcript::openclaw
