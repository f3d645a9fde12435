// doctor.hpp — looks for what is wrong and says what to do about it.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"

namespace yore::service {

struct Finding {
  enum class Level : std::uint8_t { ok, note, problem };
  Level level = Level::ok;
  std::string area;     // "permissions", "database", "sources", "skipped", "unknown", "orphans",
                        // "keywords", "model", "vectors", "settings", "formats", "setup", "mcp"
  std::string message;  // one sentence
  std::string fix;      // what --fix does or what a person can do; "" when nothing
  bool fixable = false;
  bool fixed = false;
};

// A problem that is still there.
bool is_broken(const Finding& finding);

// Checks: settings, permissions of data directory and files (0700/0600), database integrity and
// schema, lock, roots that cannot be read, records skipped or repaired (per file with lines),
// unknown record types, format versions, missing sources, orphaned rows and files. With `fix`:
// mends permissions, removes orphaned rows; never touches transcripts.
Result<std::vector<Finding>> examine(const config::World& world, const config::Settings& settings,
                                     bool fix);

}  // namespace yore::service
