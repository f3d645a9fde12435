// session_id.hpp — ids of sessions: "1a2b3c4d-…" of Claude Code, "openclaw:1a2b3c4d-…" of any other
// agent, "<parent>/agent-1a2b…" of a sub-agent; and how people shorten them. Pure; a short one is
// looked up by Reader::find_session().
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace yore::search {

// How ids are shortened so that each still names one session of the whole index: "1a2b3c4d" of a
// UUID, "openclaw:1a2b3c4d" of another agent's, "1a2b3c4d/agent-5e6f7a8b" of a sub-agent,
// "1a2b3c4d~2" of an edition; each part longer where eight characters would name two.
// Reader::find_session() accepts them all. Building is O(n log n) in all ids, of() O(log n).
class ShortIds {
 public:
  // `all`: every id in the index, in any order; editions may be left out.
  explicit ShortIds(const std::vector<std::string>& all);
  // Of an id that is in the index.
  [[nodiscard]] std::string of(std::string_view uid) const;

 private:
  // Which names must differ: those of one agent ("codex:"), those below one parent ("1a2b…/"), and
  // under "" those of all agents, because "1a2b3c4d" finds them all.
  std::map<std::string, std::set<std::string>, std::less<>> names_;
};

// The id as the agent itself knows it: without our "agent:" in front.
std::string_view native_id(std::string_view uid, std::string_view agent);
// Is it the id of this session, with or without "agent:" in front?
bool is_id_of(std::string_view uid, std::string_view id);

// "1a2b…" of "1a2b…~2"; the id itself when it is not an edition's.
std::string_view edition_base(std::string_view uid);

}  // namespace yore::search
