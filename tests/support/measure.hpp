// measure.hpp — what a directory of Claude Code transcripts is made of.
//
// The figures that sizes and designs are based on, computed the same way for real and for generated
// transcripts. Definitions:
//   session       a file projects/<directory>/<name>.jsonl; sub-agents are counted apart
//   turn          begins with a user record whose text a person typed (not meta, not a tag that the
//                 agent injects) and takes every line up to the next one
//   share         bytes of the raw value as it stands in the file, quotes and escapes included;
//                 envelope: what is left of user and assistant lines; other: lines of other types
//                 and injected user text
//   text          prompts, assistant text, thinking, string values of tool inputs, tool results
//   term          a lower-cased run of letters, digits and '_', and each part of an identifier
//   backwards     a session in which a timestamp is more than a second before the one above it
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace yore::generator {

enum class Share : std::uint8_t {
  structured_result,  // toolUseResult
  progress,
  envelope,
  tool_result,
  usage,
  signature,
  tool_input,
  thinking,
  image,
  assistant_text,
  user_text,
  other,
};
inline constexpr std::size_t kShares = 12;
std::string_view share_name(Share share);

struct TurnMeasure {
  std::uint64_t raw_bytes = 0;
  std::uint64_t text_bytes = 0;
  std::uint32_t lines = 0;
  std::uint32_t text_blocks = 0;
};

struct Measure {
  std::uint64_t raw_bytes = 0;
  std::uint64_t lines = 0;
  std::uint64_t bad_lines = 0;
  std::uint64_t subagent_files = 0;
  std::uint64_t subagent_bytes = 0;
  std::array<std::uint64_t, kShares> share_bytes{};
  std::uint64_t conversation_bytes = 0;  // prompts and assistant text
  std::uint64_t work_bytes = 0;          // tool inputs and results, thinking
  std::uint64_t capped_text_bytes = 0;   // all text with 4 KB per tool result
  std::uint64_t tokens = 0;
  std::uint64_t terms = 0;
  double heaps_beta = 0;  // over the last factor of 16 in tokens
  std::uint64_t backwards_sessions = 0;
  std::uint64_t overlapping_sessions = 0;
  std::vector<TurnMeasure> turns;
  std::vector<std::uint32_t> turns_per_session;

  [[nodiscard]] std::uint64_t sessions() const { return turns_per_session.size(); }
  [[nodiscard]] double share(Share kind) const;  // percent
  [[nodiscard]] double per_gb(std::uint64_t count) const;
};

// Streams; memory grows with the number of turns and terms only.
Result<Measure> measure_directory(const std::string& directory);
// The table, one line per figure.
std::string format_measure(const Measure& measure);

}  // namespace yore::generator
