// yore search: turns that match, best first.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/hit_text.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/search_notes.hpp"
#include "cli/time_options.hpp"
#include "service/search_answers.hpp"
#include "text/suggest.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

struct SearchFlags {
  std::string query;
  search::SearchRequest request;
  std::string since;
  std::string until;
  std::string mode{search::kModeNames.front()};
  std::string sort{search::kOrderNames.front()};
  std::string half_life;
  std::uint32_t limit = search::kHits;
  std::uint32_t per_session = search::kHitsPerSession;
  std::uint32_t max_chars = 0;
  bool no_refresh = false;
};

// Each value must be a known one; the error shows the closest or all of them.
Status check_values(std::string_view flag, const std::vector<std::string>& values,
                    std::span<const std::string_view> known) {
  for (const std::string& value : values) {
    if (std::ranges::find(known, value) != known.end()) continue;
    const std::string_view close = text::closest(value, known);
    return Error{Errc::invalid_argument, fmt::format("{}: there is no '{}'", flag, value),
                 close.empty() ? fmt::format("one of {}", fmt::join(known, ", "))
                               : fmt::format("did you mean {}?", close)};
  }
  return {};
}

Result<std::optional<double>> parse_half_life(std::string_view text) {
  if (text.empty()) return std::optional<double>{search::kHalfLifeDays};
  if (text == "off") return std::optional<double>{};
  double days = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), days);
  if (ec != std::errc{} || end != text.data() + text.size() || !(days > 0) ||
      !std::isfinite(days)) {
    return Error{Errc::invalid_argument,
                 fmt::format("--half-life: want a number of days above 0 or off, not '{}'", text),
                 "for example: --half-life 14"};
  }
  return std::optional<double>{days};
}

Result<search::SearchRequest> make_request(const Context& context, const SearchFlags& flags) {
  search::SearchRequest request = flags.request;
  request.query = flags.query;
  if (text::is_blank(request.query)) {
    return Error{Errc::invalid_argument, "Query required", "for example: yore search nginx 502"};
  }
  for (const Status& status : {context.check_agents(request.agents),
                               check_values("--type", request.types, search::kTypeNames),
                               check_values("--surface", request.surfaces, search::kSurfaceNames),
                               check_values("--mode", {flags.mode}, search::kModeNames)}) {
    if (!status) return status.error();
  }
  const auto since = parse_time(context, "--since", flags.since);
  if (!since) return since.error();
  const auto until = parse_time(context, "--until", flags.until);
  if (!until) return until.error();
  const auto half_life = parse_half_life(flags.half_life);
  if (!half_life) return half_life.error();
  request.since = *since;
  request.until = *until;
  request.half_life_days = *half_life;
  request.count_embedded = context.globals.json;
  request.beside = true;
  request.limit = search::page_size(flags.limit).rows;
  request.per_session = flags.per_session;
  request.mode = search::mode_named(flags.mode).value_or(request.mode);
  request.sort = search::order_named(flags.sort).value_or(request.sort);
  return request;
}

int show(const Context& context, const SearchFlags& flags, const search::SearchRequest& request,
         const OpenIndex& index, const search::SearchAnswer& answer) {
  const bool found = !answer.hits.empty();
  const int code = found ? kFound : kNothing;
  if (context.globals.json) {
    print_json(context, service::to_json(answer, flags.max_chars));
    return code;
  }
  if (found) context.page(hits_text(context, answer, flags.max_chars));
  print_notes(context, request, index, answer);
  if (!answer.closest.empty()) context.print(closest_text(context, answer, flags.max_chars));
  return code;
}

int run_search(Context& context, const SearchFlags& flags) {
  const auto request = make_request(context, flags);
  if (!request) return context.fail(request.error());
  using Refresh = OpenIndex::Refresh;
  auto index = OpenIndex::open(context, flags.no_refresh ? Refresh::none : Refresh::quick);
  if (!index) return context.fail(index.error());
  auto answer = index->search(*request);
  if (!answer) return context.fail(answer.error());
  if (search::page_size(flags.limit).reduced) {
    answer->notes.push_back(fmt::format("At most {} results are shown.", search::kMostRows));
  }
  const std::vector<std::string>& late = index->freshness().notes;
  answer->notes.insert(answer->notes.end(), late.begin(), late.end());
  const int code = show(context, flags, *request, *index, *answer);
  index->tidy_up();
  return code;
}

