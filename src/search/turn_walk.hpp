// turn_walk.hpp — turns one after the other, over any history: for programs that take them along.
//
// What is held at once are the numbers of the sessions that are still to come and the turns of one
// page, however long the history. A session that goes on meanwhile is walked as far as it is when
// its turn comes; one that is removed meanwhile is left out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "search/reader.hpp"
#include "store/store.hpp"

namespace yore::search {

struct WalkFilter {
  std::vector<std::string> projects;  // substrings of project name, folder name or path; any of
  std::vector<std::string> agents;    // exact names, ignoring case; any of
  std::optional<Time> since;          // last activity of the turn at or after
  std::optional<Time> until;          // and before
  std::size_t max_sessions = 0;       // conversations, the newest of them; 0: all
  bool subagents = false;             // sessions of sub-agents, when their parent is walked
  bool automated = false;             // what nobody typed
  bool superseded = false;            // turns that stand nowhere any more
};

struct WalkedTurn {
  turns::Turn row;
  std::string chunk_id;
  std::string user_text;
  std::string assistant_text;
  std::size_t conclusion_begin = 0;  // in assistant_text
};

struct WalkPage {
  store::SessionRow session;
  std::vector<WalkedTurn> turns;
  std::optional<turns::TurnNumber> next;  // where the next page of this session begins
};

// In the order of the walk: newest activity first, then what belongs to them.
Result<std::vector<store::SessionId>> sessions_to_walk(Reader& reader, const WalkFilter& filter);
// The turns of a session from number `from` on, as far as one page goes; from the store alone.
Result<WalkPage> walk_page(Reader& reader, store::SessionId session, turns::TurnNumber from,
                           const WalkFilter& filter);

}  // namespace yore::search
