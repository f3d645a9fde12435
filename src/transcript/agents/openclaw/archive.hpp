// archive.hpp — transcripts that OpenClaw has compressed: single events and cold sessions.
//
// A cold archive (sessions/cold/<sha256>.jsonl.zst, or a blob of the database) is one zstd stream
// of JSON lines that never changes:
//   {"kind":"header","version":1,"sessionId":…,"generation":…}      first
//   {"kind":"event","row":{"seq":0,"event_json":"{…}","created_at":…}}
//   {"kind":"identity"|"active"|"index"|"fts","row":{…}}            derived, not read
// Archives that hold the bare entries, one a line, are read as well.
//
// Nothing here holds more than kMaxDecodedBytes of decompressed text, whatever a frame claims.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "transcript/adapter.hpp"
#include "transcript/input/zstd_text.hpp"

namespace yore::transcript::openclaw {

// The archive file's bytes; an error when it is too large to be one.
Result<std::string> load_archive(const std::string& path);
// The session id its first line names, "" when it names none.
std::string archive_session_id(const std::string& path, const FileView& files);

bool archive_resumable(std::string_view bytes, const Cursor& cursor);
ReadStep read_archive(std::string_view bytes, const Cursor& cursor, const ReadLimits& limits,
                      RecordSink& sink);

}  // namespace yore::transcript::openclaw
