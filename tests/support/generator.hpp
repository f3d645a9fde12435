// generator.hpp — transcripts of coding agents that never happened, shaped like those that did.
//
// One source of data for tests, the demo and benchmarks: from 1 MB to tens of GB, streamed with
// bounded memory. The same options give the same bytes on every machine: no clock, no locale, no
// floating point. What "shaped like" means is measured by measure.hpp.
//
//   <out>/claude/projects/<encoded cwd>/<session>.jsonl              and beside it
//   <out>/claude/projects/<encoded cwd>/<session>/subagents/…        sub-agents
//   <out>/claude/projects/<encoded cwd>/<session>/tool-results/…     spilled output
//   <out>/claude/projects/<encoded cwd>/sessions-index.json          in some directories
//   <out>/openclaw/agents/<name>/sessions/…                          transcripts and sessions.json
//
// Forks replay the records of an earlier session under a new id. Corpora below 40 MB have shorter
// turns and smaller files, so that 1 MB still holds several sessions.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.hpp"

namespace yore::generator {

enum class AgentMix : std::uint8_t { claude_code, openclaw, mixed };

struct GeneratorOptions {
  std::uint64_t seed = 1;
  // Approximate: the last turn is written to its end.
  std::uint64_t target_bytes = 10'000'000;
  AgentMix agents = AgentMix::mixed;
  std::uint32_t max_sessions = 0;             // 0: as many as the bytes need
  std::int64_t start_ms = 1'757'320'200'000;  // 2025-09-08T08:30:00Z; sessions follow on
};

struct GeneratorReport {
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
  std::uint64_t sessions = 0;  // forks included, sub-agents not
  std::uint64_t turns = 0;     // replayed ones included
  std::uint64_t forks = 0;
  std::uint64_t subagents = 0;
  std::uint64_t spills = 0;
  std::int64_t end_ms = 0;  // of the latest session
};

Result<GeneratorReport> generate(const std::string& out_dir, const GeneratorOptions& options);

// The same into memory: relative path → bytes.
Result<std::map<std::string, std::string>> generate_files(const GeneratorOptions& options);

// The transcript of one session of that agent (mixed counts as Claude Code).
std::string generate_session(const GeneratorOptions& options);

}  // namespace yore::generator