void declare_filters(Options& options, SearchFlags& flags) {
  search::SearchRequest& request = flags.request;
  options.texts("-p,--project", "TEXT", request.projects,
                "only projects whose name, folder or path contains TEXT (repeatable)");
  options.texts("-x,--exclude", "TEXT", request.exclude, "none of these projects (repeatable)");
  options.texts("-a,--agent", "NAME", request.agents,
                "only sessions of this agent, as in yore agents (repeatable)");
  options.text("-s,--since", "WHEN", flags.since,
               "last active at or after: 2h, 3d, 2w, 6m, 1y, today, yesterday, 2026-01-31");
  options.text("-u,--until", "WHEN", flags.until, "last active before");
  options.texts("-t,--type", "TYPE", request.types,
                fmt::format("only what was said here: {} (repeatable)",
                            search::joined(search::kTypeNames, " or ")));
  options.completes(search::kTypeNames);
  options.texts("--surface", "NAME", request.surfaces,
                fmt::format("finer: {} (repeatable)", search::joined(search::kSurfaceNames)));
  options.completes(search::kSurfaceNames);
  options.text("--session", "ID", request.session, "only this session");
  options.text("--branch", "TEXT", request.branch, "only turns on such a git branch");
  options.text("--model", "TEXT", request.model, "only turns of such a model");
  options.text("--file", "TEXT", request.file, "only turns that touched such a file");
  options.text("--tool", "NAME", request.tool, "only turns that used this tool");
  options.flag("--has-tool", request.has_tool, "only turns that used any tool");
  options.flag("--subagents", request.subagents, "search the sessions of sub-agents too");
  options.flag("--automated", request.automated,
               "search what nobody typed (timers, hooks, polls) too");
}

}  // namespace

Action declare_search(Options& options) {
  const auto flags = std::make_shared<SearchFlags>();  // shared with the action that outlives us
  options.rest(
      "QUERY...", flags->query,
      fmt::format("words, \"a phrase\", +must, -not, begin*, {}:NAME, {}: has:tool; words that "
                  "begin with - go behind --",
                  search::kFieldNames.front(),
                  fmt::join(search::kFieldNames.begin() + 1, search::kFieldNames.end(), ": ")));
  declare_filters(options, *flags);
  options.number(
      "-n,--limit", "N", flags->limit, 1,
      fmt::format("at most so many results ({}), up to {}", search::kHits, search::kMostRows));
  options.text("--mode", "MODE", flags->mode,
               fmt::format("{} (by words and meaning), {} or {}", search::kModeNames[0],
                           search::kModeNames[1], search::kModeNames[2]));
  options.completes(search::kModeNames);
  options.choice("--sort", "ORDER", flags->sort,
                 {search::kOrderNames.begin(), search::kOrderNames.end()},
                 search::joined(search::kOrderNames, " or "));
  options.text("--half-life", "DAYS", flags->half_life,
               fmt::format("days until half of the bonus for being new is gone ({}), or off",
                           search::kHalfLifeDays));
  options.number("--per-session", "N", flags->per_session, 0,
                 fmt::format("at most so many results of one session ({}); 0: as many as there are",
                             search::kHitsPerSession));
  options.number("-C,--context", "N", flags->request.context, 0, "show N turns around a result");
  options.number("--max-chars", "N", flags->max_chars, 1, "cut messages to so many characters");
  options.flag("--explain", flags->request.explain, "show how each score came about");
  options.flag("--facets", flags->request.facets,
               "with --json: also counts over all that was found, and over time");
  options.flag("--no-refresh", flags->no_refresh, "search the index as it is");
  return [flags](Context& context) { return run_search(context, *flags); };
}

}  // namespace yore::cli
