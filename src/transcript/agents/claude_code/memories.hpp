// memories.hpp — what lies beside Claude Code's transcripts and is worth finding:
//
//   <home>/history.jsonl                     {display, pastedContents, timestamp, project,
//                                            sessionId?}: everything that was typed
//   <home>/projects/<project>/memory/*.md    what the agent wrote down about a project
//   <home>/recalls/*                         results of earlier searches that were saved
#pragma once

#include <string>

#include "transcript/adapter.hpp"
#include "transcript/agents/claude_code/family.hpp"
#include "transcript/dialects/prompt_history.hpp"

namespace yore::transcript::claude_code {

extern const HistoryFormat kHistory;

// Adds the notes in `folder`, a project's; `cwd`: what the project works on, as far as is known.
void list_memory(const Member& member, const std::string& folder, const std::string& cwd,
                 const PreviousListing& known, Listing& listing);
// Adds what lies in the folder that holds `projects`. Only Claude Code itself has a history that is
// read: its ids stand for themselves.
void list_home(const Member& member, const std::string& home, const PreviousListing& known,
               Listing& listing);

// A note is one turn of one record.
Result<bool> note_resumable(const SessionRef& session, const Cursor& cursor);
Result<ReadStep> read_note(const SessionRef& session, const Cursor& cursor, RecordSink& sink);

}  // namespace yore::transcript::claude_code
