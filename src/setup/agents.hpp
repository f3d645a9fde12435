// agents.hpp — the agents that yore can be wired into, as data: which files, which keys, which
// shape.
//
// Adding one is adding a row. docs/mcp.md has the same table (`markdown_table()`).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "setup/edit/entry.hpp"

namespace yore::setup {

using GetEnv = std::function<std::optional<std::string>(std::string_view name)>;

// A path: the variable when it is set, else the base, and what comes below either. A base begins
// with ~ (home), ~config ($XDG_CONFIG_HOME), ~data ($XDG_DATA_HOME) or ~app (where desktop programs
// keep their settings on this system).
struct Place {
  std::string_view env;
  std::string_view base;
  std::string_view below;
  [[nodiscard]] bool empty() const { return base.empty(); }
};

struct Agent {
  std::string_view name;     // as `yore agents` calls it where it knows it
  std::string_view display;  // "Claude Code"
  Place found_by;            // it is installed when this exists …
  Place or_by;               // … or this
  Format format = Format::json;
  Place file;             // the one that is made when there is none
  Place older_file;       // taken instead when only this is there
  std::string_view keys;  // from the outside, '/' between them
  bool listed = false;
  std::string_view shape;    // the entry as JSON; "@" is the program's path
  std::string_view project;  // file below a project's folder; "" when there is none
  Place skills;              // folder of skills; empty when the agent reads none
  std::string_view remark;   // for people; "" when there is nothing to say
};

// Several rows may have one name: each is a place of that agent's.
std::span<const Agent> agents();

std::string resolve(const Place& place, const GetEnv& env);
bool is_installed(const Agent& agent, const GetEnv& env);
// The display names of those that are installed, each once, in the order of the table.
std::vector<std::string> installed_agents(const GetEnv& env);

// The entry named `yore` that starts `program`.
Entry entry_of(const Agent& agent, std::string_view program);

// "~/.codex/config.toml": where it lies by default.
std::string shown_place(const Place& place);
// The table as docs/mcp.md shows it.
std::string markdown_table();

}  // namespace yore::setup
