// Any bytes as an agent's files: JSON lines, compressed files, one session's transcript, a whole
// database.
#include <zstd.h>

#include <cstdint>
#include <string>

#include "base/sqlite.hpp"
#include "fuzz/target.hpp"
#include "transcript/input/zstd_source.hpp"
#include "transcript/registry.hpp"
#include "transcript/spec/built_in_specs.hpp"
#include "transcript/spec/spec_toml.hpp"
#include "turns/session_builder.hpp"

namespace yore::fuzz {
namespace {

using transcript::Adapter;
using transcript::SessionRef;
using turns::SessionBuilder;

std::string read_all(const Adapter& adapter, const SessionRef& session, std::uint64_t step_bytes) {
  SessionBuilder builder;
  transcript::Cursor cursor;
  std::string keys;
  std::string state;
  while (true) {
    auto step = adapter.read(session, cursor, {step_bytes}, builder);
    if (!step) return "error";
    cursor = step->cursor;
    turns::Delta delta = builder.take();
    keys += delta.new_keys;
    state = delta.state;
    if (!step->more) return state;
    auto restored = SessionBuilder::restore(state, keys);
    check(restored.ok());
    builder = std::move(*restored);
  }
}

// From the file to rows and back: reading in steps gives the state that reading at once gives.
// What is damaged is read to an end both ways.
void check_steps(const Adapter& adapter, const SessionRef& session, bool sound = true) {
  const std::string at_once = read_all(adapter, session, UINT64_MAX);
  const std::string in_steps = read_all(adapter, session, 1);
  check(!sound || at_once == in_steps);
}

// Of a database with an index that says something else than its table, SQLite answers two queries
// as if they were asked of two databases.
bool is_sound(const std::string& path) {
  auto database = Database::open(path, Database::Mode::read_only);
  if (!database) return false;
  auto found = database->prepare("PRAGMA integrity_check(1)");
  if (!found) return false;
  const auto row = found->step();
  return row.ok() && *row && found->text(0) == "ok";
}

// Agents whose session is one file.
template <const char* agent>
void one_file(std::string_view bytes) {
  SessionRef session;
  session.id = "fuzz";
  session.path = write_scratch("session.jsonl", bytes);
  check_steps(*transcript::built_in_agents()->find(agent), session);
}

// The bytes are the database: what it lists is read, at most a few sessions of it.
void database(const std::string& agent, const std::string& below, std::string_view bytes) {
  constexpr std::size_t kMostSessions = 4;
  const bool sound = is_sound(write_scratch(agent + below, bytes));
  const Adapter& adapter = *transcript::built_in_agents()->find(agent);
  const auto listed = adapter.sessions({scratch_directory() + "/" + agent, true}, {});
  if (!listed) return;
  for (std::size_t i = 0; i < std::min(kMostSessions, listed->sessions.size()); ++i) {
    check_steps(adapter, listed->sessions[i], sound);
  }
}

void opencode_database(std::string_view bytes) {
  database("opencode", "/opencode.db", bytes);
}
void openclaw_database(std::string_view bytes) {
  database("openclaw", "/agents/main/agent/openclaw-agent.sqlite", bytes);
}

std::vector<std::string> made_of(const std::string& sql) {
  const std::string path = write_scratch("seed.db", "");
  {
    auto made = Database::open(path, Database::Mode::create);
    check(made.ok() && made->run("PRAGMA page_size=512; " + sql).ok());
  }
  check(is_sound(path));
  return {read_whole(path)};
}

std::vector<std::string> opencode_seeds() {
  return made_of(R"(
    CREATE TABLE session(id text PRIMARY KEY, parent_id text, directory text, title text,
      version text, revert text, time_updated integer);
    CREATE TABLE message(id text PRIMARY KEY, session_id text, time_created integer,
      time_updated integer, data text);
    CREATE TABLE part(id text PRIMARY KEY, message_id text, session_id text,
      time_updated integer, data text);
    INSERT INTO session VALUES('ses_1', NULL, '/w', 'Title', '1', NULL, 1);
    INSERT INTO message VALUES('msg_1', 'ses_1', 5, 5, '{"role":"user","time":{"created":5}}');
    INSERT INTO part VALUES('prt_1', 'msg_1', 'ses_1', 5, '{"type":"text","text":"ask"}');
    INSERT INTO message VALUES('msg_2', 'ses_1', 6, 6,
      '{"role":"assistant","time":{"created":6,"completed":7},"parentID":"msg_1"}');
    INSERT INTO part VALUES('prt_2', 'msg_2', 'ses_1', 6, '{"type":"text","text":"answer"}');)");
}

std::vector<std::string> openclaw_seeds() {
  return made_of(R"(
    CREATE TABLE session_entries(session_key TEXT PRIMARY KEY, session_id TEXT, entry_json TEXT);
    CREATE TABLE sessions(session_id TEXT PRIMARY KEY, session_key TEXT);
    CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT,
      created_at INTEGER, PRIMARY KEY(session_id, seq));
    INSERT INTO session_entries VALUES('agent:main:main', 's1', '{"displayName":"Old"}');
    INSERT INTO sessions VALUES('s1', 'agent:main:main');
    INSERT INTO transcript_events VALUES('s1', 0,
      '{"type":"session","id":"s1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/w"}', 1);
    INSERT INTO transcript_events VALUES('s1', 1, '{"type":"message","id":"a","parentId":null,' ||
      '"message":{"role":"user","content":"ask"}}', 2);)");
}

// Reading forward, back and in small pieces gives the same bytes.
void zstd_file(std::string_view bytes) {
  auto source = transcript::ZstdSource::open(write_scratch("file.zst", bytes));
  if (!source) return;
  std::string whole(64 << 10, '\0');
  const auto size = source->read_at(0, whole.data(), whole.size());
  if (!size) return;
  whole.resize(*size);
  std::string piece(whole.size() / 3 + 1, '\0');
  for (const std::size_t at : {whole.size() / 2, std::size_t{0}, whole.size()}) {
    const auto again = source->read_at(at, piece.data(), piece.size());
    check(again.ok() &&
          whole.substr(at, *again) == piece.substr(0, std::min(*again, whole.size() - at)));
  }
}

std::vector<std::string> zstd_seeds() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "{\"line\":" + std::to_string(i) + "}\n";
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return {out, out + out};
}

