#include "transcript/agents/kimi/text.hpp"

#include <array>

#include "text/utf8.hpp"

namespace yore::transcript::kimi {
namespace {

struct OriginRule {
  std::string_view kind;
  Writer writer;
};
constexpr std::array<OriginRule, 14> kOrigins = {{
    {"", Writer::person},
    {"user", Writer::person},
    {"skill_activation", Writer::person},
    {"plugin_command", Writer::person},
    {"shell_command", Writer::person},
    {"cron_job", Writer::machine},
    {"cron_missed", Writer::machine},
    {"task", Writer::notice},
    {"background_task", Writer::notice},
    {"compaction_summary", Writer::injected},
    {"hook_result", Writer::injected},
    {"injection", Writer::injected},
    {"retry", Writer::injected},
    {"system_trigger", Writer::machine},
}};

const OriginRule* rule_of(std::string_view kind) {
  for (const OriginRule& rule : kOrigins) {
    if (rule.kind == kind) return &rule;
  }
  return nullptr;
}

struct Tags {
  std::string_view open;
  std::string_view close;
};
constexpr std::array<Tags, 3> kInjected = {{
    {"<system>", "</system>"},
    {"<system-reminder>", "</system-reminder>"},
    {"<git-context>", "</git-context>"},
}};

}  // namespace

Writer writer_of(std::string_view origin, std::string_view name) {
  if (origin == "shell_command" && name == "output") return Writer::shell_output;
  // A parent's words to its sub-agent, and what "/init" stands for.
  const bool asked_for = name == "subagent" || name == "session_init";
  if (origin == "system_trigger" && asked_for) return Writer::person;
  const OriginRule* rule = rule_of(origin);
  return rule == nullptr ? Writer::machine : rule->writer;
}

bool is_known_origin(std::string_view origin) {
  return rule_of(origin) != nullptr;
}

std::string_view strip_injected(std::string_view text) {
  bool found = true;
  while (found) {
    found = false;
    const auto trimmed = text::trim(text);
    for (const Tags& tags : kInjected) {
      if (!trimmed.starts_with(tags.open)) continue;
      const auto end = trimmed.find(tags.close);
      if (end == std::string_view::npos) continue;
      text = text::trim(trimmed.substr(end + tags.close.size()));
      found = true;
    }
  }
  return text;
}

bool is_compaction(std::string_view text) {
  return text.starts_with("<system>Previous context has been compacted");
}

}  // namespace yore::transcript::kimi
