#include "transcript/agents/openclaw/prompt.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/ascii.hpp"
#include "text/utf8.hpp"

namespace yore::transcript::openclaw {
namespace {

constexpr std::string_view kNotice = "System: ";

// How messages begin that no person typed.
constexpr std::array<std::string_view, 9> kMachineMarkers = {
    "[OpenClaw heartbeat poll]",
    "Read HEARTBEAT.md if it exists",
    "Run the following periodic tasks (only those due",
    kNotice,
    "[cron:",
    "[Bootstrap pending]",
    "[Inter-session message]",
    "[Internal task completion event]",
    "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>",
};

std::string_view skip_space(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

// `pattern` with 'd' for a digit and 'a' for a letter, everything else itself.
bool starts_like(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = text[i];
    const bool fits = pattern[i] == 'd'   ? ascii::is_digit(c)
                      : pattern[i] == 'a' ? ascii::is_letter(c)
                                          : c == pattern[i];
    if (!fits) return false;
  }
  return true;
}

// Length of "[Tue 2026-05-05 12:00 GMT+2]" at the start, else 0.
std::size_t time_prefix_length(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (!starts_like(text, "[aaa dddd-dd-dd dd:dd")) return 0;
  const auto end = text.substr(0, kLongest).find_first_of("]\n");
  return end == std::string_view::npos || text[end] != ']' ? 0 : end + 1;
}

// Length of "Sender (untrusted metadata):" with the fenced JSON below it, else 0. Other headings of
// the same form ("Replied message (untrusted, for context):") count as well.
std::size_t facts_length(std::string_view text) {
  constexpr std::size_t kLongestHeading = 120;
  constexpr std::string_view kFence = "```";
  const auto line_end = text.substr(0, kLongestHeading).find('\n');
  if (line_end == std::string_view::npos) return 0;
  const auto heading = text::trim(text.substr(0, line_end));
  if (!heading.ends_with("):") || heading.find("(untrusted") == std::string_view::npos) return 0;
  const auto body = text.substr(line_end + 1);
  if (!body.starts_with("```json")) return 0;
  const auto close = body.find("\n```", kFence.size());
  if (close == std::string_view::npos) return 0;
  return line_end + 1 + close + 1 + kFence.size();
}

// Without everything that stands in front of the person's own words.
std::string_view strip_wrapping(std::string_view text) {
  while (true) {
    text = skip_space(text);
    const auto length = std::max(time_prefix_length(text), facts_length(text));
    if (length == 0) return text;
    text.remove_prefix(length);
  }
}

// Where the paragraph begins that is wrapped as a person's message is, after event notices.
std::size_t find_wrapped_paragraph(std::string_view text) {
  for (auto at = text.find("\n\n"); at != std::string_view::npos; at = text.find("\n\n", at + 1)) {
    const auto rest = text.substr(at + 2);
    if (time_prefix_length(rest) > 0 || facts_length(rest) > 0) return at + 2;
  }
  return std::string_view::npos;
}

bool is_automated(std::string_view text) {
  for (const auto marker : kMachineMarkers) {
    if (text.starts_with(marker)) return true;
  }
  // The heartbeat prompt can be worded by the user; the file and the answer it asks for cannot.
  constexpr std::size_t kHeartbeatChars = 4096;
  const auto head = text.substr(0, kHeartbeatChars);
  return head.find("HEARTBEAT.md") != std::string_view::npos &&
         head.find("HEARTBEAT_OK") != std::string_view::npos;
}

}  // namespace

Prompt clean_prompt(std::string_view raw) {
  Prompt prompt;
  auto text = strip_wrapping(raw);
  if (text.starts_with(kNotice)) {
    if (const auto person = find_wrapped_paragraph(text); person != std::string_view::npos) {
      prompt.notice = text::trim(text.substr(0, person));
      text = strip_wrapping(text.substr(person));
    }
  }
  prompt.text = text;
  prompt.automated = is_automated(text);
  return prompt;
}

}  // namespace yore::transcript::openclaw
