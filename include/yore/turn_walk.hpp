// turn_walk.hpp — turns to be taken along: all that is known of each, one after the other, over any
// history. Corpus::turns() (yore.hpp) begins a walk.
//
//   auto walk = corpus->turns({.projects = {"shop"}});
//   while (walk) {
//     auto turn = walk->next();
//     if (!turn) return complain(turn.error().message);
//     if (!*turn) break;  // that was the last one
//     keep((*turn)->id, (*turn)->content_hash, (*turn)->assistant_summary);
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "yore/result.hpp"
#include "yore/source.hpp"

namespace yore {

// Which turns a walk goes over: those of the corpus, narrowed further.
struct TurnScope {
  std::optional<TimePoint> since;     // active at or after
  std::optional<TimePoint> until;     // and before
  std::vector<std::string> projects;  // part of a project's name, folder or path; any of them
  std::vector<std::string> agents;    // any of them
  std::size_t max_sessions = 0;       // only this many, the newest; 0: all
  bool include_full = false;          // assistant_full is given too
  bool include_subagents = false;     // conversations between agents, with their parents
  bool include_automated = false;     // what nobody typed
  bool include_superseded = false;    // turns that the agent has rewritten since
};

// What is known of a turn beside its text.
struct TurnMetadata {
  std::string session_id;
  std::uint32_t turn_number = 0;
  std::string parent_session_id;  // of a sub-agent's session
  std::string agent;
  std::string project;
  std::string project_path;
  std::string title;   // of the session
  std::string branch;  // last seen in the turn; likewise the model
  std::string model;
  std::optional<TimePoint> time;       // of the prompt
  std::optional<TimePoint> last_time;  // of the latest activity
  bool has_tool_use = false;
  std::optional<Tokens> tokens;  // none: the transcript does not say, which is not zero
  std::string origin;            // equal in every copy of the turn: forks, resumed sessions
  bool abandoned = false;
  bool automated = false;
  bool superseded = false;
  bool source_missing = false;
};

// A turn, to be taken along.
struct TurnRecord {
  std::string id;  // 12 hex digits that name it for good, also on the command line
  std::string user_prompt;
  std::string assistant_summary;  // what was concluded
  std::string assistant_full;     // all that the assistant said; "" without include_full
  TurnMetadata metadata;
  // 16 hex digits. They differ when something else was said or called; what was seen with the same
  // id and hash need not be looked at again.
  std::string content_hash;
};

// Goes over turns, newest session first, within a session in the order of the conversation. Nothing
// is read before it is asked for: what a walk holds are 8 bytes for each session to come and at
// most 16 turns, however long the history. It sees what refresh() has brought in when the walk
// comes to it; a session that was removed meanwhile is left out.
//
// A walk belongs to one thread at a time. Any number of them may go on at once, also while the
// corpus is searched and refreshed. It may outlive the Corpus it came from.
class TurnWalk {
 public:
  // The next turn; nullopt when there are no more. After an error it may be called again.
  Result<std::optional<TurnRecord>> next();

 private:
  friend class Corpus;
  struct State;
  explicit TurnWalk(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace yore
