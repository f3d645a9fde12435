#include "setup/hooks.hpp"

#include <algorithm>

#include "base/files/file.hpp"
#include "setup/ledger.hpp"
#include "text/shell.hpp"

namespace yore::setup {
namespace {

// Seconds of patience; yore itself gives up long before.
constexpr std::string_view kClaudeShape =
    R"({"hooks":[{"type":"command","command":"@","timeout":5}]})";
// These count in milliseconds.
constexpr std::string_view kQwenShape =
    R"({"hooks":[{"type":"command","command":"@","timeout":5000}]})";
constexpr std::string_view kGeminiShape =
    R"({"hooks":[{"name":"yore","type":"command","command":"@","timeout":5000}]})";
constexpr std::string_view kKimiShape = R"({"event":"UserPromptSubmit","command":"@","timeout":5})";
constexpr std::string_view kFlatShape = R"({"command":"@"})";

constexpr std::string_view kGrokText = R"({
  "hooks": {
    "SessionStart": [{"hooks": [{"type": "command", "command": "@command", "timeout": 5}]}],
    "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "@command", "timeout": 5}]}]
  }
}
)";

constexpr std::string_view kOpencodeText =
    R"js(// Written by `yore setup --recall`; `yore setup --undo` removes it.
// Before a prompt is answered, yore is asked whether it was answered before.
import { execFile } from "node:child_process";

const program = "@";

const recall = (input) =>
  new Promise((done) => {
    try {
      const child = execFile(program, ["recall", "--hook", "opencode"], { timeout: 3000 },
        (error, out) => done(error ? "" : out.trim()));
      child.on("error", () => done(""));
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(input));
    } catch {
      done("");
    }
  });

export const YoreRecall = async ({ directory }) => {
  const reminders = new Map();
  return {
    "chat.message": async (input, output) => {
      const prompt = output.parts
        .filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text)
        .join("\n");
      const text = await recall({
        hook_event_name: "UserPromptSubmit",
        session_id: input.sessionID,
        cwd: directory,
        prompt,
      });
      if (text) reminders.set(input.sessionID, text);
      else reminders.delete(input.sessionID);
    },
    "experimental.chat.system.transform": async (input, output) => {
      const text = reminders.get(input.sessionID);
      if (text) output.system.push(text);
    },
  };
};
)js";

constexpr std::string_view kPiText =
    R"js(// Written by `yore setup --recall`; `yore setup --undo` removes it.
// Before a prompt is answered, yore is asked whether it was answered before.
import { execFile } from "node:child_process";

const program = "@";

const recall = (input: object): Promise<string> =>
  new Promise((done) => {
    try {
      const child = execFile(program, ["recall", "--hook", "pi"], { timeout: 3000 },
        (error, out) => done(error ? "" : out.trim()));
      child.on("error", () => done(""));
      child.stdin?.on("error", () => {});
      child.stdin?.end(JSON.stringify(input));
    } catch {
      done("");
    }
  });

export default function (pi: any) {
  pi.on("before_agent_start", async (event: any, ctx: any) => {
    const content = await recall({
      hook_event_name: "UserPromptSubmit",
      session_id: ctx?.sessionManager?.getSessionId?.() ?? "",
      cwd: ctx?.cwd ?? process.cwd(),
      prompt: event?.prompt ?? "",
    });
    if (content) return { message: { customType: "yore", content, display: false } };
  });
}
)js";

constexpr Place hook_at(std::string_view base, std::string_view below = "",
                        std::string_view env = "") {
  return {env, base, below};
}