// A description that passes the check lists and reads what lies in the scratch directory.
void description(std::string_view bytes) {
  auto spec = transcript::parse_agent(bytes, "any.toml");
  if (!spec) return check(!spec.error().message.empty());
  write_scratch("described/one/session.jsonl",
                "{\"type\":\"message\",\"id\":\"a\",\"role\":\"user\",\"content\":\"ask\"}\n");
  const Adapter adapter = transcript::make_adapter(std::move(*spec));
  const auto listed = adapter.sessions({scratch_directory() + "/described", true}, {});
  if (!listed) return;
  for (const SessionRef& session : listed->sessions) {
    check(session.path.starts_with(scratch_directory()));
    check_steps(adapter, session);
  }
}

std::vector<std::string> description_seeds() {
  std::vector<std::string> seeds;
  for (const transcript::BuiltInSpec& spec : transcript::built_in_specs()) {
    seeds.emplace_back(spec.text);
  }
  return seeds;
}

constexpr char kClaudeCode[] = "claude-code";
constexpr char kOpenClaw[] = "openclaw";
constexpr char kCodex[] = "codex";
constexpr char kGemini[] = "gemini";
constexpr char kQwen[] = "qwen";
constexpr char kKimi[] = "kimi";
constexpr char kPi[] = "pi";

constexpr Target kAgentTargets[] = {
    {"jsonl", jsonl},
    {"claude_code", one_file<kClaudeCode>},
    {"openclaw", one_file<kOpenClaw>},
    {"codex", one_file<kCodex>},
    {"gemini", one_file<kGemini>},
    {"qwen", one_file<kQwen>},
    {"kimi", one_file<kKimi>},
    {"pi", one_file<kPi>},
    {"opencode_database", opencode_database, opencode_seeds},
    {"openclaw_database", openclaw_database, openclaw_seeds},
    {"zstd", zstd_file, zstd_seeds},
    {"description", description, description_seeds},
};

}  // namespace

std::span<const Target> agent_targets() {
  return kAgentTargets;
}

}  // namespace yore::fuzz
