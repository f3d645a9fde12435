// How what setup did is taken back: the half of plan.hpp that reads the ledger.
#include <algorithm>

#include "base/files/file.hpp"
#include "setup/plan.hpp"

namespace yore::setup {
namespace {

bool is_asked_for(const Row& row, const SetupRequest& request) {
  if (!request.project.empty() && !row.path.starts_with(path_join(request.project, "") + "/")) {
    return false;
  }
  if (request.agents.empty()) return true;
  return std::ranges::any_of(row.agents, [&](const std::string& agent) {
    return std::ranges::find(request.agents, agent) != request.agents.end();
  });
}

Step left_alone(Step step, std::string why) {
  step.deed = Deed::unchanged;
  step.why = std::move(why);
  return step;
}

bool is_blank(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::string rest;
  for (const char c : text) {
    if (kSpace.find(c) == std::string_view::npos) rest += c;
    if (rest.size() > 5) return false;
  }
  return rest.empty() || rest == "{}" || rest == "\xEF\xBB\xBF" || rest == "\xEF\xBB\xBF{}";
}

Result<std::string> without_entries(const std::string& bytes, const Row& row,
                                    const std::vector<Held>& there) {
  if (!row.changes.empty()) {
    // Exactly what was added, where it still stands so.
    if (auto rest = take_back_loosely(bytes, row.changes.back().edits)) {
      const bool none = std::ranges::none_of(row.entries, [&](const Held& held) {
        const auto found = find_entry(*rest, held.entry);
        return !found || *found;
      });
      if (none) return std::move(*rest);
    }
  }
  std::string text = bytes;
  for (auto held = there.rbegin(); held != there.rend(); ++held) {
    const auto splices = remove_entry(text, held->entry, held->parents);
    if (!splices) return splices.error();
    text = apply_splices(text, *splices).value_or(text);
  }
  return text;
}

Step give_back(Step step, const Row& row, std::string text) {
  step.deed = row.created && is_blank(text) ? Deed::remove : Deed::change;
  step.after = std::move(text);
  if (Status allowed = may_write(step.was); !allowed) {
    step.deed = Deed::refused;
    step.why = allowed.error().message;
    step.paste = "";
  }
  return step;
}

Step undo_changed(Step step, const Row& row) {
  std::vector<Held> ours;
  bool is_foreign = false;
  for (const Held& held : row.entries) {
    const auto found = find_entry(step.was.bytes, held.entry);
    if (!found) {
      step.deed = Deed::refused;
      step.why = found.error().message + "; the entry is to be taken out by hand";
      return step;
    }
    if (!*found) continue;
    if (**found == held.entry.value || starts_yore(**found, held.entry)) {
      ours.push_back(held);
    } else {
      is_foreign = true;
    }
  }
  if (ours.empty()) {
    return left_alone(std::move(step), is_foreign ? "the entry is somebody else's by now"
                                                  : "the entry is gone already");
  }
  auto rest = without_entries(step.was.bytes, row, ours);
  if (!rest) {
    step.deed = Deed::refused;
    step.why = rest.error().message;
    return step;
  }
  return give_back(std::move(step), row, std::move(*rest));
}

Step undo_row(const config::World& world, const Row& row) {
  Step step;
  step.path = row.path;
  step.agents = row.agents;
  auto file = read_user_file(row.path, *world.files);
  if (!file) {
    step.deed = Deed::refused;
    step.why = file.error().message;
    return step;
  }
  step.was = std::move(*file);
  if (!step.was.there) return left_alone(std::move(step), "it is gone already");
  if (step.was.hash == row.before) return left_alone(std::move(step), "it is as it was");
  for (const Change& change : row.changes) {
    if (change.after != step.was.hash) continue;
    if (row.whole) return give_back(std::move(step), row, "");
    if (auto original = take_back(step.was.bytes, change.edits)) {
      return give_back(std::move(step), row, std::move(*original));
    }
  }
  if (row.whole) return left_alone(std::move(step), "it was changed since and is left as it is");
  return undo_changed(std::move(step), row);
}

}  // namespace

Result<Plan> plan_undo(const config::World& world, const Ledger& ledger,
                       const SetupRequest& request) {
  Plan plan;
  for (const Row& row : ledger.rows) {
    if (!is_asked_for(row, request)) continue;
    Row left = row;
    if (!request.agents.empty()) {
      std::erase_if(left.agents, [&](const std::string& agent) {
        return std::ranges::find(request.agents, agent) != request.agents.end();
      });
    }
    const bool is_shared = !request.agents.empty() && !left.agents.empty();
    Step step = is_shared ? left_alone({}, "other agents use it") : undo_row(world, row);
    step.path = row.path;
    if (is_shared) {
      step.agents = row.agents;
      step.row = std::move(left);
    } else if (step.deed == Deed::refused) {
      step.row = row;
    }
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

}  // namespace yore::setup
