#include "setup/wanted.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/files/file.hpp"
#include "setup/hooks.hpp"
#include "setup/skill.hpp"
#include "text/suggest.hpp"

namespace yore::setup {
namespace {

Status check_names(const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const Agent& agent : agents()) {
    if (std::ranges::find(known, agent.name) == known.end()) known.push_back(agent.name);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string_view meant = text::closest(name, known);
    std::string hint = meant.empty() ? "" : "did you mean " + std::string(meant) + "? ";
    hint += "agents that setup knows:";
    for (const std::string_view each : known) hint.append(" ").append(each);
    return Error{Errc::invalid_argument, "setup knows no agent '" + name + "'", hint};
  }
  return {};
}

// The rows that the request is about.
std::vector<const Agent*> chosen_agents(const config::World& world, const SetupRequest& request) {
  std::vector<const Agent*> chosen;
  for (const Agent& agent : agents()) {
    const bool named = std::ranges::find(request.agents, agent.name) != request.agents.end();
    if (!request.agents.empty() && !named) continue;
    if (is_installed(agent, world.env)) chosen.push_back(&agent);
  }
  // Who names an agent wants it, found or not: its first place then.
  for (const std::string& name : request.agents) {
    const auto has_name = [&](const Agent* agent) { return agent->name == name; };
    if (std::ranges::any_of(chosen, has_name)) continue;
    chosen.push_back(&*std::ranges::find(agents(), name, &Agent::name));
  }
  return chosen;
}

void want(std::vector<Wanted>& all, Wanted&& wanted) {
  for (Wanted& each : all) {
    if (each.path != wanted.path) continue;
    for (std::string& agent : wanted.agents) {
      if (std::ranges::find(each.agents, agent) == each.agents.end()) each.agents.push_back(agent);
    }
    for (Entry& entry : wanted.entries) {
      const auto is_it = [&](const Entry& other) { return is_same_place(other, entry); };
      if (std::ranges::none_of(each.entries, is_it)) each.entries.push_back(std::move(entry));
    }
    return;
  }
  all.push_back(std::move(wanted));
}

std::string file_of(const Agent& agent, const GetEnv& env) {
  const std::string file = resolve(agent.file, env);
  if (agent.older_file.empty() || look_at(file).there) return file;
  const std::string older = resolve(agent.older_file, env);
  return look_at(older).there ? older : file;
}

// Does the ledger hold something of this hook?
bool has_hook(const Ledger& ledger, const Hook& hook, const std::string& path) {
  const Row* row = ledger.find(path);
  if (row == nullptr) return false;
  return row->whole == !hook.text.empty() &&
         (row->whole || std::ranges::any_of(row->entries, [](const Held& held) {
            return !held.entry.mark.empty();
          }));
}

// All of them when recall is asked for; else those that an earlier setup wrote, for they move with
// the program, too.
void want_hooks(const config::World& world, const Ledger& ledger, bool recall,
                const std::vector<const Agent*>& chosen, const std::string& program,
                std::vector<Wanted>& all) {
  std::vector<std::string_view> done;  // agents with several places have their hooks once
  for (const Agent* agent : chosen) {
    if (std::ranges::find(done, agent->name) != done.end()) continue;
    done.push_back(agent->name);
    for (const Hook& hook : hooks()) {
      if (hook.agent != agent->name) continue;
      if (!recall && !has_hook(ledger, hook, resolve(hook.file, world.env))) continue;
      want(all, {resolve(hook.file, world.env),
                 {std::string(agent->name)},
                 hook_text(hook, program),
                 entries_of(hook, program),
                 hook.fresh});
    }
  }
}

Result<std::vector<Wanted>> files_of_agents(const config::World& world, const Ledger& ledger,
                                            const SetupRequest& request,
                                            const std::string& program) {
  std::vector<Wanted> all;
  const std::vector<const Agent*> chosen = chosen_agents(world, request);
  for (const Agent* agent : chosen) {
    const std::string name(agent->name);
    std::string path;
    if (request.project.empty()) {
      path = file_of(*agent, world.env);
    } else if (!agent->project.empty()) {
      path = path_join(request.project, agent->project);
    } else if (!request.agents.empty()) {
      return Error{Errc::invalid_argument,
                   std::string(agent->display) + " has no settings file in projects",
                   "without --project it is set up for all of them"};
    } else {
      continue;
    }
    want(all, {path, {name}, "", {entry_of(*agent, program)}, ""});
  }
  if (!request.project.empty()) return all;
  want_hooks(world, ledger, request.recall, chosen, program, all);
  for (const Agent* agent : chosen) {
    if (agent->skills.empty()) continue;
    const std::string folder = path_join(resolve(agent->skills, world.env), "yore");
    want(all, {path_join(folder, "SKILL.md"),
               {std::string(agent->name)},
               std::string(skill_text()),
               {},
               ""});
  }
  return all;
}

bool is_missing(const std::string& command) {
  return command.starts_with('/') && ::access(command.c_str(), X_OK) != 0;
}

// Entries elsewhere, in projects, that start a program which is no longer there.
void add_moved(const config::World& world, const Ledger& ledger, const std::string& program,
               std::vector<Wanted>& all) {
  for (const Row& row : ledger.rows) {
    if (row.whole) continue;
    const auto file = read_user_file(row.path, *world.files);
    if (!file || !file->there) continue;
    for (const Held& held : row.entries) {
      const auto found = find_entry(file->bytes, held.entry);
      if (!found || !*found || !starts_yore(**found, held.entry)) continue;
      if (!is_missing(command_of(**found, held.entry))) continue;
      Entry entry = held.entry;
      entry.value = with_command(entry.value, entry, program);
      want(all, {row.path, row.agents, "", {std::move(entry)}, ""});
    }
  }
}

}  // namespace

Result<std::vector<Wanted>> wanted_files(const config::World& world, const Ledger& ledger,
                                         const SetupRequest& request, const std::string& program) {
  if (Status known = check_names(request.agents); !known) return known.error();
  auto all = files_of_agents(world, ledger, request, program);
  if (all && request.agents.empty()) add_moved(world, ledger, program, *all);
  return all;
}

}  // namespace yore::setup
