// tool_filters.hpp — the arguments that searching and listing share: project, agent, since, until,
// limit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "config/settings.hpp"
#include "mcp/tools/arguments.hpp"

namespace yore::mcp {

struct Filters {
  std::vector<std::string> projects;
  std::vector<std::string> agents;
  std::optional<Time> since;
  std::optional<Time> until;
  std::size_t limit = 0;
  std::vector<std::string> notes;  // what about them is worth a sentence
  bool match_nothing = false;      // whatever there is, and a note says why
};

// What is wrong with them is in arguments.error().
Filters read_filters(Arguments& arguments, const config::World& world,
                     const transcript::AgentRegistry& agents, std::int64_t limit);

// The id of a session, or the start of one.
std::string read_session_id(Arguments& arguments);
// A limit from 1 to search::kMostRows; more is reduced to that, with a note.
std::size_t read_limit(Arguments& arguments, std::int64_t fallback,
                       std::vector<std::string>& notes);

}  // namespace yore::mcp
