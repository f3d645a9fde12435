#include "setup/plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/files/file.hpp"
#include "setup/skill.hpp"
#include "text/suggest.hpp"

namespace yore::setup {
namespace {

// A file and what is wanted in it.
struct Wanted {
  std::string path;
  std::vector<std::string> agents;
  bool whole = false;  // the skill
  Entry entry;         // else
};

std::string real_path(const std::string& path) {
  std::error_code failure;
  const auto real = std::filesystem::canonical(path, failure);
  return failure ? "" : real.string();
}

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

Result<std::vector<Wanted>> wanted_files(const config::World& world, const SetupRequest& request,
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
    want(all, {path, {name}, false, entry_of(*agent, program)});
  }
  if (!request.project.empty()) return all;
  for (const Agent* agent : chosen) {
    if (agent->skills.empty()) continue;
    const std::string folder = path_join(resolve(agent->skills, world.env), "yore");
    want(all, {path_join(folder, "SKILL.md"), {std::string(agent->name)}, true, {}});
  }
  return all;
}

Json with_command(Json value, const std::string& program) {
  for (const char* key : {"command", "cmd"}) {
    if (!value.contains(key)) continue;
    (value[key].is_array() ? value[key][0] : value[key]) = program;
  }
  return value;
}

bool is_there(const std::string& command) {
  return !command.starts_with('/') || ::access(command.c_str(), X_OK) == 0;
}

// Entries elsewhere, in projects, that start a program which is no longer there.
void add_moved(const config::World& world, const Ledger& ledger, const std::string& program,
               std::vector<Wanted>& all) {
  for (const Row& row : ledger.rows) {
    if (row.whole) continue;
    const auto file = read_user_file(row.path, *world.files);
    if (!file || !file->there) continue;
    const auto found = find_entry(file->bytes, row.entry);
    if (!found || !*found || !starts_yore(**found) || is_there(command_of(**found))) continue;
    Entry entry = row.entry;
    entry.value = with_command(entry.value, program);
    want(all, {row.path, row.agents, false, std::move(entry)});
  }
}

class Planner {
 public:
  Planner(const config::World& world, const Ledger& ledger, std::string program)
      : world_(world), ledger_(ledger), program_(std::move(program)) {}

  Step plan(const Wanted& wanted) {
    Step step;
    step.path = wanted.path;
    step.agents = wanted.agents;
    auto file = read_user_file(wanted.path, *world_.files);
    if (!file) return refuse(std::move(step), wanted, file.error().message);
    step.was = std::move(*file);
    if (const auto other = seen_.find(step.was.target); step.was.there && other != seen_.end()) {
      return refuse(std::move(step), wanted, "it is the same file as " + other->second);
    }
    seen_.emplace(step.was.target, step.path);
    if (const Row* row = ledger_.find(step.path)) {
      step.row = *row;
      for (const std::string& agent : row->agents) {
        if (std::ranges::find(step.agents, agent) == step.agents.end()) {
          step.agents.push_back(agent);
        }
      }
    }
    step = wanted.whole ? plan_whole(std::move(step), wanted) : plan_entry(std::move(step), wanted);
    step.row.path = step.path;
    step.row.agents = step.agents;
    if (step.deed != Deed::create && step.deed != Deed::change) return step;
    if (Status allowed = may_write(step.was); !allowed) {
      return refuse(std::move(step), wanted, allowed.error().message);
    }
    return step;
  }

 private:
  static Step refuse(Step step, const Wanted& wanted, std::string why) {
    step.deed = Deed::refused;
    step.why = std::move(why);
    step.paste = wanted.whole ? "" : entry_alone(wanted.entry);
    step.row = {};
    return step;
  }

  static Step leave(Step step, std::string why) {
    step.deed = Deed::unchanged;
    step.why = std::move(why);
    return step;
  }

  // The file is made; all of it is ours.
  static Step make(Step step, std::string text) {
    step.deed = Deed::create;
    step.row.created = true;
    step.row.before = "";
    step.row.changes = {{hash_of(text), {{0, "", text}}}};
    step.after = std::move(text);
    return step;
  }

  static Step plan_whole(Step step, const Wanted& wanted) {
    const std::string text(skill_text());
    const bool is_ours = !step.row.changes.empty();
    step.row.whole = true;
    if (!step.was.there) return make(std::move(step), text);
    if (step.was.bytes == text) return leave(std::move(step), "");
    if (!is_ours) return refuse(std::move(step), wanted, "a file that is not yore's is there");
    const auto is_it = [&](const Change& change) { return change.after == step.was.hash; };
    if (std::ranges::none_of(step.row.changes, is_it)) {
      return leave(std::move(step), "it was changed since and is left as it is");
    }
    Step made = make(std::move(step), text);
    made.deed = Deed::change;
    made.row.changes.insert(made.row.changes.begin(), {made.was.hash, {{0, "", made.was.bytes}}});
    return made;
  }

