// session.hpp — reads a session of OpenCode step by step, although it is edited in place.
//
// A message is settled when it will not change any more: the assistant's when it is completed or
// another of the assistant follows, a person's when anything follows. The cursor stands behind the
// last settled message. The first one that is not settled is read as far as its parts are final,
// and again each time: the records of its parts have keys, so what was read before is ignored. So
// the records are the same in whatever steps the session was read.
//
// Cursor: "opencode <settled messages> <parts of the last one> <hash of the session's own row>
// <parts read of the open message> <size of place> <place of the last settled><place of the open>"
#pragma once

#include "base/result.hpp"
#include "transcript/adapter.hpp"
#include "transcript/agents/opencode/store.hpp"

namespace yore::transcript::opencode {

// False when messages before the cursor went, came, or are hidden or shown again.
Result<bool> session_resumable(MessageStore& store, const Cursor& cursor);
Result<ReadStep> read_session(MessageStore& store, const Cursor& cursor, const ReadLimits& limits,
                              RecordSink& sink);

}  // namespace yore::transcript::opencode
