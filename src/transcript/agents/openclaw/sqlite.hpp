// sqlite.hpp — OpenClaw's store from 2026.7 on: agent/openclaw-agent.sqlite, schema 4
// to 23.
//
// Tables read (columns are probed, since they came one by one):
//   transcript_events(session_id, seq, event_json [, event_zstd])     schema 23: one of the two is
//   set transcript_rewrite_watermarks(session_id, generation)             changes when history is
//   rewritten session_transcript_cold_archives(session_id, archive_name, storage, archive_blob, …)
//   session_nodes, session_windows (before schema 14: session_entries, sessions)   keys and titles
// The owner is never in our way nor we in its: read-only, one short read transaction per batch.
//
// A session's key inside the store is "events:<session id>" or "archive:<session id>".
// Cursor of events: generation, last seq and a hash of that event's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "base/result.hpp"
#include "transcript/adapter.hpp"
#include "transcript/agents/openclaw/index.hpp"

namespace yore::transcript::openclaw {

inline constexpr int kNewestSchema = 23;
inline constexpr std::string_view kEventsRow = "events:";
inline constexpr std::string_view kArchiveRow = "archive:";

struct StoredSession {
  std::string session_id;
  std::string row;
  bool archived = false;
  FileStamp stamp;  // events, version (last seq and generation), 0
};

// Fills `index` too. `unsupported` for a schema that is not known, `busy` when the owner held it.
Result<std::vector<StoredSession>> list_store(const std::string& path, SessionIndex& index);

// For a session whose `path` is the store.
Result<bool> store_resumable(const SessionRef& session, const Cursor& cursor);
Result<ReadStep> read_store(const SessionRef& session, const Cursor& cursor,
                            const ReadLimits& limits, RecordSink& sink);

}  // namespace yore::transcript::openclaw