  Step plan_entry(Step step, const Wanted& wanted) const {
    const Row old = step.row;
    step.row.entry = wanted.entry;
    step.row.parents = wanted.entry.keys.size();
    if (!step.was.there) return make(std::move(step), entry_alone(wanted.entry));
    const auto found = find_entry(step.was.bytes, wanted.entry);
    if (!found) return refuse(std::move(step), wanted, found.error().message);
    if (!*found) return put_in(std::move(step), wanted);
    const std::string command = command_of(**found);
    const bool is_ours =
        !old.changes.empty() && (**found == old.entry.value || starts_yore(**found));
    if (is_ours) return mend(std::move(step), wanted, old, **found);
    step.row = {};
    if (!starts_yore(**found)) {
      return refuse(std::move(step), wanted, "an entry named yore that is not yore's is there");
    }
    if (!is_there(command)) {
      return refuse(std::move(step), wanted,
                    "an entry that setup did not write starts " + command + ", which is not there");
    }
    return leave(std::move(step), "wired already, not by setup");
  }

  static Step put_in(Step step, const Wanted& wanted) {
    const auto parents = missing_parents(step.was.bytes, wanted.entry);
    if (!parents) return refuse(std::move(step), wanted, parents.error().message);
    auto splices = insert_entry(step.was.bytes, wanted.entry);
    if (!splices) return refuse(std::move(step), wanted, splices.error().message);
    step.deed = Deed::change;
    step.after = apply_splices(step.was.bytes, *splices).value_or("");
    step.row.created = false;
    step.row.before = step.was.hash;
    step.row.parents = *parents;
    step.row.changes = {{hash_of(step.after), std::move(*splices)}};
    return step;
  }

  // It is ours; what is it to say now?
  Step mend(Step step, const Wanted& wanted, const Row& old, const Json& found) const {
    const bool as_written = found == old.entry.value;
    const std::string command = command_of(found);
    Json value = as_written ? wanted.entry.value : with_command(found, program_);
    if (is_same_program(command, program_)) value = with_command(value, command);
    step.row.parents = old.parents;
    step.row.entry.value = value;
    if (found == value) {
      step.row = old;
      return leave(std::move(step), "");
    }
    Wanted better = wanted;
    better.entry.value = value;
    for (const Change& change : old.changes) {
      if (change.after != step.was.hash) continue;
      const auto original = take_back(step.was.bytes, change.splices);
      if (!original) break;
      return replace_entry(std::move(step), better, *original, old.before, change);
    }
    const auto out = remove_entry(step.was.bytes, old.entry, 0);
    if (!out) return refuse(std::move(step), better, out.error().message);
    const std::string base = apply_splices(step.was.bytes, *out).value_or("");
    return replace_entry(std::move(step), better, base, hash_of(base), {});
  }

  // The entry put into `base`, which has none. `last`: what leads from the file back to `base`.
  static Step replace_entry(Step step, const Wanted& wanted, const std::string& base,
                            const std::string& before, const Change& last) {
    auto splices = insert_entry(base, wanted.entry);
    if (!splices) return refuse(std::move(step), wanted, splices.error().message);
    step.deed = Deed::change;
    step.after = apply_splices(base, *splices).value_or("");
    step.row.before = before;
    step.row.changes.clear();
    if (!last.after.empty()) step.row.changes.push_back(last);
    step.row.changes.push_back({hash_of(step.after), std::move(*splices)});
    return step;
  }

  const config::World& world_;
  const Ledger& ledger_;
  std::string program_;
  std::map<std::string, std::string> seen_;  // target → path
};

// Folders above the files that are made, which are not there.
std::vector<std::string> folders_to_make(const std::vector<Step>& steps) {
  std::vector<std::string> folders;
  for (const Step& step : steps) {
    if (step.deed != Deed::create) continue;
    std::vector<std::string> chain;
    std::string folder(path_dirname(step.path));
    while (!look_at(folder).there && folder != "/") {
      chain.push_back(folder);
      folder = std::string(path_dirname(folder));
    }
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      if (std::ranges::find(folders, *it) == folders.end()) folders.push_back(*it);
    }
  }
  return folders;
}

}  // namespace

bool Plan::writes() const {
  return std::ranges::any_of(steps, [](const Step& step) {
    return step.deed != Deed::unchanged && step.deed != Deed::refused;
  });
}

std::string stable_program(const config::World& world) {
  const std::string path = world.env("PATH").value_or("");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string candidate = path_join(path.substr(begin, end - begin), "yore");
    begin = end + 1;
    if (candidate.starts_with('/') && is_same_program(candidate, world.program)) return candidate;
  }
  return world.program;
}

bool is_same_program(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const std::string real = real_path(a);
  return !real.empty() && real == real_path(b);
}

Result<Plan> plan_setup(const config::World& world, const Ledger& ledger,
                        const SetupRequest& request) {
  if (Status known = check_names(request.agents); !known) return known.error();
  const std::string program = stable_program(world);
  if (program.empty()) {
    return Error{Errc::io, "the system does not tell where this program lies"};
  }
  auto wanted = wanted_files(world, request, program);
  if (!wanted) return wanted.error();
  if (request.agents.empty()) add_moved(world, ledger, program, *wanted);
  Plan plan;
  Planner planner(world, ledger, program);
  for (const Wanted& each : *wanted) plan.steps.push_back(planner.plan(each));
  plan.folders = folders_to_make(plan.steps);
  return plan;
}

}  // namespace yore::setup
