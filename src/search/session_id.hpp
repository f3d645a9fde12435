// session_id.hpp — ids of sessions: "1a2b3c4d-…" of Claude Code, "openclaw:1a2b3c4d-…" of any other
// agent, "<parent>/agent-1a2b…" of a sub-agent; and how people shorten them. Pure; a short one is
// looked up by Reader::find_session().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yore::search {

// For each id, in order: "1a2b3c4d" of a UUID, "openclaw:1a2b3c4d" of another agent's, and
// "agent-1a2b3c4d" of a sub-agent; each longer where eight characters name two of them. All are
// accepted wherever an id is.
std::vector<std::string> short_ids(const std::vector<std::string>& ids);

// The id as the agent itself knows it: without our "agent:" in front.
std::string_view native_id(std::string_view uid, std::string_view agent);
// Is it the id of this session, with or without "agent:" in front?
bool is_id_of(std::string_view uid, std::string_view id);

// "1a2b…" of "1a2b…~2"; the id itself when it is not an edition's.
std::string_view edition_base(std::string_view uid);

}  // namespace yore::search
