// gemini.cpp — where Gemini CLI keeps its conversations.
//
//   <home>/tmp/<slug or hash>/chats/session-<time>-<first 8 of the id>.jsonl    rank 1
//   …/chats/session-….json                   older; resumed, it becomes a .jsonl beside it
//   …/chats/<session id>/<sub-agent id>.jsonl
// Left out: what a rewriting put aside (*.jsonl.unreadable-*, *.tmp-*), logs.json, checkpoints.
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "transcript/adapters.hpp"
#include "transcript/dialects/gemini/listing.hpp"
#include "transcript/dialects/gemini/project.hpp"
#include "transcript/dialects/gemini/replay.hpp"

namespace yore::transcript::gemini {
namespace {

constexpr std::string_view kName = "gemini";

constexpr std::array kRoots = {
    RootRule{"GEMINI_CLI_HOME", "~", ".gemini/tmp"},
    // Where the sandbox of macOS lets it write.
    RootRule{"", "~", ".cache/.gemini/tmp"},
};

Result<Listing> list(const Root& root, const PreviousListing& known) {
  return gemini::list_sessions(root, kName, known);
}

Result<bool> resumable(const SessionRef& session, const Cursor& cursor) {
  return gemini::is_resumable(session.path, cursor);
}

Result<ReadStep> read_session(const SessionRef& session, const Cursor& cursor,
                              const ReadLimits& limits, RecordSink& sink) {
  return read(session.path, cursor, limits, sink);
}

}  // namespace

const Adapter kAdapter = {
    .name = kName,
    .display_name = "Gemini CLI",
    .speaker = "Gemini",
    .roots = kRoots,
    .formats = "JSON documents and replayed JSONL of Gemini CLI up to 0.61, sub-agents",
    .verified = Verified::real,
    .sessions = list,
    .resumable = resumable,
    .read = read_session,
    .resume = resume_with("gemini", "--resume"),
    .directory_name = slug_of,
};

}  // namespace yore::transcript::gemini
