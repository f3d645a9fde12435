// adapter.hpp — the contract between yore and one agent's files.
//
// An adapter is a value: names, places and five functions, of which these three do the work:
//   sessions(root, known)   what conversations are there, without reading them
//   read(session, cursor)   records after the cursor, and the new cursor
//   resumable(session, c)   is what was read up to this cursor still what the file holds?
// The cursor is opaque to everyone else: a byte offset and two hashes for JSONL, a row number and a
// generation for a database, a content hash for a whole file.
//
// Most agents need no code: spec/agent_spec.hpp describes one as data, and make_adapter() makes an
// adapter of the description (docs/agents.md). Those that are too odd for that are written by hand,
// a folder each in transcript/agents. registry.hpp has them all.
//
// Threads: the functions keep no state that can be seen; different sessions may be read from
// different threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_view.hpp"
#include "base/result.hpp"
#include "transcript/record.hpp"

namespace yore::transcript {

// A place to look at: `$env/suffix` when the variable is set, else `base/suffix`. `base` is a path
// below the home folder ("~/.claude"), or "~config" ($XDG_CONFIG_HOME or ~/.config) or "~data"
// ($XDG_DATA_HOME or ~/.local/share) with the rest in `suffix`.
// `needs`: a path, written as `base` is, without which this is no place of the agent's.
struct RootRule {
  std::string_view env;
  std::string_view base;
  std::string_view suffix;
  std::string_view needs = {};
};

// What a person gave with --source, or what a rule led to.
struct Root {
  std::string path;    // a folder; of agents with a database also that file
  bool named = false;  // by --source: its project is "<agent>-<folder>"
};

enum class SessionKind : std::uint8_t { main, subagent };

// What a listed session is made of.
enum class SessionContent : std::uint8_t {
  conversation,
  prompts,  // of a conversation whose transcript is gone: all that its agent's history has of it
  note,     // a file of what is to be remembered
};

struct SessionRef {
  std::string id;         // as people write it: uuid, "openclaw:<id>", "<parent>/agent-<id>"
  std::string parent_id;  // "" for a main session
  SessionKind kind = SessionKind::main;
  SessionContent content = SessionContent::conversation;
  std::string path;        // the file or database that holds it
  std::string row;         // key inside a database; "" for files
  std::string directory;   // name of the folder that stands for the project (may encode the cwd)
  std::string project;     // fixed project name, when the format has one ("openclaw-clawd")
  std::string title;       // from the agent's own session index
  std::string cwd;         // likewise (originalPath), for sessions whose records carry none
  std::string resume_key;  // what the agent's resume command wants, when that is not the id
  bool automated = false;
  FileStamp stamp;  // equal stamps: nothing new. Of rows: version in place of mtime
  int reading = 1;  // the adapter's when it was read, or is to be read
  // Two places may hold the same session: the higher rank is read, then the larger, then the
  // first by path; the others are copies.
  int rank = 0;
};

// A database or index file that lists many sessions. When its stamp is what it was, the adapter
// need not open it: everything known from it still stands.
struct Container {
  std::string path;
  FileStamp stamp;
};

struct Listing {
  std::vector<SessionRef> sessions;
  std::vector<Container> containers;                          // opened this time
  std::vector<std::string> unchanged;                         // containers left closed
  std::vector<std::pair<std::string, std::string>> problems;  // path, sentence
};

// What a listing begins with: what is known from the last one, so that what is as it was need not
// be opened to be listed.
struct PreviousListing {
  // Is this container what it was? Asked before it is opened.
  std::function<bool(const std::string& path, const FileStamp& stamp)> unchanged =
      [](const auto&, const auto&) { return false; };
  // The session of this file as it was listed for the agent; null when the file has changed since
  // it was read, or is new. It may have been listed when less was in the file: what was found in it
  // then still stands, what was not may be there now.
  std::function<const SessionRef*(std::string_view agent, const std::string& path,
                                  const FileStamp& stamp)>
      session = [](auto, const auto&, const auto&) { return nullptr; };
  // What the listing looks at; it must look at nothing else, or changes there go unnoticed.
  FileView files;
};

using Cursor = std::string;

inline constexpr int kFirstReading = 1;

struct ReadLimits {
  std::uint64_t max_bytes = UINT64_MAX;  // stop after about this many, between two records
};

struct ReadStep {
  Cursor cursor;
  std::uint64_t bytes_read = 0;  // raw bytes consumed by this step
  bool more = false;             // stopped by the limit, call again
};

// Rows of a database that belong to one session.
struct OwnRows {
  std::string table;
  std::string condition;  // SQL, with parameters from ?1 on
  std::vector<std::string> values;
};

// When an agent deletes transcripts by itself: so many days after they were last written to. The
// agent's own settings may say another number.
struct Retention {
  int days = 0;               // 0: it keeps them
  std::string_view settings;  // a JSON file, from the root: "../settings.json"
  std::string_view key;       // of the number of days in it
};

// What the reading of an agent's files was checked against.
enum class Verified : std::uint8_t {
  source,   // its source, or other readers of its files: no file of it was seen
  derived,  // files that were made of real ones
  real,     // files that the agent itself wrote
  unsaid,   // a person's own description need not say
};

// What the views and functions of an adapter made of a description point at is held by `owner`: a
// function is of use as long as an adapter that has it. An adapter written by hand has no owner.
struct Adapter {
  std::string_view name;          // "claude-code": --agent, --source, ids
  std::string_view display_name;  // "Claude Code"
  std::string_view speaker;       // "Claude": how the assistant is called in output
  std::span<const RootRule> roots;
  std::string_view formats;  // for `yore agents`: versions and containers understood
  Verified verified = Verified::unsaid;

  std::function<Result<Listing>(const Root& root, const PreviousListing& known)> sessions;
  std::function<Result<bool>(const SessionRef& session, const Cursor& cursor)> resumable;
  std::function<Result<ReadStep>(const SessionRef& session, const Cursor& cursor,
                                 const ReadLimits& limits, RecordSink& sink)>
      read;
  // argv of the agent's own resume command; empty when there is none.
  std::function<std::vector<std::string>(std::string_view native_id)> resume;
  // How the agent names the folder of a working directory; empty when the name tells nothing.
  std::function<std::string(std::string_view cwd)> directory_name = {};
  // Of a session in a database: which rows of it are the session's, so that they can be kept
  // without the rest. Empty, or no rows: the files that `read` opens are the session's.
  std::function<Result<std::vector<OwnRows>>(const SessionRef& session)> rows = {};
  Retention retention = {};

  // Version of the reading, stored with each session. When it rises, what is still there is read
  // again from its start.
  int reading = kFirstReading;
  // A person's own description, not one that came with the program: its resume command is asked
  // for before it is run.
  bool from_user = false;
  std::shared_ptr<const void> owner = {};
};

// May it stand in a command line? Letters, digits and "._:-", the first a letter or digit.
bool is_safe_id(std::string_view id);

}  // namespace yore::transcript
