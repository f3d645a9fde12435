#include "setup/wiring.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/files/file.hpp"
#include "setup/hooks.hpp"

namespace yore::setup {
namespace {

bool can_be_started(const std::string& command) {
  return !command.starts_with('/') || ::access(command.c_str(), X_OK) == 0;
}

Wired look_at_entry(const config::World& world, const Ledger& ledger, std::string agent,
                    std::string path, const Entry& entry) {
  Wired wired;
  wired.display = display_of(agent);
  wired.agent = std::move(agent);
  wired.path = std::move(path);
  const auto file = read_user_file(wired.path, *world.files);
  if (!file) {
    wired.wiring = Wiring::unreadable;
    wired.why = file.error().message;
    return wired;
  }
  if (!file->there) return wired;
  const auto found = find_entry(file->bytes, entry);
  if (!found) {
    wired.wiring = Wiring::unreadable;
    wired.why = found.error().message;
    return wired;
  }
  if (!*found) return wired;
  wired.command = words_of(**found, entry);
  const Row* row = ledger.find(wired.path);
  const Held* held = row == nullptr ? nullptr : row->at(entry);
  const bool is_ours = held != nullptr && **found == held->entry.value;
  if (!is_ours && !starts_yore(**found, entry)) {
    wired.wiring = Wiring::foreign;
  } else if (!can_be_started(command_of(**found, entry))) {
    wired.wiring = Wiring::moved;
  } else {
    wired.wiring = held != nullptr ? Wiring::ours : Wiring::by_hand;
  }
  return wired;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " and " : ", ";
    out += names[i];
  }
  return out;
}

}  // namespace

std::string_view wiring_name(Wiring wiring) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "not wired", "wired", "wired by hand", "moved", "foreign", "unreadable"};
  return kNames[static_cast<std::size_t>(wiring)];
}

std::string display_of(std::string_view agent) {
  const auto row = std::ranges::find(agents(), agent, &Agent::name);
  return std::string(row == agents().end() ? agent : row->display);
}

std::vector<std::string> words_of(const Json& value, const Entry& place) {
  std::vector<std::string> words;
  const std::string command = command_of(value, place);
  if (command.empty()) return words;
  words.push_back(command);
  if (!place.mark.empty()) return words;
  const bool is_list = value.contains("command") && value["command"].is_array();
  const Json& list = is_list ? value["command"] : value.value("args", Json::array());
  for (std::size_t i = is_list ? 1 : 0; i < list.size(); ++i) {
    if (list[i].is_string()) words.push_back(list[i]);
  }
  return words;
}

std::vector<Wired> look_at_wiring(const config::World& world, const Ledger& ledger,
                                  const std::vector<std::string>& names) {
  const auto is_named = [&](std::string_view name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
  };
  std::vector<Wired> all;
  for (const Agent& agent : agents()) {
    if (!is_named(agent.name) || !is_installed(agent, world.env)) continue;
    std::string path = resolve(agent.file, world.env);
    if (!agent.older_file.empty() && !look_at(path).there) {
      const std::string older = resolve(agent.older_file, world.env);
      if (look_at(older).there) path = older;
    }
    all.push_back(look_at_entry(world, ledger, std::string(agent.name), std::move(path),
                                entry_of(agent, "yore")));
  }
  for (const Row& row : ledger.rows) {
    if (row.whole || row.agents.empty() || !is_named(row.agents[0])) continue;
    for (const Held& held : row.entries) {
      if (!held.entry.mark.empty()) continue;
      if (std::ranges::find(all, row.path, &Wired::path) != all.end()) continue;
      all.push_back(look_at_entry(world, ledger, row.agents[0], row.path, held.entry));
    }
  }
  return all;
}

std::vector<HookState> look_at_hooks(const config::World& world, const Ledger& ledger) {
  std::vector<HookState> all;
  for (const Row& row : ledger.rows) {
    const bool is_hook = row.whole ? is_hook_file(row.path, world.env)
                                   : std::ranges::any_of(row.entries, [](const Held& held) {
                                       return !held.entry.mark.empty();
                                     });
    if (!is_hook || row.agents.empty()) continue;
    HookState state{row.agents[0], display_of(row.agents[0]), row.path, "", false, false};
    const auto hook = std::ranges::find(hooks(), row.agents[0], &Hook::agent);
    if (hook != hooks().end()) state.remark = hook->remark;
    const auto file = read_user_file(row.path, *world.files);
    if (file && file->there) {
      if (row.whole) {
        state.command = program_in(file->bytes);
      } else {
        for (const Held& held : row.entries) {
          if (held.entry.mark.empty()) continue;
          const auto found = find_entry(file->bytes, held.entry);
          if (found && *found) state.command = command_of(**found, held.entry);
        }
      }
      state.there = !state.command.empty();
      state.works = state.there && can_be_started(state.command);
    }
    all.push_back(std::move(state));
  }
  return all;
}

std::string invitation(const config::World& world, const std::string& data_dir) {
  const auto ledger = load_ledger(data_dir, *world.files);
  std::vector<std::string> open;
  for (const Wired& each : look_at_wiring(world, ledger ? *ledger : Ledger{}, {})) {
    const bool wants_it = each.wiring == Wiring::none || each.wiring == Wiring::moved;
    if (wants_it && std::ranges::find(open, each.display) == open.end()) {
      open.push_back(each.display);
    }
  }
  if (open.empty()) return "";
  const std::string them = open.size() == 1 ? "it" : "them";
  return "Found " + joined(open) + ": 'yore setup' gives " + them + " this memory.";
}

}  // namespace yore::setup
