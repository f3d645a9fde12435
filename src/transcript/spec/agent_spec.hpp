// agent_spec.hpp — an agent as data: where its files lie, what stands where in them, and which of
// it a person typed. docs/agents.md is the same page for people who write one in TOML.
//
// A description names; it never computes. It holds no SQL, no shell and no regular expressions, so
// one written by a stranger can only read what it names below its own roots. What is odd about an
// agent is C++ behind `hooks`; descriptions of users have none.
//
// How a session is read, whatever the store kind: the store gives JSON objects one after the other,
// `fields` says which of their keys go to which slot, the first of `records` that fits says what
// the object is, and `typed` separates what a person wrote from what was put around it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "transcript/adapter.hpp"
#include "transcript/record.hpp"

namespace yore {
class Database;
}

namespace yore::transcript {

// Stands for the session's id in the words of a resume command.
inline constexpr std::string_view kIdWord = "{id}";

// How a session is kept, a file each in stores/.
enum class StoreKind : std::uint8_t {
  lines,       // JSON lines, appended to
  document,    // one JSON document that holds a list of messages
  tree,        // a file about the session and a small one for each message
  rows,        // tables of a SQLite database
  keyed_rows,  // a table of keys and JSON values
  sections,    // text in which marks at the begin of a line say who speaks
  blobs,       // messages by their hashes, in a SQLite database for each session
  exports,     // a JSON list of conversations, as a file or in a zip archive
};

// In which shape content blocks are written, a table each in dialects/parts.cpp.
enum class Dialect : std::uint8_t {
  anthropic,
  openai,
  genai,
  pi,
  typed_parts,
  acp,
  vscode,
  tagged
};

// Where a field's value goes. The texts come first: rules can ask for them.
enum class Slot : std::uint8_t {
  type,         // what the record is
  subtype,      // more of the same, from a place further inside
  event,        //
  role,         // who speaks
  origin,       // who is behind it
  origin_name,  //
  status,       // how it ended
  error,        //
  key,          // Record::key and what follows in record.hpp
  parent_key,
  message_id,
  cwd,
  branch,
  repository,
  model,
  version,
  slug,
  title,
  text,      // words; those of blocks come first
  typed,     // what of them a person typed, where the content holds more; of an exchange the prompt
  thinking,  //
  command,   // of a person or a call, with its `output`
  output,    //
  part_type,  // of a record that is itself a content block
  tool_id,
  tool_name,
  file,    // of a record that is itself a call, as `command` is: the path it works on
  parent,  // in heads: the session this one was started by
  // Not texts.
  tool_input,
  blocks,   // content: a text, a block, or a list of them
  calls,    // tool calls beside the content, in place of those in it
  results,  // outputs of tools beside the content, a list or by the call's id
  shown,    // flags
  sidechain,
  machine,
  body,  // true when there is an object here
  time,  // ISO 8601 or milliseconds
  time_s,
  time_local,  // ISO 8601; without a zone it is that of this machine
  usage_in,
  usage_out,
  usage_cache_read,
  usage_cache_write,
};
inline constexpr std::size_t kTextSlots = static_cast<std::size_t>(Slot::tool_input);
inline constexpr std::size_t kSlots = static_cast<std::size_t>(Slot::usage_cache_write) + 1;

// "message.content", "items[].text"; a key with a dot stands in quotes: "_meta.'x.ai/tool'.name".
// When two rules fill one slot, the first that finds something wins; blocks and calls add up.
struct FieldRule {
  std::string path;
  Slot slot = Slot::type;
};

// One condition on a slot. Texts: equal to one of `values`, where "goal.*" is a prefix; without
// values, whether there is any text (or block). Flags: whether they are set.
struct Condition {
  Slot slot = Slot::type;
  std::vector<std::string> values;
  bool wanted = true;
};

enum class RecordAs : std::uint8_t {
  meta,  // as in RecordKind
  prompt,
  joined_prompt,
  queued_prompt,
  command,
  assistant,
  tool_output,
  note,
  shell,      // a command a person ran from the prompt: a prompt "! command" and its output
  exchange,   // a prompt (the slot `typed`) and the answer to it
  unknown,    // counted by the slot `name`; delivered as meta
  malformed,  // not what a record should be: counted as wrong-type
};

// What an object is: the first rule of which all conditions hold.
struct RecordRule {
  std::vector<Condition> when;
  RecordAs as = RecordAs::meta;
  Slot name = Slot::type;   // of unknown: what to call it by
  std::string label;        // … and what it is called in front; the name of the slot when empty
  bool structural = false;  // a link in the chain that is no message
  bool compaction = false;  // from here on the model knows a summary of what was before
  bool keyless = false;     // its key is not the record's
  bool machine = false;     // nobody typed it
  bool thinking = false;    // of assistant: its words are thoughts
  bool any_keys = false;    // keys that are not listed do not count
  TitleKind title_kind = TitleKind::none;         // of its title; none: as the agent's others
  std::vector<std::pair<Slot, std::string>> set;  // for texts that are not there
};

// What to do with the text of a prompt. A mark "<tag>" stands for everything up to "</tag>",
// "begin*end" (of strip and unwrap) for what begins so up to the last such end, any other for a
// text that begins with it.
enum class TypedAction : std::uint8_t {
  strip,    // take it off the begin, as often as it is there
  unwrap,   // what is inside was typed
  cut,      // everything from the mark on, wherever it stands, was added
  drop,     // nobody typed this, and it is not worth finding
  note,     // nobody typed this, but it is worth finding
  machine,  // a prompt that nobody typed
  command,  // "/name args"
};
struct TypedRule {
  TypedAction action = TypedAction::strip;
  std::string mark;
};

// {"tool":…, shown: first of `names`}; see tool_rules.hpp.
struct ToolArgument {
  std::string tool;
  std::string shown;
  std::vector<std::string> names;
  std::size_t max_chars = SIZE_MAX;
};

// Where sessions lie below a root. The pattern is a path of names with '*', '?' and captures:
// {id} the session, {directory} the folder that stands for the project, {parent} the session that
// started it, {any} whatever. "**" stands for up to `depth` folders.
struct PlaceRule {
  std::string pattern;
  std::string messages;           // tree: the files of messages, with the captures of `pattern`
  std::vector<std::string> skip;  // names that are passed over, as globs; "x/": folders only
  int depth = 4;                  // how many folders "**" may stand for
  SessionKind kind = SessionKind::main;
  int rank = 0;
  bool head = false;        // the first lines say what the file is, and whose
  bool in_project = false;  // the file lies in the directory that was worked in
  std::string cwd_link;     // a link beside the file that leads to that directory
  bool fixed = false;       // tree: files of messages never change once they are there
};

// What is read of a file's first lines, of a document's own fields, or of a session's own row.
struct HeadRule {
  std::vector<FieldRule> fields;
  std::vector<std::string> types;  // what a session may begin with; none: with anything
  std::string session_type;        // of the record that carries the session's id
};

// A file beside the transcripts that tells about sessions: each has its own ("summary.json"), or
// one is an index of many, whose entries carry the id of theirs (slot key). Of parent, title, cwd
// and machine the listing is made; model, branch, version and time of a session's own file are a
// record before its first.
struct BesideRule {
  // From the session's file: "{id}.meta.json", "../index.jsonl"; {id}: its stem, {directory}: the
  // name of its folder.
  std::string file;
  std::vector<FieldRule> fields;
  std::vector<std::string> subagents;  // types of sub-agents; none: every one that has a parent

