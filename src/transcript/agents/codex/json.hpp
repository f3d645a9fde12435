// json.hpp — the oldest rollouts: one JSON value, {"session":{…},"items":[…]}, that was
// written anew with every change. Read whole, and again when it has changed.
#pragma once

#include <string>

#include "base/result.hpp"
#include "transcript/adapter.hpp"

namespace yore::transcript::codex {

// Longer files are read up to here.
inline constexpr std::size_t kMaxJsonBytes = 64 << 20;

Result<bool> json_resumable(const SessionRef& session, const Cursor& cursor);
Result<ReadStep> read_json(const SessionRef& session, const Cursor& cursor, RecordSink& sink);

}  // namespace yore::transcript::codex
