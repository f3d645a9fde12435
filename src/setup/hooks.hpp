// hooks.hpp — the hooks by which agents are reminded (`yore setup --recall`), as data: which file,
// which events, which shape. All of them run `yore recall --hook AGENT`.
//
// The command stays letter for letter the same over updates: some agents ask for consent again when
// it changes.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "setup/agents.hpp"

namespace yore::setup {

// What stands between the program and the agent's name in the command of a hook, and tells our
// hooks from those of others.
inline constexpr std::string_view kHookMark = " recall --hook ";

struct HookEntry {
  std::string_view keys;   // of the list it stands in, '/' between them
  std::string_view shape;  // as JSON; "@" is the command
};

struct Hook {
  std::string_view agent;  // of the table in agents.hpp
  Place file;
  Format format = Format::json;
  std::array<HookEntry, 2> entries;  // the second may be empty
  std::string_view text;    // instead of entries: all of the file; '@' in quotes is the program
  std::string_view fresh;   // what a file says that is made for the entries
  std::string_view remark;  // for people; "" when there is nothing to say
};
std::span<const Hook> hooks();

// The line that a hook runs.
std::string hook_command(std::string_view agent, std::string_view program);
// None of a hook that has a file to itself.
std::vector<Entry> entries_of(const Hook& hook, std::string_view program);
// "" of a hook that has entries.
std::string hook_text(const Hook& hook, std::string_view program);
// Is this the file that a hook has to itself?
bool is_hook_file(std::string_view path, const GetEnv& env);
// The program that such a file starts; "" when it starts none.
std::string program_in(std::string_view text);

// The table as docs/mcp.md shows it.
std::string hooks_markdown();

}  // namespace yore::setup