  [[nodiscard]] bool is_index() const;
};

// A column whose value is one of these; '*' and '?' as in a shell.
struct ColumnRule {
  std::string column;
  std::vector<std::string> values;
};

// rows: two tables and their columns, or one whose rows hold whole conversations. Columns that
// `fields` names are read; those in `json` hold JSON, the others texts and numbers. A value that is
// compressed with zstd is unpacked.
struct RowsRule {
  std::string sessions;  // table
  std::string id;  // columns of it; only the id is needed. "value.id": in the JSON of a column
  std::vector<std::string> title;  // the first of them that says something
  std::string cwd;                 // of several lines the first
  std::string parent;
  std::string changed;                  // any value that changes with the session
  std::string document;                 // holds the conversation: there are no messages then
  std::string messages;                 // table
  std::string session;                  // column that holds the session's id
  std::string order;                    // column to sort by
  std::vector<std::string> edited;      // numbers that change when a message is edited in place
  std::vector<std::string> json;        // columns
  std::vector<std::string> json_after;  // in any column: a text that begins so is JSON behind it
  std::string packed;  // a column of messages that holds several records, as `unpack` lists them
  std::string (*unpack)(std::string_view bytes) = nullptr;  // the hook's
  // The hook's as well: the conversation as a document, where no single value holds it. `document`
  // is then a column that is another one after each change.
  Result<std::string> (*assemble)(Database& database, std::string_view id) = nullptr;
  // What one of these columns says about a session.
  std::vector<ColumnRule> skip;     // it is none
  std::vector<ColumnRule> machine;  // nobody typed in it
  std::vector<ColumnRule> child;  // its parent started it; without such rules: whenever it has one
};

// keyed_rows: "chat:{id}" holds the session, "message:{id}:{any}" one message of it.
struct KeyedRule {
  std::string table;
  std::string key;
  std::string value;
  std::string session;   // pattern of keys
  std::string messages;  // likewise; none: the session's value is a document with them inside
  // In the session's value: the path of a list whose elements name the messages in their order,
  // that of {any} in such an element, and that of a flag which is false for what is not shown.
  std::string order;
  std::string order_key;
  std::string order_shown;
};

// sections: lines that begin with `mark` are of this type; `type` "session" begins a new one. With
// `end`, everything up to a line that begins with it is.
struct SectionRule {
  std::string mark;
  std::string type;
  std::string key = "text";  // the field that holds the text
  std::string until;         // the text ends here
  std::string end;
  bool whole = false;   // the lines of mark and end belong to the text
  bool single = false;  // each line stands alone
};

// "/home/ann/app" -> "--home-ann-app--": how folders are named after a working directory.
struct DirectoryRule {
  std::string before;
  std::string after;
  std::string replace;     // each of these characters …
  std::string with;        // … becomes this
  std::string drop_first;  // taken off the begin, once
};

struct RootPlace {
  std::string env;
  std::string base;
  std::string suffix;
  std::string needs;
};

struct Hooks;

struct AgentSpec {
  std::string name;
  std::string display_name;
  std::string speaker;
  std::string formats;
  Verified verified = Verified::unsaid;
  std::vector<RootPlace> roots;
  std::string like;  // an agent that is written by hand and whose files are the same
  int reading = kFirstReading;
  std::vector<std::string> resume;  // words; "{id}" stands for the session's id

