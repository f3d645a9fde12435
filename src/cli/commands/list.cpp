// yore list: sessions, newest first.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/filter_options.hpp"
#include "cli/open_index.hpp"
#include "cli/refresh.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/table.hpp"
#include "cli/time_options.hpp"
#include "search/list_cursor.hpp"
#include "search/session_id.hpp"

namespace yore::cli {
namespace {

struct ListFlags {
  std::vector<std::string> words;
  MoreFilters more;
  std::vector<std::string> projects;
  std::vector<std::string> agents;
  std::string since;
  std::string until;
  std::string cursor;
  std::uint32_t limit = search::kSessionsListed;
  bool subagents = false;
  bool automated = false;
};

Result<search::ListFilter> make_filter(const Context& context, const ListFlags& flags) {
  if (Status known = context.check_agents(flags.agents); !known) return known.error();
  const auto since = parse_time(context, "--since", flags.since);
  if (!since) return since.error();
  const auto until = parse_time(context, "--until", flags.until);
  if (!until) return until.error();
  search::ListFilter filter;
  filter.words = flags.words;
  flags.more.apply_to(filter);
  filter.projects = flags.projects;
  filter.agents = flags.agents;
  filter.since = *since;
  filter.until = *until;
  filter.subagents = flags.subagents;
  filter.automated = flags.automated;
  filter.limit = flags.limit;
  if (!flags.cursor.empty()) {
    const auto place = search::parse_cursor(flags.cursor);
    if (!place) {
      return Error{Errc::invalid_argument, "--cursor: " + place.error().message,
                   place.error().hint};
    }
    filter.after = *place;
  }
  filter.leave_out_empty = !context.globals.json;
  return filter;
}

// Does any session belong to the projects asked for, whatever the other filters say?
Result<bool> project_exists(search::Reader& reader, const ListFlags& flags) {
  search::ListFilter filter;
  filter.projects = flags.projects;
  filter.subagents = true;
  filter.automated = true;
  filter.limit = 1;
  const auto answer = reader.list(filter);
  if (!answer) return answer.error();
  return !answer->sessions.empty();
}

std::string shown_title(const store::SessionRow& session) {
  const std::string& prompt = session.facts.first_prompt;
  const bool says_nothing = session.title.empty() || session.title_kind == "slug";
  if (says_nothing && !prompt.empty()) return prompt;
  return session.title.empty() ? "(no title)" : session.title;
}

// "★ name: title #tag".
std::string marked_title(const search::ListAnswer& answer, const store::SessionRow& session) {
  const auto marks = answer.marks.find(session.uid);
  std::string title = shown_title(session);
  if (marks == answer.marks.end()) return title;
  const store::MarksOn& on = marks->second;
  if (!on.name.empty()) title.insert(0, on.name + ": ");
  if (on.starred) title.insert(0, "★ ");
  for (const std::string& tag : on.tags) title += " #" + tag;
  return title;
}

// "12", or "12+3" with turns that were superseded.
std::string turns_shown(const store::SessionRow& session) {
  std::string turns = count(session.facts.turn_count);
  if (session.superseded > 0) turns += "+" + count(session.superseded);
  return turns;
}

std::string list_text(const Context& context, const search::ListAnswer& answer,
                      const search::ShortIds& ids) {
  Table table({{"ID", false, Paint::cyan, 40, 0},
               {"AGE", true, Paint::dim, 6, 0},
               {"PROJECT", false, Paint::green, 20, 52},
               {"TURNS", true, Paint::dim, 7, 46},
               {"TITLE", false, Paint::plain, 1000, 0}});
  for (const store::SessionRow& session : answer.sessions) {
    table.add({ids.of(session.uid), short_age(session.facts.last_time, context.world.now),
               session.project, turns_shown(session), marked_title(answer, session)});
  }
  return table.render(context.columns(), context.style);
}

void add_remarks(const Context& context, const ListFlags& flags, const search::ListAnswer& answer) {
  if (answer.more) {
    context.note(fmt::format("The newest {} are shown, -n shows more.", count(flags.limit)));
  }
  if (answer.hidden_empty > 0) {
    context.note(plural(answer.hidden_empty, "empty session") + " left out.");
  }
  if (answer.hidden_subagents > 0) {
    context.note(fmt::format("{} hidden, --subagents shows {}.",
                             plural(answer.hidden_subagents, "sub-agent session"),
                             answer.hidden_subagents == 1 ? "it" : "them"));
  }
  if (answer.hidden_automated > 0) {
    context.note(fmt::format("{} hidden, --automated shows {}.",
                             plural(answer.hidden_automated, "automated session"),
                             answer.hidden_automated == 1 ? "it" : "them"));
  }
}

int run_list(Context& context, const ListFlags& flags) {
  const auto filter = make_filter(context, flags);
  if (!filter) return context.fail(filter.error());
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  auto answer = fresh->reader.list(*filter);
  if (!answer) return context.fail(answer.error());
  context.mask(*answer);

  if (answer->sessions.empty() && !flags.projects.empty()) {
    const auto exists = project_exists(fresh->reader, flags);
    if (!exists) return context.fail(exists.error());
    if (!*exists) {
      return context.fail(
          {Errc::not_found,
           fmt::format("No sessions found for project {}", fmt::join(flags.projects, ", ")),
           "yore projects lists them all"});
    }
  }
  if (context.globals.json) {
    print_json(context, service::to_json(*answer));
  } else if (!answer->sessions.empty()) {
    const auto ids = fresh->reader.short_ids();
    if (!ids) return context.fail(ids.error());
    context.page(list_text(context, *answer, *ids));
  }
  if (fresh->no_transcripts) {
    context.note(no_transcripts(context));
  } else if (answer->sessions.empty()) {
    const bool why = !answer->notes.empty();
    context.note(why ? fmt::format("{}", fmt::join(answer->notes, "\n")) : "No sessions match.");
  }
  if (!context.globals.json) add_remarks(context, flags, *answer);
  return kFound;
}

}  // namespace

Action declare_list(Options& options) {
  const auto flags = std::make_shared<ListFlags>();  // shared with the action that outlives us
  options.words("[WORDS...]", flags->words,
                "only sessions with each of these in title, first prompt, slug or project");
  declare_more_filters(options, flags->more);
  options.texts("-p,--project", "TEXT", flags->projects,
                "only projects whose name, folder or path contains TEXT (repeatable)");
  options.texts("-a,--agent", "NAME", flags->agents,
                "only sessions of this agent, as in yore agents (repeatable)");
  options.text("-s,--since", "WHEN", flags->since,
               "last active at or after: 2h, 3d, 2w, 6m, 1y, today, yesterday, 2026-01-31");
  options.text("-u,--until", "WHEN", flags->until, "last active before");
  options.number("-n,--limit", "N", flags->limit, 1,
                 fmt::format("at most so many sessions ({})", search::kSessionsListed));
  options.text("--cursor", "CURSOR", flags->cursor,
               "go on behind a page: next_cursor of its JSON, with the same filters");
  options.flag("--subagents", flags->subagents, "list the sessions of sub-agents too");
  options.flag("--automated", flags->automated, "list what nobody typed (timers, hooks) too");
  return [flags](Context& context) { return run_list(context, *flags); };
}

}  // namespace yore::cli
