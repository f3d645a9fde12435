#include "store/schema.hpp"

#include <array>
#include <string>

#include "base/trace.hpp"

namespace yore::store {
namespace {

// kSteps[v] leads from version v to v + 1. Published steps are never edited; add one.
constexpr std::array<const char*, kSchemaVersion> kSteps = {
    R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta VALUES('uuid', lower(hex(randomblob(16)))), ('next_passage', 1), ('nonce', '');

CREATE TABLE root(
  id INTEGER PRIMARY KEY, agent TEXT NOT NULL, path TEXT NOT NULL, named INTEGER NOT NULL,
  UNIQUE(agent, path));
CREATE TABLE container(
  path TEXT PRIMARY KEY, root INTEGER NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
  inode INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE trouble(root INTEGER NOT NULL, path TEXT NOT NULL, message TEXT NOT NULL);

CREATE TABLE session(
  id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, agent TEXT NOT NULL,
  root INTEGER NOT NULL, path TEXT NOT NULL, row TEXT NOT NULL, copies TEXT NOT NULL,
  size INTEGER NOT NULL, mtime INTEGER NOT NULL, inode INTEGER NOT NULL, ref_hash INTEGER NOT NULL,
  missing INTEGER NOT NULL DEFAULT 0, broken INTEGER NOT NULL DEFAULT 0,
  excluded INTEGER NOT NULL DEFAULT 0,
  kind INTEGER NOT NULL, parent TEXT NOT NULL, directory TEXT NOT NULL,
  fixed_project TEXT NOT NULL, ref_title TEXT NOT NULL, ref_cwd TEXT NOT NULL,
  resume_key TEXT NOT NULL, ref_machine INTEGER NOT NULL,
  project TEXT NOT NULL DEFAULT '', project_path TEXT NOT NULL DEFAULT '',
  title TEXT NOT NULL DEFAULT '', title_kind TEXT NOT NULL DEFAULT '',
  machine INTEGER NOT NULL DEFAULT 0,
  first_time INTEGER NOT NULL DEFAULT 0, last_time INTEGER NOT NULL DEFAULT 0,
  turn_count INTEGER NOT NULL DEFAULT 0, records INTEGER NOT NULL DEFAULT 0,
  first_cwd TEXT NOT NULL DEFAULT '', cwd TEXT NOT NULL DEFAULT '',
  branch TEXT NOT NULL DEFAULT '', model TEXT NOT NULL DEFAULT '',
  version TEXT NOT NULL DEFAULT '', slug TEXT NOT NULL DEFAULT '',
  custom_title TEXT NOT NULL DEFAULT '', name_title TEXT NOT NULL DEFAULT '',
  ai_title TEXT NOT NULL DEFAULT '', index_title TEXT NOT NULL DEFAULT '',
  compaction_title TEXT NOT NULL DEFAULT '', first_prompt TEXT NOT NULL DEFAULT '',
  input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
  cache_read_tokens INTEGER NOT NULL DEFAULT 0, cache_write_tokens INTEGER NOT NULL DEFAULT 0,
  bytes_read INTEGER NOT NULL DEFAULT 0);
CREATE INDEX session_by_time ON session(last_time);
CREATE TABLE session_state(
  session INTEGER PRIMARY KEY, cursor BLOB NOT NULL, state BLOB NOT NULL);
CREATE TABLE record_keys(
  session INTEGER NOT NULL, part INTEGER NOT NULL, keys BLOB NOT NULL,
  PRIMARY KEY(session, part)) WITHOUT ROWID;
CREATE TABLE leaf_title(
  session INTEGER NOT NULL, ordinal INTEGER NOT NULL, leaf INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY(session, ordinal)) WITHOUT ROWID;
CREATE TABLE problem(
  session INTEGER NOT NULL, kind INTEGER NOT NULL, count INTEGER NOT NULL, lines TEXT NOT NULL,
  PRIMARY KEY(session, kind)) WITHOUT ROWID;
CREATE TABLE unknown(
  session INTEGER NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY(session, what)) WITHOUT ROWID;

CREATE TABLE turn(
  session INTEGER NOT NULL, number INTEGER NOT NULL, flags INTEGER NOT NULL,
  first_time INTEGER NOT NULL, last_time INTEGER NOT NULL, offset INTEGER NOT NULL,
  line INTEGER NOT NULL, assistant_blocks INTEGER NOT NULL, origin INTEGER NOT NULL,
  content INTEGER NOT NULL, model TEXT NOT NULL, branch TEXT NOT NULL,
  PRIMARY KEY(session, number)) WITHOUT ROWID;
CREATE INDEX turn_by_origin ON turn(origin);
CREATE TABLE pack(
  first INTEGER PRIMARY KEY, count INTEGER NOT NULL, session INTEGER NOT NULL,
  open INTEGER NOT NULL, first_turn INTEGER NOT NULL, last_turn INTEGER NOT NULL,
  data BLOB NOT NULL);
CREATE INDEX pack_by_session ON pack(session, first_turn, last_turn);
CREATE TABLE change(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, op INTEGER NOT NULL, subject INTEGER NOT NULL,
  count INTEGER NOT NULL);
)sql",
    // A file that has grown leads to its session; what was said is packed apart from the rest.
    "CREATE INDEX session_by_path ON session(path);"
    "ALTER TABLE pack ADD COLUMN kind INTEGER NOT NULL DEFAULT 3;",
    // What was seen stays: editions of a session, and what is kept beside the conversations.
    R"sql(
ALTER TABLE session RENAME COLUMN machine TO automated;
ALTER TABLE session RENAME COLUMN ref_machine TO ref_automated;
ALTER TABLE session ADD COLUMN reading INTEGER NOT NULL DEFAULT 1;
ALTER TABLE session ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN standing INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN base INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN editions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
CREATE INDEX session_by_base ON session(base) WHERE base<>0;
ALTER TABLE turn ADD COLUMN chunk INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN input_tokens INTEGER;
ALTER TABLE turn ADD COLUMN output_tokens INTEGER;
ALTER TABLE turn ADD COLUMN cache_read_tokens INTEGER;
ALTER TABLE turn ADD COLUMN cache_write_tokens INTEGER;
CREATE TABLE moved_chunk(chunk INTEGER PRIMARY KEY, origin INTEGER NOT NULL);
)sql"};

// Leads one version up from `from`, unless another process has done so meanwhile.
Status take_step(Database& database, std::int64_t from) {
  if (Status begun = database.run("BEGIN IMMEDIATE"); !begun) return begun;
  const auto version = database.number("PRAGMA user_version");
  if (!version) return version.error();
  if (*version != from) return database.run("ROLLBACK");
  return database.run(kSteps[static_cast<std::size_t>(from)] + std::string("PRAGMA user_version=") +
                      std::to_string(from + 1) + ";COMMIT;");
}

}  // namespace

Status prepare_schema(Database& database) {
  while (true) {
    const auto version = database.number("PRAGMA user_version");
    if (!version) return version.error();
    if (*version > kSchemaVersion) {
      return Error{
          Errc::unsupported,
          "the index was written by a newer yore (schema " + std::to_string(*version) + ")",
          "update yore, or set YORE_DATA_DIR to another directory"};
    }
    if (*version == kSchemaVersion) return {};
    if (Status status = take_step(database, *version); !status) {
      Trace::failure("undo a schema step", database.run("ROLLBACK"));
      return status;
    }
  }
}

}  // namespace yore::store
