// yore forget: removes conversations for good, after showing what goes.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/time_options.hpp"
#include "ingest/forget.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

constexpr std::size_t kMostMatches = 10'000;
constexpr std::size_t kSessionsShown = 20;

struct ForgetFlags {
  std::vector<std::string> sessions;
  std::vector<std::string> projects;
  std::string before;
  std::string match;
  bool yes = false;
  bool dry_run = false;
};

Status add_named(const ForgetFlags& flags, search::Reader& reader, ingest::ForgetRequest& request) {
  for (const std::string& id : flags.sessions) {
    const auto session = reader.find_session(id);
    if (!session) return session.error();
    request.sessions.push_back(session->id);
  }
  return {};
}

// Adds the sessions of these projects, or from before this time, or both.
Status add_filtered(const Context& context, const ForgetFlags& flags, search::Reader& reader,
                    ingest::ForgetRequest& request) {
  if (flags.projects.empty() && flags.before.empty()) return {};
  const auto before = parse_time(context, "--before", flags.before);
  if (!before) return before.error();
  search::ListFilter filter;
  filter.projects = flags.projects;
  filter.until = *before;
  filter.subagents = true;
  filter.automated = true;
  filter.beside = true;
  filter.limit = SIZE_MAX;
  const auto found = reader.list(filter);
  if (!found) return found.error();
  for (const store::SessionRow& session : found->sessions) request.sessions.push_back(session.id);
  return {};
}

// What a session started goes with it.
Status add_subagents(search::Reader& reader, ingest::ForgetRequest& request) {
  if (request.sessions.empty()) return {};
  std::vector<std::string> parents;
  for (const store::SessionId id : request.sessions) {
    const auto row = reader.store().session(id);
    if (!row) return row.error();
    if (*row) parents.push_back((*row)->uid);
  }
  return reader.store().each_session([&](store::SessionRow&& session) {
    if (!session.parent.empty() && std::ranges::find(parents, session.parent) != parents.end()) {
      request.sessions.push_back(session.id);
    }
    return true;
  });
}

// A turn must hold every word: forgetting is no place for a guess.
std::string every_word(std::string_view query) {
  std::string all;
  bool quoted = false;
  bool begins = true;
  for (const char c : query) {
    if (begins && !quoted && c != ' ' && c != '+' && c != '-') all += '+';
    if (c == '"') quoted = !quoted;
    begins = c == ' ' && !quoted;
    all += c;
  }
  return all;
}

// `shown`: a line for each turn that matches.
Status add_matching(const Context& context, const ForgetFlags& flags, OpenIndex& index,
                    ingest::ForgetRequest& request, std::vector<std::string>& shown) {
  if (flags.match.empty()) return {};
  search::SearchRequest wanted;
  wanted.query = every_word(flags.match);
  wanted.mode = search::SearchMode::keyword;
  wanted.limit = kMostMatches;
  wanted.per_session = 0;
  wanted.subagents = true;
  wanted.automated = true;
  wanted.count_embedded = false;
  const auto found = index.search(wanted);
  if (!found) return found.error();
  for (const search::Hit& hit : found->hits) {
    request.turns.push_back({hit.session.id, hit.turn_number});
    const std::string asked =
        hit.messages.empty() ? ""
                             : text::one_line(text::first_chars(hit.messages.front().content, 200));
    const std::string line =
        fmt::format("{} turn {} {}", text::one_line(hit.session.uid), hit.turn_number, asked);
    const std::size_t room = context.columns() > 3 ? context.columns() - 2 : 1;
    shown.push_back("  " + text::fit(line, room));
  }
  return {};
}

