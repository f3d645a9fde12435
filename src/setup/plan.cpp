#include "setup/plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/files/file.hpp"
#include "setup/wanted.hpp"

namespace yore::setup {
namespace {

// The lines to paste.
std::string alone(const Wanted& wanted) {
  std::string lines;
  for (const Entry& entry : wanted.entries) lines += entry_alone(entry);
  return lines;
}

std::string real_path(const std::string& path) {
  std::error_code failure;
  const auto real = std::filesystem::canonical(path, failure);
  return failure ? "" : real.string();
}

bool is_there(const std::string& command) {
  return !command.starts_with('/') || ::access(command.c_str(), X_OK) == 0;
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
    step = wanted.whole() ? plan_whole(std::move(step), wanted)
                          : plan_entries(std::move(step), wanted);
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
    step.paste = alone(wanted);
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
    step.row.changes = {{hash_of(text), {{{0, "", text}}}}};
    step.after = std::move(text);
    return step;
  }

  static Step plan_whole(Step step, const Wanted& wanted) {
    const std::string& text = wanted.text;
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
    made.row.changes.insert(made.row.changes.begin(), {made.was.hash, {{{0, "", made.was.bytes}}}});
    return made;
  }

  // What is to stand at the places of a file.
  struct Places {
    std::vector<Entry> entries;  // as they are to be
    bool all_there = true;       // and are already
    bool any_ours = false;
  };

  // Of the wanted entries and of those that an earlier setup put in: what they are to say now.
  Result<Places> look_at_places(const Step& step, const Wanted& wanted, const Row& old) const {
    std::vector<Entry> all = wanted.entries;
    for (const Held& held : old.entries) {
      const auto is_it = [&](const Entry& each) { return is_same_place(each, held.entry); };
      if (std::ranges::any_of(all, is_it)) continue;
      all.push_back(held.entry);
      all.back().value = with_command(held.entry.value, held.entry, program_);
    }
    Places places;
    for (Entry& entry : all) {
      const auto found = find_entry(step.was.bytes, entry);
      if (!found) return found.error();
      const Held* held = old.at(entry);
      if (!*found) {
        places.all_there = false;
        places.entries.push_back(std::move(entry));
        continue;
      }
      const Json& value = **found;
      const std::string command = command_of(value, entry);
      const bool yores = starts_yore(value, entry);
      if (held == nullptr && !yores) {
        return Error{Errc::unsupported, "an entry named yore that is not yore's is there"};
      }
      if (held == nullptr && !is_there(command)) {
        return Error{Errc::unsupported, "an entry that setup did not write starts " + command +
                                            ", which is not there"};
      }
      if (held == nullptr) continue;  // wired by hand: theirs
      const bool as_written = value == held->entry.value;
      if (!as_written && !yores) {
        return Error{Errc::unsupported, "an entry named yore that is not yore's is there"};
      }
      if (!as_written) entry.value = with_command(value, entry, program_);
      if (is_same_program(command, program_)) {
        entry.value = with_command(entry.value, entry, command);
      }
      places.any_ours = true;
      places.all_there = places.all_there && entry.value == value;
      places.entries.push_back(std::move(entry));
    }
    return places;
  }

  Step plan_entries(Step step, const Wanted& wanted) const {
    const Row old = step.row;
    step.row.entries.clear();
    if (!step.was.there) return make_with_entries(std::move(step), wanted);
    const auto places = look_at_places(step, wanted, old);
    if (!places) return refuse(std::move(step), wanted, places.error().message);
    if (places->entries.empty()) {
      step.row = {};
      return leave(std::move(step), "wired already, not by setup");
    }
    if (places->all_there) {
      step.row = old;
      return leave(std::move(step), "");
    }
    if (!places->any_ours) {
      const std::string as_it_is = step.was.bytes;
      const std::string hash = step.was.hash;
      return put_into(std::move(step), wanted, places->entries, as_it_is, hash, {});
    }
    for (const Change& change : old.changes) {
      if (change.after != step.was.hash) continue;
      const auto original = take_back(step.was.bytes, change.edits);
      if (!original) break;
      step.row.created = old.created;
      return put_into(std::move(step), wanted, places->entries, *original, old.before, change);
    }
    std::string base = step.was.bytes;
    for (auto held = old.entries.rbegin(); held != old.entries.rend(); ++held) {
      const auto there = find_entry(base, held->entry);
      if (!there || !*there) continue;
      const auto out = remove_entry(base, held->entry, 0);
      if (!out) return refuse(std::move(step), wanted, out.error().message);
      base = apply_splices(base, *out).value_or("");
    }
    step.row.created = old.created;
    Step made = put_into(std::move(step), wanted, places->entries, base, hash_of(base), {});
    for (Held& held : made.row.entries) {
      if (const Held* before = old.at(held.entry)) held.parents = before->parents;
    }
    return made;
  }

  static Step make_with_entries(Step step, const Wanted& wanted) {
    std::string text(wanted.fresh);
    for (const Entry& entry : wanted.entries) {
      const auto splices = insert_entry(text, entry);
      if (!splices) return refuse(std::move(step), wanted, splices.error().message);
      text = apply_splices(text, *splices).value_or("");
      step.row.entries.push_back({entry, entry.keys.size()});
    }
    return make(std::move(step), std::move(text));
  }

  // The entries put into `base`, which has none of them. `last`: what leads from the file back to
  // `base`.
  static Step put_into(Step step, const Wanted& wanted, const std::vector<Entry>& entries,
                       const std::string& base, const std::string& before, const Change& last) {
    std::string text = base;
    Edits edits;
    for (const Entry& entry : entries) {
      const auto parents = missing_parents(text, entry);
      if (!parents) return refuse(std::move(step), wanted, parents.error().message);
      auto splices = insert_entry(text, entry);
      if (!splices) return refuse(std::move(step), wanted, splices.error().message);
      text = apply_splices(text, *splices).value_or("");
      edits.push_back(std::move(*splices));
      step.row.entries.push_back({entry, *parents});
    }
    step.deed = Deed::change;
    step.row.before = before;
    step.row.changes.clear();
    if (!last.after.empty()) step.row.changes.push_back(last);
    step.row.changes.push_back({hash_of(text), std::move(edits)});
    step.after = std::move(text);
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
  const std::string program = stable_program(world);
  if (program.empty()) {
    return Error{Errc::io, "the system does not tell where this program lies"};
  }
  const auto wanted = wanted_files(world, ledger, request, program);
  if (!wanted) return wanted.error();
  Plan plan;
  Planner planner(world, ledger, program);
  for (const Wanted& each : *wanted) plan.steps.push_back(planner.plan(each));
  plan.folders = folders_to_make(plan.steps);
  return plan;
}

}  // namespace yore::setup
