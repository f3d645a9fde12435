// replay.hpp — one session file of Gemini CLI, read whole.
//
// A document, <name>.json:
//   {"sessionId","projectHash","startTime","lastUpdated","messages":[…],"kind"?,"summary"?,…}
// A log, <name>.jsonl, that must be replayed:
//   {"sessionId","projectHash",…}         what the document has beside its messages
//   {"id",…}                              a message; a later line with its id replaces it
//   {"$set":{"summary"?,"messages"?,…}}   changes that, or gives the model's context anew
//   {"$patch":{…}}                        changes the model's context
//   {"$rewindTo":"<id>"}                  takes that message and all after it back; with an id that
//                                         nobody knows, all messages
//
// The conversation is what was said, not what the model still remembers: a context that was
// shortened or summed up takes nothing away, and adds only messages that were not there before
// (under whatever id). A message stands where it first appeared and says what its last line says;
// one that was taken back stays and is marked. So turns keep their numbers while a log grows.
//
// Memory: a document is held whole, up to kMaxDocumentBytes; a log takes some 100 bytes a message.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "transcript/stores/replay.hpp"

namespace yore::transcript::gemini {

inline constexpr std::uint64_t kMaxDocumentBytes = 256ULL << 20;

// True: the sink was full, and there may be more.
Result<bool> replay(const std::string& path, ReplaySink& sink);

// What the engine asks of a session file.
Result<bool> is_resumable(const std::string& path, const Cursor& cursor);
Result<ReadStep> read(const std::string& path, const Cursor& cursor, const ReadLimits& limits,
                      RecordSink& sink);

}  // namespace yore::transcript::gemini
