// sqlite.hpp — OpenCode's database: opencode.db, or opencode-<channel>.db.
//
// Tables read (columns beyond these are probed); accounts, credentials and shares are never asked
// for:
//   session(id, parent_id, directory, title, version, revert, time_updated)
//   message(id, session_id, time_created, data [, time_updated])      live
//   part(id, message_id, session_id, data [, time_updated])           the words of the messages
//   session_message(id, session_id, type, data [, seq, time_updated]) messages with their parts,
//                   the coming model: read when it has more of a session than `message`. A seq
//                   that is missing or null (Kilo Code) is the row's number.
// The database has no version number: a store without these columns is one we do not know.
//
// Rows are edited in place, but only at the end of a session; so a session has changed when the
// number of its rows, the parts of its last message, its last rows or its own row have. Counts and
// last rows come from indexes: the cost does not grow with what was said.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "base/result.hpp"
#include "transcript/adapter.hpp"

namespace yore::transcript::opencode {

// `unsupported` for a schema that is not known, `busy` when the owner held it.
Result<std::vector<SessionRef>> list_database(const std::string& path);
// Adds the ids of the sessions that have messages there.
Status add_database_ids(const std::string& path, std::unordered_set<std::string>& ids);

}  // namespace yore::transcript::opencode
