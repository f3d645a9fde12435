// claude_session.hpp — one Claude Code session: its transcript, sub-agents and spilled output.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "generator/claude_records.hpp"
#include "generator/output.hpp"
#include "generator/project.hpp"
#include "generator/text_maker.hpp"
#include "generator/tools.hpp"

namespace yore::generator {

struct SessionPlan {
  std::string directory;  // relative to the output: ".../projects/<encoded cwd>"
  std::int64_t start_ms = 0;
  std::uint32_t turns = 1;
  std::uint32_t size_permille = 1000;  // smaller: shorter turns, for small corpora
  std::uint64_t budget_bytes = 0;      // no further turn once this much is written
  bool modern = false;
  bool clock_steps_back = false;  // by seconds, now and then
  std::uint32_t keep_turns = 0;   // how many turns to keep for a fork
  std::string foreign_leaf;       // a record of another session that a summary names; or ""
};

// The chained records of a session's first turns, to be replayed by a fork.
struct Replay {
  std::string lines;
  std::string last_uuid;
  std::int64_t end_ms = 0;
  std::uint32_t turns = 0;
  std::string session_id;
};

struct SessionReport {
  std::string id;
  std::string first_prompt;  // escaped, cut
  std::string title;         // escaped
  std::string last_uuid;
  std::int64_t start_ms = 0;
  std::int64_t end_ms = 0;
  std::uint64_t bytes = 0;  // of all its files
  std::uint32_t files = 0;
  std::uint32_t turns = 0;
  std::uint32_t lines = 0;
  std::uint32_t subagents = 0;
  std::uint32_t spills = 0;
  Replay replay;
};

class ClaudeSession {
 public:
  ClaudeSession(Rng& rng, Draws& draws, TextMaker& text, const Project& project, Output& output,
                SessionPlan plan);

  // `forked_from`: replayed first, under this session's id; may be null.
  Result<SessionReport> run(const Replay* forked_from);

 private:
  Status turn(bool first);
  void open_file();
  void replay(const Replay& from);
  std::string prompt(bool first);
  void user_record(std::string_view content, std::string_view more);
  void injected();
  void before_work(std::string_view prompt_text);
  void after_work(std::int64_t started_ms);
  void interruptions();

  Status step();
  void say(std::string_view text, std::string_view stop_reason);
  void think();
  void call_line(Chain& chain, const ToolCall& call);
  void progress(const ToolCall& call);
  void result_body(const ToolCall& call);
  Status result_line(const ToolCall& call);
  void image_result();
  Status subagent(std::uint32_t exchanges);
  void agent_progress(std::string_view record, std::string_view prompt_text,
                      std::string_view agent_id, std::string_view task_id);

  Status flush();
  Status side_file(const std::string& path, std::string_view bytes);
  void pass(std::uint32_t from_ms, std::uint32_t to_ms) {
    clock_.now_ms += rng_.between(from_ms, to_ms);
  }
  std::uint32_t scaled(std::uint32_t value) const {
    return static_cast<std::uint32_t>(std::uint64_t{value} * plan_.size_permille / 1000);
  }

  Rng& rng_;
  Draws& draws_;
  TextMaker& text_;
  const Project& project_;
  Output& output_;
  SessionPlan plan_;
  SessionReport report_;
  Clock clock_;
  std::string version_;
  std::string slug_;
  std::string model_;
  std::string path_;
  Chain main_;
  RecordWriter writer_;
  ToolSimulator tools_;
  std::array<ToolCall, 3> calls_;
  std::string body_;   // of the record being written
  std::string block_;  // of the content block being written
  std::string progress_;
  std::string said_;
  bool keeping_ = false;
  bool long_turn_ = false;
};

}  // namespace yore::generator
