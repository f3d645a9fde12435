// asking_session.hpp — which session a question comes from: what an agent asks with is a turn of
// its own, and finding that is of no use to it.
//
// An agent that names its session is believed. Of one that does not, the session is known when only
// one can be meant; where two could, none is: a conversation that is left out wrongly is missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "search/reader.hpp"

namespace yore::search {

// The session's id as the agent hands it on in the environment; "" when it does not. `agent`: whose
// word counts, for agents start each other; "": the first that says something.
std::string session_in_environment(const config::World& world, std::string_view agent);

struct Asker {
  std::string agent;     // as sessions name it
  std::string folder;    // where its server was started
  Time since = kNoTime;  // and when
};
// The one session of this agent and folder with a prompt typed since then; of several the one whose
// last prompt nobody has answered yet. nullopt: there is none, or it is not certain.
Result<std::optional<store::SessionRow>> session_by_activity(Reader& reader, const Asker& asker);

}  // namespace yore::search
