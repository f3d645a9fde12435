#include "transcript/agents/codex/text.hpp"

#include <algorithm>
#include <array>

#include "text/utf8.hpp"

namespace yore::transcript::codex {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kMaxPatchedFiles = 50;
constexpr std::size_t kMaxTagBytes = 64;

constexpr std::array<std::string_view, 17> kInjected = {
    "# AGENTS.md instructions",
    "</image>",
    "<INSTRUCTIONS>",
    "<codex_internal_context",
    "<environment_context>",
    "<external_",
    "<goal_context>",
    "<hook_prompt",
    "<image name=",
    "<permissions instructions>",
    "<recommended_plugins>",
    "<skill>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_action>",
    "<user_instructions>",
    "<user_shell_command>",
};

// Ends what an editor puts above a request: open files, findings, annotations.
constexpr std::string_view kRequest = "\n## My request for Codex:";

constexpr std::array<std::string_view, 4> kPatchHeads = {
    "*** Add File: ", "*** Delete File: ", "*** Move to: ", "*** Update File: "};

template <std::size_t size>
bool starts_with_any(std::string_view text, const std::array<std::string_view, size>& heads) {
  return std::ranges::any_of(heads, [&](std::string_view head) { return text.starts_with(head); });
}

// What stands between `open` and the `close` that follows it; the last one when `last`.
std::string_view between(std::string_view text, std::string_view open, std::string_view close,
                         bool last) {
  const std::size_t start = text.find(open);
  if (start == kNone) return {};
  text.remove_prefix(start + open.size());
  return text.substr(0, last ? text.rfind(close) : text.find(close));
}

}  // namespace

bool is_injected(std::string_view text) {
  return starts_with_any(text::trim(text), kInjected);
}

bool looks_injected(std::string_view text) {
  text = text::trim(text);
  if (!text.starts_with('<') || !text.ends_with('>')) return false;
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", 1);
  const std::string_view name = text.substr(1, end == kNone ? 0 : end - 1);
  const bool is_tag = name.find('_') != kNone && name.size() <= kMaxTagBytes;
  if (!is_tag || (text[end] != '>' && text[end] != ' ')) return false;
  text.remove_suffix(1);
  return text.ends_with(name) && text.substr(0, text.size() - name.size()).ends_with("</");
}

Request split_request(std::string_view text) {
  const std::string_view trimmed = text::trim(text);
  if (!trimmed.starts_with("# ")) return {text, {}};
  const std::size_t at = trimmed.find(kRequest);
  if (at == kNone) return {text, {}};
  const std::string_view request = text::trim(trimmed.substr(at + kRequest.size()));
  if (request.empty()) return {text, {}};
  return {request, text::trim(trimmed.substr(0, at))};
}

ShellCommand read_shell_command(std::string_view text) {
  text = text::trim(text);
  if (!text.starts_with("<user_shell_command>")) return {};
  ShellCommand shell;
  shell.command = text::trim(between(text, "<command>", "</command>", false));
  shell.output = text::trim(between(text, "<result>", "</result>", true));
  return shell;
}

std::string_view named_cwd(std::string_view text) {
  text = text::trim(text);
  if (!text.starts_with("<environment_context>")) return {};
  if (const auto tagged = text::trim(between(text, "<cwd>", "</cwd>", false)); !tagged.empty()) {
    return tagged;
  }
  return text::trim(between(text, "Current working directory: ", "\n", false));
}

std::vector<std::string_view> patched_files(std::string_view patch) {
  std::vector<std::string_view> files;
  for (std::size_t at = patch.find("*** "); at != kNone && files.size() < kMaxPatchedFiles;
       at = patch.find("\n*** ", at)) {
    if (patch[at] == '\n') ++at;
    const std::string_view line = patch.substr(at, patch.find('\n', at) - at);
    for (const std::string_view head : kPatchHeads) {
      if (!line.starts_with(head)) continue;
      const std::string_view file = text::trim(line.substr(head.size()));
      if (file.empty() || std::ranges::find(files, file) != files.end()) continue;
      files.push_back(file);
    }
  }
  return files;
}

std::string_view without_shell(std::string_view command) {
  std::string_view rest = command;
  if (const std::size_t slash = rest.find_first_of("/ "); slash != kNone && rest[slash] == '/') {
    rest.remove_prefix(rest.substr(0, rest.find(' ')).rfind('/') + 1);
  }
  for (const std::string_view shell : {"bash ", "zsh ", "sh "}) {
    if (!rest.starts_with(shell)) continue;
    rest.remove_prefix(shell.size());
    for (const std::string_view flag : {"-lc ", "-c "}) {
      if (rest.starts_with(flag)) return rest.substr(flag.size());
    }
    break;
  }
  return command;
}

}  // namespace yore::transcript::codex