std::string plan_text(const Context& context, const ingest::ForgetPlan& plan,
                      const std::vector<std::string>& turns) {
  std::string out = plural(plan.turns, "turn");
  if (!plan.sessions.empty()) out += " in " + plural(plan.sessions.size(), "session");
  if (plan.copies > 0)
    out += ", with " + count(plan.copies) + " more in other sessions that repeat them";
  out += ": to be forgotten for good.\n";
  for (std::size_t i = 0; i < std::min(plan.sessions.size(), kSessionsShown); ++i) {
    store::SessionRow session = plan.sessions[i];
    context.mask(session);
    out += fmt::format("  {}  {}\n", text::one_line(session.uid),
                       text::fit(text::one_line(session.title), context.columns()));
  }
  if (plan.sessions.size() > kSessionsShown) {
    out += fmt::format("  … and {} more\n", count(plan.sessions.size() - kSessionsShown));
  }
  for (std::size_t i = 0; i < std::min(turns.size(), kSessionsShown); ++i) out += turns[i] + "\n";
  if (turns.size() > kSessionsShown) {
    out += fmt::format("  … and {} more\n", count(turns.size() - kSessionsShown));
  }
  if (!plan.files.empty()) {
    out += plan.files.size() == 1
               ? "The agent's own file stays as it is; yore will not read it again.\n"
               : "The agents' own files stay as they are; yore will not read them again.\n";
  }
  out += "Backups that were made with yore backup are your own files and are not touched.\n";
  return out;
}

service::Json plan_json(const ingest::ForgetPlan& plan, bool done) {
  return {{"forgotten", done},
          {"sessions", plan.uids},
          {"turns", plan.turns},
          {"copies", plan.copies},
          {"files_that_stay", plan.files}};
}

bool agrees(const Context& context) {
  context.program.err("Forget this? [y/N] ");
  const auto answer = context.program.typed_line();
  if (!answer) context.program.err("\n");
  return answer && (*answer == "y" || *answer == "Y" || *answer == "yes");
}

int run_forget(Context& context, const ForgetFlags& flags) {
  if (flags.sessions.empty() && flags.projects.empty() && flags.before.empty() &&
      flags.match.empty()) {
    return context.fail({Errc::invalid_argument, "nothing to forget was named",
                         "yore forget SESSION, -p PROJECT, --before DATE or --match WORDS"});
  }
  auto index = OpenIndex::open(context, OpenIndex::Refresh::quick);
  if (!index) return context.fail(index.error());
  auto reader = index->reader();
  if (!reader) return context.fail(reader.error());
  ingest::ForgetRequest request;
  std::vector<std::string> turns;
  Status status = add_named(flags, *reader, request);
  if (status) status = add_filtered(context, flags, *reader, request);
  if (status) status = add_subagents(*reader, request);
  if (status) status = add_matching(context, flags, *index, request, turns);
  if (!status) return context.fail(status.error());
  const auto plan = ingest::plan_forgetting(reader->store(), request);
  if (!plan) return context.fail(plan.error());
  if (plan->turns == 0 && plan->sessions.empty()) {
    return context.fail({Errc::not_found, "nothing that was said fits", ""});
  }
  if (!context.globals.json) context.print(plan_text(context, *plan, turns));
  if (flags.dry_run) {
    if (context.globals.json) print_json(context, plan_json(*plan, false));
    return kFound;
  }
  if (!flags.yes && !agrees(context)) {
    return context.fail({Errc::invalid_argument, "nothing was forgotten",
                         "it wants a yes; without a terminal: --yes"});
  }
  const InterruptGuard guard;
  status = ingest::forget(context.world, context.settings, *plan, InterruptGuard::asked());
  if (!status) return context.fail(status.error());
  if (context.globals.json) {
    print_json(context, plan_json(*plan, true));
  } else {
    context.print("Forgotten.\n");
  }
  return kFound;
}

}  // namespace

Action declare_forget(Options& options) {
  const auto flags = std::make_shared<ForgetFlags>();  // shared with the action that outlives us
  options.words("[SESSION...]", flags->sessions, "sessions to forget, by id or the start of one");
  options.texts("-p,--project", "NAME", flags->projects, "all sessions of these projects");
  options.text("--before", "DATE", flags->before, "sessions without activity since");
  options.text("--match", "WORDS", flags->match, "turns that hold all of these words");
  options.flag("--dry-run", flags->dry_run, "only show what would go");
  options.flag("--yes", flags->yes, "do not ask");
  return [flags](Context& context) { return run_forget(context, *flags); };
}

}  // namespace yore::cli
