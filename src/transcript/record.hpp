// record.hpp — what every agent's transcript is made of, once an adapter has read it.
//
// A Record is one event of a conversation in the words of `turns`, not of the agent: a prompt, a
// piece of the assistant's answer, a tool's output. Format-specific filtering (injected text,
// command tags, heartbeats) happens in the adapter; which turn a record belongs to is decided in
// turns/tracker.hpp.
//
// Lifetime: all views point into the reader's buffers and are valid only during the call that
// delivers the record. Whoever wants to keep text copies it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/time.hpp"

namespace yore::transcript {

enum class RecordKind : std::uint8_t {
  meta,           // carries metadata only
  prompt,         // a person's message: starts a turn
  joined_prompt,  // typed while the assistant worked and delivered into the running turn
  queued_prompt,  // typed while the assistant worked; may come again as prompt or joined_prompt
  command,        // "/name args": starts no turn, is searchable in the turn it falls into
  assistant,      // text, thinking and tool calls
  tool_output,    // results of tools, matched to their calls by tool id
  note,           // text nobody typed but worth finding: compaction summaries, background results
  memory,         // what was written down to be remembered; a turn of its own
};

enum class BlockKind : std::uint8_t { text, thinking, tool_call, tool_result };

struct Block {
  BlockKind kind = BlockKind::text;
  // text, thinking, result: the words. tool_call: what of its input is worth finding (command,
  // path, pattern, new text), one value a line.
  std::string_view text;
  std::string_view tool_id;    // tool_call and tool_result: joins one to the other
  std::string_view tool_name;  // tool_call
  std::string_view rendering;  // tool_call: compact JSON object, e.g. {"tool":"Read","file":"/x"}
  std::string_view file;       // tool_call: the path it works on, if any
  // tool_call that edits: what it took away, and what it put in its place (or wrote).
  std::string_view removed = {};
  std::string_view added = {};
};

enum class TitleKind : std::uint8_t {
  none,
  custom,      // the user named the session
  name,        // the agent was given a name; counts as custom when there is no custom title
  summary,     // belongs to the session that holds record `leaf`
  ai,          // made by the model
  index,       // from the agent's own session index
  compaction,  // last resort of agents without titles
};

struct Usage {
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  std::uint64_t cache_read_tokens = 0;
  std::uint64_t cache_write_tokens = 0;
  friend bool operator==(const Usage&, const Usage&) = default;
};

struct Record {
  RecordKind kind = RecordKind::meta;
  std::span<const Block> blocks;

  // Identity and lineage. A key seen before in the same session is a repeated line: ignored.
  std::string_view key;         // the agent's record id; "" when it has none
  std::string_view parent_key;  // the record this one answers; "" at a root
  std::string_view message_id;  // groups the lines of one assistant message
  bool structural = false;      // a link in the chain that is no message (attachment, progress …)
  bool sidechain = false;       // a sub-agent's record inside its parent's file

  Time time = kNoTime;
  // Metadata; "" means "nothing new".
  std::string_view cwd;
  std::string_view branch;
  std::string_view model;
  std::string_view version;
  std::string_view slug;
  // What it is a checkout of: the address of a remote, or the path of the main checkout.
  std::string_view repository;
  std::string_view title;
  TitleKind title_kind = TitleKind::none;
  std::string_view leaf;    // with TitleKind::summary: the record the summary belongs to
  Usage usage;              // of the whole message: the largest of a message_id counts
  bool compaction = false;  // from here on the model knows a summary of what was before
  bool automated = false;   // a prompt that a timer, hook or poll wrote, not a person
  bool scripted = false;    // a prompt that came by `-p`, `exec` or an SDK

  // Where it stands: byte offset (or row number) and line (1-based; 0 for rows).
  std::uint64_t offset = 0;
  std::uint64_t line = 0;
};

enum class ProblemKind : std::uint8_t {
  invalid_json,    // the record is lost
  invalid_utf8,    // read with U+FFFD in place of the bad bytes
  lone_surrogate,  // read with U+FFFD in its place
  control_bytes,   // NUL or raw control characters inside: read with U+FFFD in their place
  wrong_type,      // a field that is not what it should be; the record is lost
  oversized,       // over 32 MB: only its head was read
  unreadable,      // the file or a part of it could not be opened
  unknown_schema,  // a store of a version we do not know
};
inline constexpr int kProblemKinds = 8;
// "invalid-json", "oversized" …: as shown by status and doctor.
std::string_view problem_name(ProblemKind kind);

// Receives what an adapter reads. Called from one thread at a time.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void record(const Record& record) = 0;
  virtual void problem(ProblemKind kind, std::uint64_t line) = 0;
  // A record type, block type or key that the adapter does not know: "type frobnicate",
  // "user.newKey". Counted, so that drift of a format is visible.
  virtual void unknown(std::string_view what) = 0;
};

}  // namespace yore::transcript
