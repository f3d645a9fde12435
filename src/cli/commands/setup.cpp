// yore setup: wires yore into the agents of this machine, after showing what is going to be
// written, and takes all of it back.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "setup/apply.hpp"
#include "setup/diff.hpp"
#include "setup/handshake.hpp"
#include "setup/hooks.hpp"
#include "setup/wiring.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

using setup::Deed;

struct SetupFlags {
  std::vector<std::string> agents;
  bool project = false;
  bool dry_run = false;
  bool yes = false;
  bool status = false;
  bool undo = false;
  bool markdown = false;
  bool recall = false;
};

constexpr std::array<std::string_view, 5> kDeeds = {"create", "change", "remove", "unchanged",
                                                    "refused"};
constexpr std::array<Paint, 5> kDeedPaints = {Paint::green, Paint::yellow, Paint::yellow,
                                              Paint::dim, Paint::red};

std::string names_of(const std::vector<std::string>& agents) {
  std::string out;
  for (const std::string& agent : agents) {
    out += (out.empty() ? "" : ", ") + setup::display_of(agent);
  }
  return out;
}

std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += "      " + text::for_terminal(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string step_diff(const setup::Step& step) {
  if (step.deed != Deed::create && step.deed != Deed::change) return "";
  return setup::diff_text(step.was.bytes, step.after);
}

std::string step_text(const Context& context, const setup::Step& step, bool with_diff) {
  const auto deed = static_cast<std::size_t>(step.deed);
  std::string out = fmt::format(
      "  {}  {}  {}\n", context.style(kDeedPaints[deed], fmt::format("{:<9}", kDeeds[deed])),
      text::one_line(shown_path(step.path, context.home())),
      context.style(Paint::dim, "(" + names_of(step.agents) + ")"));
  if (!step.why.empty()) out += "      " + text::one_line(step.why) + "\n";
  if (with_diff) out += context.style(Paint::dim, indented(step_diff(step)));
  if (!step.paste.empty()) {
    out += "      These lines do it by hand:\n" + indented(step.paste);
  }
  return out;
}

std::string counts_text(const setup::Plan& plan) {
  std::string out;
  for (std::size_t i = 0; i < kDeeds.size(); ++i) {
    const auto number = std::ranges::count_if(
        plan.steps, [&](const auto& step) { return static_cast<std::size_t>(step.deed) == i; });
    if (number > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", number, kDeeds[i]);
  }
  return out + "\n";
}

service::Json plan_to_json(const setup::Plan& plan) {
  service::Json steps = service::Json::array();
  for (const setup::Step& step : plan.steps) {
    service::Json json = {{"action", kDeeds[static_cast<std::size_t>(step.deed)]},
                          {"path", step.path},
                          {"agents", step.agents}};
    if (!step.why.empty()) json["why"] = step.why;
    if (!step.paste.empty()) json["paste"] = step.paste;
    if (const std::string diff = step_diff(step); !diff.empty()) json["diff"] = diff;
    steps.push_back(std::move(json));
  }
  return steps;
}

bool has_refused(const setup::Plan& plan) {
  return std::ranges::find(plan.steps, Deed::refused, &setup::Step::deed) != plan.steps.end();
}

// Does each command that stands in the files answer? By command: the server's name, or why not.
std::map<std::string, Result<std::string>> greet(const std::vector<setup::Wired>& all) {
  std::map<std::string, Result<std::string>> answers;
  for (const setup::Wired& each : all) {
    if (each.command.empty() || each.wiring == setup::Wiring::foreign) continue;
    std::string line;
    for (const std::string& word : each.command) line += (line.empty() ? "" : " ") + word;
    if (!answers.contains(line)) answers.emplace(line, setup::shake_hands(each.command));
  }
  return answers;
}

Result<std::string> answer_of(const setup::Wired& each,
                              const std::map<std::string, Result<std::string>>& answers) {
  std::string line;
  for (const std::string& word : each.command) line += (line.empty() ? "" : " ") + word;
  const auto it = answers.find(line);
  if (it == answers.end()) return Error{Errc::not_found, ""};
  return it->second;
}

service::Json wired_json(const std::vector<setup::Wired>& all,
                         const std::map<std::string, Result<std::string>>& answers) {
  service::Json list = service::Json::array();
  for (const setup::Wired& each : all) {
    const auto answer = answer_of(each, answers);
    service::Json json = {{"agent", each.agent},     {"name", each.display},
                          {"path", each.path},       {"state", setup::wiring_name(each.wiring)},
                          {"command", each.command}, {"works", answer.ok()}};
    if (!each.why.empty()) json["why"] = each.why;
    if (answer) json["server"] = *answer;
    if (!answer && !answer.error().message.empty()) json["why"] = answer.error().message;
    list.push_back(std::move(json));
  }
  return list;
}

int run_setup_status(Context& context, const SetupFlags& flags) {
  const auto ledger = setup::load_ledger(context.settings.data_dir, *context.world.files);
  if (!ledger) return context.fail(ledger.error());
  const auto all = setup::look_at_wiring(context.world, *ledger, flags.agents);
  const auto answers = greet(all);
  std::size_t working = 0;
  bool is_broken = false;
  std::string out;
  for (const setup::Wired& each : all) {
    const auto answer = answer_of(each, answers);
    if (answer) ++working;
    const bool fails = !each.command.empty() && !answer && each.wiring != setup::Wiring::foreign;
    is_broken = is_broken || fails || each.wiring == setup::Wiring::unreadable;
    std::string state(setup::wiring_name(each.wiring));
    if (answer) state += ", " + *answer + " answers";
    if (fails) state += ": " + answer.error().message;
    if (!each.why.empty()) state += ": " + each.why;
    out += fmt::format(
        "  {:<16}  {}  {}\n", each.display, text::one_line(state),
        context.style(Paint::dim, text::one_line(shown_path(each.path, context.home()))));
  }
  service::Json hooks = service::Json::array();
  for (const setup::HookState& each : setup::look_at_hooks(context.world, *ledger)) {
    const std::string state = each.works   ? "hooks"
                              : each.there ? "hooks that start what is not there: " + each.command
                                           : "hooks that are gone";
    is_broken = is_broken || !each.works;
    hooks.push_back({{"agent", each.agent}, {"path", each.path}, {"works", each.works}});
    out += fmt::format(
        "  {:<16}  {}  {}\n", each.display, text::one_line(state),
        context.style(Paint::dim, text::one_line(shown_path(each.path, context.home()))));
  }
  if (context.globals.json) {
    print_json(context, service::Json{{"agents", wired_json(all, answers)}, {"hooks", hooks}});
  } else {
    context.print(out);
    if (all.empty()) context.note("No agents that setup knows were found.");
  }
  if (is_broken) return kBroken;
  return working > 0 ? kFound : kNothing;
}

bool agrees_to_setup(const Context& context) {
  context.program.err("Write this? [y/N] ");
  const auto answer = context.program.typed_line();
  if (!answer) context.program.err("\n");
  return answer && (*answer == "y" || *answer == "Y" || *answer == "yes");
}

// After writing: what the files say now is started once.
bool prove(const Context& context, const SetupFlags& flags, service::Json& json) {
  const auto ledger = setup::load_ledger(context.settings.data_dir, *context.world.files);
  if (!ledger) return false;
  auto all = setup::look_at_wiring(context.world, *ledger, flags.agents);
  std::erase_if(all, [&](const setup::Wired& each) { return ledger->find(each.path) == nullptr; });
  const auto answers = greet(all);
  bool works = true;
  for (const auto& [command, answer] : answers) {
    works = works && answer.ok();
    if (context.globals.json) continue;
    context.print(answer ? fmt::format("Tried: {} answers ({}).\n", text::one_line(command),
                                       text::one_line(*answer))
                         : fmt::format("Tried: {}\n", text::one_line(answer.error().message)));
  }
  json["agents"] = wired_json(all, answers);
  return works;
}

void show_plan(const Context& context, const SetupFlags& flags, const setup::Plan& plan) {
  if (context.globals.json) {
    if (flags.dry_run || !plan.writes()) {
      print_json(context, service::Json{{"written", false}, {"steps", plan_to_json(plan)}});
    }
    return;
  }
  std::string out;
  for (const setup::Step& step : plan.steps) out += step_text(context, step, true);
  context.print(out + counts_text(plan));
}

// What went wrong only while writing is shown again; the rest was shown before.
void show_outcome(const Context& context, const setup::Plan& planned, const setup::Plan& done,
                  bool undo) {
  std::string out;
  for (std::size_t i = 0; i < done.steps.size(); ++i) {
    if (done.steps[i].deed != planned.steps[i].deed) {
      out += step_text(context, done.steps[i], false);
    }
  }
  context.print(out + (undo ? "Taken back.\n" : "Written.\n"));
}

int carry_out(const Context& context, const SetupFlags& flags, const setup::Ledger& ledger,
              setup::Plan plan) {
  const setup::Plan planned = plan;
  const std::string& data_dir = context.settings.data_dir;
  const Status done = flags.undo ? setup::apply_undo(context.world, data_dir, ledger, plan)
                                 : setup::apply_setup(context.world, data_dir, ledger, plan);
  if (!done) return context.fail(done.error());
  service::Json json = {{"written", planned.writes()}, {"steps", plan_to_json(plan)}};
  if (!context.globals.json && planned.writes()) show_outcome(context, planned, plan, flags.undo);
  bool works = true;
  if (!flags.undo && planned.writes()) works = prove(context, flags, json);
  if (context.globals.json && planned.writes()) print_json(context, json);
  if (!flags.undo && planned.writes() && works) {
    context.note("Agents that run now must be started again. 'yore setup --undo' takes it back.");
  }
  return works && !has_refused(plan) ? kFound : kBroken;
}

int run_setup(Context& context, const SetupFlags& flags) {
  if (flags.markdown) {
    context.print(setup::markdown_table() + "\n" + setup::hooks_markdown());
    return kFound;
  }
  if (flags.status) return run_setup_status(context, flags);
  if (flags.undo && flags.recall) {
    return context.fail({Errc::invalid_argument, "--undo takes hooks back with everything else",
                         "only to be left in peace in a folder: yore recall --off"});
  }
  setup::SetupRequest request{flags.agents, "", flags.recall};
  if (flags.project) request.project = std::filesystem::current_path().string();
  const std::string& data_dir = context.settings.data_dir;
  std::optional<setup::SetupLock> lock;
  if (!flags.dry_run) {
    auto acquired = setup::SetupLock::acquire(data_dir);
    if (!acquired) return context.fail(acquired.error());
    lock.emplace(std::move(*acquired));
  }
  const auto ledger = setup::load_ledger(data_dir, *context.world.files);
  if (!ledger) return context.fail(ledger.error());
  const auto plan = flags.undo ? setup::plan_undo(context.world, *ledger, request)
                               : setup::plan_setup(context.world, *ledger, request);
  if (!plan) return context.fail(plan.error());
  if (plan->steps.empty()) {
    return context.fail(flags.undo
                            ? Error{Errc::not_found, "there is nothing to take back"}
                            : Error{Errc::not_found, "no agents were found that setup knows",
                                    "name one, and it is set up all the same: yore setup codex"});
  }
  show_plan(context, flags, *plan);
  if (flags.dry_run) return has_refused(*plan) ? kBroken : kFound;
  if (plan->writes() && !flags.yes && !agrees_to_setup(context)) {
    return context.fail({Errc::invalid_argument, "nothing was written: it wants a yes",
                         "without a terminal: --yes"});
  }
  return carry_out(context, flags, *ledger, *plan);
}

}  // namespace

Action declare_setup(Options& options) {
  const auto flags = std::make_shared<SetupFlags>();  // shared with the action that outlives us
  options.words("[AGENT...]", flags->agents, "only these; all that are installed without one");
  options.flag("--dry-run", flags->dry_run, "only show what would be written");
  options.flag("--yes", flags->yes, "do not ask");
  options.flag("--status", flags->status, "which agents are wired, and does it work?");
  options.flag("--project", flags->project, "files of the project in this folder, not the user's");
  options.flag("--recall", flags->recall,
               "hooks too, that remind agents of what was said before; see yore recall --help");
  options.flag("--undo", flags->undo, "take back what setup wrote");
  options.flag("--markdown", flags->markdown, "only the table of agents, as in docs/mcp.md");
  return [flags](Context& context) { return run_setup(context, *flags); };
}

}  // namespace yore::cli