  StoreKind store = StoreKind::lines;
  Dialect dialect = Dialect::anthropic;
  std::string inside;    // a folder below the root that is looked into when it is there
  std::string messages;  // document: path of the list; "" when the document is the list
  std::string current;   // exports: of a tree of messages, the key that names the last one
  std::vector<PlaceRule> places;
  HeadRule head;
  RowsRule rows;
  KeyedRule keyed;
  std::vector<BesideRule> beside;
  std::vector<SectionRule> sections;
  std::string line_end;  // sections: how marked lines end; taken off. Others are text before an end
  std::vector<FieldRule> fields;
  std::vector<std::string> split;  // keys of an object that are records of their own, in this order
  std::vector<FieldRule> tags;  // "<path>…</path>" in a record that is metadata: what is inside
  std::vector<std::string> silent;  // paths of keys that are known and of no use; "a.b.*": all of b
  std::vector<RecordRule> records;
  std::vector<TypedRule> typed;
  std::vector<ToolArgument> tools;
  DirectoryRule directory;
  std::vector<std::string> versions;   // known ones; another is counted as unknown-schema
  std::string record_name = "record";  // "record.key": how an unknown key is counted
  std::string block_name = "block";    // "block x": likewise an unknown content block
  std::string picture = "[image]";     // the words of a prompt that is only a picture
  TitleKind title_kind = TitleKind::ai;
  std::vector<std::string> untitled;  // titles that say nothing, as globs: "New Session*"
  std::vector<std::string> fenced;    // tools that are called by fenced blocks of their name
  bool tree = false;        // records that answer none are roots: a second one is a new beginning
  bool prompt_keys = true;  // a prompt without a key gets one of its time and words
  // Other stores of the same agent: each a whole description, of which only what differs was said.
  std::vector<AgentSpec> also;

  const Hooks* hooks = nullptr;
};

// An adapter that works as described. The description is compiled once, at the first use.
// REQUIRES: it was checked (spec_toml.hpp) or is one of ours.
Adapter make_adapter(AgentSpec spec);

}  // namespace yore::transcript
