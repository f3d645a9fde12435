#include "setup/agents.hpp"

#include <algorithm>
#include <array>

#include "base/files/file.hpp"

namespace yore::setup {
namespace {

constexpr std::string_view kPlain = R"({"command":"@","args":["mcp"]})";
constexpr std::string_view kStdio = R"({"type":"stdio","command":"@","args":["mcp"]})";
constexpr std::string_view kLocal = R"({"type":"local","command":["@","mcp"],"enabled":true})";
constexpr std::string_view kParallel =
    R"({"command":"@","args":["mcp"],"supports_parallel_tool_calls":true})";
constexpr std::string_view kAllTools =
    R"({"type":"local","command":"@","args":["mcp"],"tools":["*"]})";
constexpr std::string_view kApproved =
    R"({"command":"@","args":["mcp"],"disabled":false,"autoApprove":[]})";
constexpr std::string_view kGoose =
    R"({"enabled":true,"type":"stdio","name":"yore","cmd":"@","args":["mcp"],"timeout":60})";
constexpr std::string_view kEnabled = R"({"command":"@","args":["mcp"],"enabled":true})";
constexpr std::string_view kVibe =
    R"({"name":"yore","transport":"stdio","command":"@","args":["mcp"]})";
constexpr std::string_view kNamed = R"({"name":"yore","command":"@","args":["mcp"]})";

constexpr Place kNone = {};
constexpr Place kSharedSkills = {"", "~/.agents/skills", ""};
constexpr std::string_view kRooSettings =
    "User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json";
constexpr std::string_view kRooStore = "User/globalStorage/rooveterinaryinc.roo-cline";

constexpr Place at(std::string_view base, std::string_view below = "", std::string_view env = "") {
  return {env, base, below};
}

// name, display, found by, or by, format, file, older file, keys, listed, shape, project, skills,
// remark
constexpr std::array kAgents = {
    Agent{"claude-code", "Claude Code", at("~/.claude", "", "CLAUDE_CONFIG_DIR"),
          at("~/.claude.json"), Format::json, at("~", ".claude.json", "CLAUDE_CONFIG_DIR"), kNone,
          "mcpServers", false, kStdio, ".mcp.json", at("~/.claude", "skills", "CLAUDE_CONFIG_DIR"),
          ""},
    Agent{"codex", "Codex", at("~/.codex", "", "CODEX_HOME"), kNone, Format::toml,
          at("~/.codex", "config.toml", "CODEX_HOME"), kNone, "mcp_servers", false, kParallel,
          ".codex/config.toml", kSharedSkills, ""},
    Agent{"gemini", "Gemini CLI", at("~/.gemini"), kNone, Format::jsonc,
          at("~/.gemini/settings.json"), kNone, "mcpServers", false, kPlain,
          ".gemini/settings.json", kSharedSkills, "starts servers only in folders that it trusts"},
    Agent{"qwen", "Qwen Code", at("~/.qwen"), kNone, Format::jsonc, at("~/.qwen/settings.json"),
          kNone, "mcpServers", false, kPlain, ".qwen/settings.json", kSharedSkills, ""},
    Agent{"opencode", "OpenCode", at("~config/opencode"), at("~data/opencode"), Format::jsonc,
          at("~config/opencode/opencode.json"), at("~config/opencode/opencode.jsonc"), "mcp", false,
          kLocal, "opencode.json", at("~config/opencode/skills"), ""},
    Agent{"cursor", "Cursor", at("~/.cursor", "", "CURSOR_CONFIG_DIR"), kNone, Format::jsonc,
          at("~/.cursor", "mcp.json", "CURSOR_CONFIG_DIR"), kNone, "mcpServers", false, kPlain,
          ".cursor/mcp.json", kSharedSkills, ""},
    Agent{"copilot", "Copilot CLI", at("~/.copilot", "", "COPILOT_HOME"), kNone, Format::json,
          at("~/.copilot", "mcp-config.json", "COPILOT_HOME"), kNone, "mcpServers", false,
          kAllTools, ".mcp.json", at("~/.copilot", "skills", "COPILOT_HOME"), ""},
    Agent{"vscode-chat", "VS Code", at("~app/Code/User"), kNone, Format::jsonc,
          at("~app/Code/User/mcp.json"), kNone, "servers", false, kStdio, ".vscode/mcp.json", kNone,
          ""},
    Agent{"openclaw", "OpenClaw", at("~/.openclaw", "", "OPENCLAW_STATE_DIR"), kNone, Format::json5,
          at("~/.openclaw", "openclaw.json", "OPENCLAW_STATE_DIR"), kNone, "mcp/servers", false,
          kPlain, "", kSharedSkills, ""},
    Agent{"kimi", "Kimi Code", at("~/.kimi-code", "", "KIMI_CODE_HOME"), kNone, Format::json,
          at("~/.kimi-code", "mcp.json", "KIMI_CODE_HOME"), kNone, "mcpServers", false, kPlain, "",
          kSharedSkills, ""},
    Agent{"pi", "pi", at("~/.pi/agent"), kNone, Format::json, at("~/.pi/agent/mcp.json"), kNone,
          "mcpServers", false, kPlain, "", at("~/.pi/agent/skills"), "needs pi-mcp-adapter"},
    Agent{"omp", "omp", at("~/.omp/agent"), kNone, Format::json, at("~/.omp/agent/mcp.json"), kNone,
          "mcpServers", false, kPlain, "", kSharedSkills, ""},
    Agent{"cline", "Cline", at("~/.cline"), kNone, Format::json,
          at("~/.cline/data/settings/cline_mcp_settings.json", "", "CLINE_MCP_SETTINGS_PATH"),
          kNone, "mcpServers", false, kApproved, "", kNone, ""},
    Agent{"roo", "Roo Code", at("~app/Code", kRooStore), kNone, Format::json,
          at("~app/Code", kRooSettings), kNone, "mcpServers", false, kPlain, ".roo/mcp.json",
          kSharedSkills, "in VS Code"},
    Agent{"roo", "Roo Code", at("~app/VSCodium", kRooStore), kNone, Format::json,
          at("~app/VSCodium", kRooSettings), kNone, "mcpServers", false, kPlain, ".roo/mcp.json",
          kSharedSkills, "in VSCodium"},
    Agent{"roo", "Roo Code", at("~app/Cursor", kRooStore), kNone, Format::json,
          at("~app/Cursor", kRooSettings), kNone, "mcpServers", false, kPlain, ".roo/mcp.json",
          kSharedSkills, "in Cursor"},
    Agent{"kilo", "Kilo Code", at("~config/kilo"), kNone, Format::jsonc,
          at("~config/kilo/kilo.jsonc"), kNone, "mcp", false, kLocal, "", at("~/.kilo/skills"), ""},
    Agent{"zed", "Zed", at("~config/zed"), kNone, Format::jsonc, at("~config/zed/settings.json"),
          kNone, "context_servers", false, kPlain, ".zed/settings.json", kSharedSkills, ""},
    Agent{"goose", "Goose", at("~data/goose"), at("~config/goose"), Format::yaml,
          at("~config/goose/config.yaml"), kNone, "extensions", false, kGoose, "", kSharedSkills,
          ""},
    Agent{"hermes", "Hermes", at("~/.hermes"), kNone, Format::yaml, at("~/.hermes/config.yaml"),
          kNone, "mcp_servers", false, kEnabled, "", at("~/.hermes/skills"), ""},
    Agent{"grok", "Grok Build", at("~/.grok", "", "GROK_HOME"), kNone, Format::toml,
          at("~/.grok", "config.toml", "GROK_HOME"), kNone, "mcp_servers", false, kPlain, "",
          kSharedSkills, ""},
    Agent{"antigravity", "Antigravity", at("~/.gemini/config"), kNone, Format::json,
          at("~/.gemini/config/mcp_config.json"), kNone, "mcpServers", false, kPlain, "", kNone,
          ""},
    Agent{"crush", "Crush", at("~config/crush", "", "CRUSH_GLOBAL_CONFIG"), at("~data/crush"),
          Format::json, at("~config/crush", "crush.json", "CRUSH_GLOBAL_CONFIG"), kNone, "mcp",
          false, kStdio, "crush.json", kNone, ""},
    Agent{"amp", "Amp", at("~config/amp"), kNone, Format::jsonc, at("~config/amp/settings.json"),
          kNone, "amp.mcpServers", false, kPlain, "", at("~config/agents/skills"), ""},
    Agent{"kiro", "Kiro", at("~/.kiro"), kNone, Format::json, at("~/.kiro/settings/mcp.json"),
          kNone, "mcpServers", false, kPlain, ".kiro/settings/mcp.json", kNone, ""},
    Agent{"windsurf", "Windsurf", at("~/.codeium"), kNone, Format::json,
          at("~/.codeium/windsurf/mcp_config.json"), at("~/.codeium/mcp_config.json"), "mcpServers",
          false, kPlain, "", kNone, ""},
    Agent{"junie", "Junie", at("~/.junie"), kNone, Format::json, at("~/.junie/mcp/mcp.json"), kNone,
          "mcpServers", false, kPlain, "", kNone, ""},
    Agent{"vibe", "Mistral Vibe", at("~/.vibe"), kNone, Format::toml, at("~/.vibe/config.toml"),
          kNone, "mcp_servers", true, kVibe, "", kNone, ""},
    Agent{"warp", "Warp", at("~/.warp"), kNone, Format::json, at("~/.warp/.mcp.json"), kNone,
          "mcpServers", false, kPlain, "", kNone, ""},
    Agent{"continue", "Continue", at("~/.continue/config.yaml"), kNone, Format::yaml,
          at("~/.continue/config.yaml"), kNone, "mcpServers", true, kNamed, "", kNone, ""},
    Agent{"mimocode", "MiMo Code", at("~config/mimocode", "", "MIMOCODE_CONFIG_DIR"), kNone,
          Format::jsonc, at("~config/mimocode", "mimocode.jsonc", "MIMOCODE_CONFIG_DIR"),
          at("~config/mimocode", "mimocode.json", "MIMOCODE_CONFIG_DIR"), "mcp", false, kLocal, "",
          kNone, ""},
    Agent{"forge", "Forge", at("~/.forge"), kNone, Format::json, at("~/.forge/.mcp.json"), kNone,
          "mcpServers", false, kPlain, ".mcp.json", kNone, ""},
    Agent{"iflow", "iFlow", at("~/.iflow"), kNone, Format::json, at("~/.iflow/settings.json"),
          kNone, "mcpServers", false, kPlain, "", kNone, ""},
    Agent{"qoder", "Qoder", at("~/.qoder"), at("~/.qoder.json"), Format::json, at("~/.qoder.json"),
          kNone, "mcpServers", false, kPlain, ".mcp.json", kNone, ""},
    Agent{"tabnine", "Tabnine", at("~/.tabnine/agent"), kNone, Format::json,
          at("~/.tabnine/agent/settings.json"), kNone, "mcpServers", false, kPlain, "", kNone, ""},
    Agent{"claude-desktop", "Claude Desktop", at("~app/Claude"), kNone, Format::json,
          at("~app/Claude/claude_desktop_config.json"), kNone, "mcpServers", false, kPlain, "",
          kNone, ""},
};

#ifdef __APPLE__
constexpr std::string_view kApps = "~/Library/Application Support";
#else
constexpr std::string_view kApps = "~config";
#endif

std::string resolve_base(std::string_view base, const GetEnv& env) {
  const std::string home = env("HOME").value_or("/");
  if (base.starts_with("~app")) {
    return path_join(resolve_base(kApps, env), base.substr(4));
  }
  if (base.starts_with("~config")) {
    return path_join(env("XDG_CONFIG_HOME").value_or(path_join(home, ".config")), base.substr(7));
  }
  if (base.starts_with("~data")) {
    return path_join(env("XDG_DATA_HOME").value_or(path_join(home, ".local/share")),
                     base.substr(5));
  }
  return expand_home(base, home);
}

void put_program(Json& value, std::string_view program) {
  if (value.is_string() && value == "@") value = program;
  if (!value.is_structured()) return;
  for (Json& item : value) put_program(item, program);
}

std::string_view format_name(Format format) {
  constexpr std::array<std::string_view, 5> kNames = {"JSON", "JSONC", "JSON5", "TOML", "YAML"};
  return kNames[static_cast<std::size_t>(format)];
}

}  // namespace

std::span<const Agent> agents() {
  return kAgents;
}

std::string resolve(const Place& place, const GetEnv& env) {
  std::string base;
  if (!place.env.empty()) {
    base = expand_home(env(place.env).value_or(""), env("HOME").value_or("/"));
  }
  if (base.empty()) base = resolve_base(place.base, env);
  return absolute_path(place.below.empty() ? base : path_join(base, place.below));
}

bool is_installed(const Agent& agent, const GetEnv& env) {
  const auto there = [&](const Place& place) {
    return !place.empty() && look_at(resolve(place, env)).there;
  };
  return there(agent.found_by) || there(agent.or_by);
}

std::vector<std::string> installed_agents(const GetEnv& env) {
  std::vector<std::string> names;
  for (const Agent& agent : agents()) {
    if (!is_installed(agent, env)) continue;
    if (std::ranges::find(names, agent.display) == names.end()) names.emplace_back(agent.display);
  }
  return names;
}

Entry entry_of(const Agent& agent, std::string_view program) {
  Entry entry;
  entry.format = agent.format;
  std::string_view keys = agent.keys;
  while (true) {
    const std::size_t slash = keys.find('/');
    entry.keys.emplace_back(keys.substr(0, slash));
    if (slash == std::string_view::npos) break;
    keys.remove_prefix(slash + 1);
  }
  entry.listed = agent.listed;
  entry.name = "yore";
  entry.value = Json::parse(agent.shape);
  put_program(entry.value, program);
  return entry;
}

std::string shown_place(const Place& place) {
  std::string base(place.base);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kShown = {
      {{"~config", "~/.config"}, {"~data", "~/.local/share"}, {"~app", "~/.config"}}};
  for (const auto& [token, text] : kShown) {
    if (base.starts_with(token)) base = std::string(text) + base.substr(token.size());
  }
  return path_join(base, place.below);
}

std::string markdown_table() {
  std::string out = "| agent | name | file | format | entry |\n|---|---|---|---|---|\n";
  for (const Agent& agent : agents()) {
    Entry entry = entry_of(agent, "yore");
    std::string key;
    for (const std::string& each : entry.keys) key += each + (entry.listed ? "" : " → ");
    key += entry.listed ? "[]" : entry.name;
    out += "| " + std::string(agent.display) + " | `" + std::string(agent.name) + "` | `" +
           shown_place(agent.file) + "` | " + std::string(format_name(agent.format)) + " | `" +
           key + "` `" + entry.value.dump() + "` |\n";
  }
  return out;
}

}  // namespace yore::setup