constexpr std::array kHooks = {
    Hook{"claude-code",
         hook_at("~/.claude", "settings.json", "CLAUDE_CONFIG_DIR"),
         Format::json,
         {{{"hooks/SessionStart", kClaudeShape}, {"hooks/UserPromptSubmit", kClaudeShape}}},
         "",
         "",
         ""},
    Hook{"codex",
         hook_at("~/.codex", "hooks.json", "CODEX_HOME"),
         Format::json,
         {{{"hooks/SessionStart", kClaudeShape}, {"hooks/UserPromptSubmit", kClaudeShape}}},
         "",
         "",
         "approve it once with /hooks"},
    Hook{"gemini",
         hook_at("~/.gemini/settings.json"),
         Format::jsonc,
         {{{"hooks/SessionStart", kGeminiShape}, {"hooks/BeforeAgent", kGeminiShape}}},
         "",
         "",
         ""},
    Hook{"qwen",
         hook_at("~/.qwen/settings.json"),
         Format::jsonc,
         {{{"hooks/UserPromptSubmit", kQwenShape}, {}}},
         "",
         "",
         ""},
    Hook{"opencode",
         hook_at("~config/opencode/plugins/yore.js"),
         Format::json,
         {},
         kOpencodeText,
         "",
         ""},
    Hook{"cursor",
         hook_at("~/.cursor", "hooks.json", "CURSOR_CONFIG_DIR"),
         Format::json,
         {{{"hooks/sessionStart", kFlatShape}, {}}},
         "",
         "{\n  \"version\": 1\n}\n",
         "session start only"},
    Hook{"kimi",
         hook_at("~/.kimi-code", "config.toml", "KIMI_CODE_HOME"),
         Format::toml,
         {{{"hooks", kKimiShape}, {}}},
         "",
         "",
         ""},
    Hook{"pi", hook_at("~/.pi/agent/extensions/yore.ts"), Format::json, {}, kPiText, "", ""},
    Hook{"grok",
         hook_at("~/.grok", "hooks/yore.json", "GROK_HOME"),
         Format::json,
         {},
         kGrokText,
         "",
         ""},
    Hook{"iflow",
         hook_at("~/.iflow/settings.json"),
         Format::json,
         {{{"hooks/SessionStart", kClaudeShape}, {"hooks/UserPromptSubmit", kClaudeShape}}},
         "",
         "",
         ""},
};

void put_command(Json& value, const std::string& command) {
  if (value.is_string() && value == "@") value = command;
  if (!value.is_structured()) return;
  for (Json& item : value) put_command(item, command);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

}  // namespace

std::span<const Hook> hooks() {
  return kHooks;
}

std::string hook_command(std::string_view agent, std::string_view program) {
  return text::shell_quote(program) + std::string(kHookMark) + std::string(agent);
}

std::vector<Entry> entries_of(const Hook& hook, std::string_view program) {
  std::vector<Entry> entries;
  for (const HookEntry& each : hook.entries) {
    if (each.keys.empty()) continue;
    Entry& entry = entries.emplace_back();
    entry.format = hook.format;
    for (std::string_view keys = each.keys; !keys.empty();) {
      const std::size_t end = std::min(keys.find('/'), keys.size());
      entry.keys.emplace_back(keys.substr(0, end));
      keys.remove_prefix(std::min(end + 1, keys.size()));
    }
    entry.listed = true;
    entry.mark = kHookMark;
    entry.value = Json::parse(each.shape);
    put_command(entry.value, hook_command(hook.agent, program));
  }
  return entries;
}

std::string hook_text(const Hook& hook, std::string_view program) {
  std::string text(hook.text);
  replace_all(text, "\"@command\"", Json(hook_command(hook.agent, program)).dump());
  replace_all(text, "\"@\"", Json(program).dump());
  return text;
}

bool is_hook_file(std::string_view path, const GetEnv& env) {
  return std::ranges::any_of(hooks(), [&](const Hook& hook) {
    return !hook.text.empty() && resolve(hook.file, env) == path;
  });
}

std::string program_in(std::string_view text) {
  constexpr std::string_view kDeclared = "const program = ";
  if (const std::size_t at = text.find(kDeclared); at != std::string_view::npos) {
    const std::string_view rest = text.substr(at + kDeclared.size());
    const Json program = Json::parse(rest.substr(0, rest.find(";\n")), nullptr, false);
    return program.is_string() ? program.get<std::string>() : "";
  }
  const Json json = Json::parse(text, nullptr, false);
  Entry place;
  place.mark = kHookMark;
  return command_of(json, place);
}

std::string hooks_markdown() {
  std::string out = "| agent | file | events |\n|---|---|---|\n";
  for (const Hook& hook : hooks()) {
    const auto agent = std::ranges::find(agents(), hook.agent, &Agent::name);
    std::string events;
    for (const HookEntry& each : hook.entries) {
      if (each.keys.empty()) continue;
      events += (events.empty() ? "`" : ", `") +
                std::string(each.keys.substr(each.keys.rfind('/') + 1)) + "`";
    }
    if (events.empty()) events = "a file of its own";
    if (!hook.remark.empty()) events += "; " + std::string(hook.remark);
    out += "| " + std::string(agent->display) + " | `" + shown_place(hook.file) + "` | " + events +
           " |\n";
  }
  return out;
}

}  // namespace yore::setup
