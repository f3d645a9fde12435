#include "cli/search_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cli/time_options.hpp"
#include "text/suggest.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

// Where the value of each flag is kept; the tables are all that writing down and reading back know.
template <typename Value>
struct FlagRow {
  std::string_view flag;
  Value& (*of)(SearchFlags& flags);
};
using Texts = std::vector<std::string>;

constexpr std::array kListRows = {
    FlagRow<Texts>{"--project", [](SearchFlags& f) -> Texts& { return f.request.projects; }},
    FlagRow<Texts>{"--exclude", [](SearchFlags& f) -> Texts& { return f.request.exclude; }},
    FlagRow<Texts>{"--agent", [](SearchFlags& f) -> Texts& { return f.request.agents; }},
    FlagRow<Texts>{"--type", [](SearchFlags& f) -> Texts& { return f.request.types; }},
    FlagRow<Texts>{"--surface", [](SearchFlags& f) -> Texts& { return f.request.surfaces; }},
    FlagRow<Texts>{"--tag", [](SearchFlags& f) -> Texts& { return f.more.tags; }},
};
constexpr std::array kTextRows = {
    FlagRow<std::string>{"--since", [](SearchFlags& f) -> std::string& { return f.since; }},
    FlagRow<std::string>{"--until", [](SearchFlags& f) -> std::string& { return f.until; }},
    FlagRow<std::string>{"--session",
                         [](SearchFlags& f) -> std::string& { return f.request.session; }},
    FlagRow<std::string>{"--branch",
                         [](SearchFlags& f) -> std::string& { return f.request.branch; }},
    FlagRow<std::string>{"--model", [](SearchFlags& f) -> std::string& { return f.request.model; }},
    FlagRow<std::string>{"--file", [](SearchFlags& f) -> std::string& { return f.request.file; }},
    FlagRow<std::string>{"--tool", [](SearchFlags& f) -> std::string& { return f.request.tool; }},
    FlagRow<std::string>{"--mode", [](SearchFlags& f) -> std::string& { return f.mode; }},
    FlagRow<std::string>{"--sort", [](SearchFlags& f) -> std::string& { return f.sort; }},
    FlagRow<std::string>{"--half-life", [](SearchFlags& f) -> std::string& { return f.half_life; }},
    // What --here stands for.
    FlagRow<std::string>{"--folder",
                         [](SearchFlags& f) -> std::string& { return f.request.folder; }},
};
constexpr std::array kNumberRows = {
    FlagRow<std::uint32_t>{"--limit", [](SearchFlags& f) -> std::uint32_t& { return f.limit; }},
    FlagRow<std::uint32_t>{"--per-session",
                           [](SearchFlags& f) -> std::uint32_t& { return f.per_session; }},
};
constexpr std::array kSwitchRows = {
    FlagRow<bool>{"--has-tool", [](SearchFlags& f) -> bool& { return f.request.has_tool; }},
    FlagRow<bool>{"--starred", [](SearchFlags& f) -> bool& { return f.more.starred; }},
    FlagRow<bool>{"--superseded", [](SearchFlags& f) -> bool& { return f.more.superseded; }},
    FlagRow<bool>{"--subagents", [](SearchFlags& f) -> bool& { return f.request.subagents; }},
    FlagRow<bool>{"--automated", [](SearchFlags& f) -> bool& { return f.request.automated; }},
};

template <typename Rows>
auto row_named(const Rows& rows, std::string_view flag) {
  return std::ranges::find_if(rows, [&](const auto& row) { return row.flag == flag; });
}

void take_value(SearchFlags& flags, std::string_view flag, const std::string& value) {
  if (const auto row = row_named(kListRows, flag); row != kListRows.end()) {
    row->of(flags).push_back(value);
  }
  if (const auto row = row_named(kTextRows, flag); row != kTextRows.end()) row->of(flags) = value;
  if (const auto row = row_named(kNumberRows, flag); row != kNumberRows.end()) {
    std::from_chars(value.data(), value.data() + value.size(), row->of(flags));
  }
}

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

}  // namespace

Result<search::SearchRequest> make_request(const Context& context, const SearchFlags& flags) {
  search::SearchRequest request = flags.request;
  request.query = flags.query;
  flags.more.apply_to(request);
  const bool narrowed =
      search::has_filters(request) || !flags.since.empty() || !flags.until.empty();
  if (text::is_blank(request.query) && !narrowed) {
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
  declare_more_filters(options, flags.more);
  options.flag("--subagents", request.subagents, "search the sessions of sub-agents too");
  options.flag("--automated", request.automated,
               "search what nobody typed (timers, hooks, polls) too");
}

void declare_question(Options& options, SearchFlags& flags) {
  options.rest(
      "QUERY...", flags.query,
      fmt::format("words, \"a phrase\", +must, -not, begin*, {}:NAME, {}: {}; filters alone: the "
                  "newest first; words that begin with - go behind --",
                  search::kFieldNames.front(),
                  fmt::join(search::kFieldNames.begin() + 1, search::kFieldNames.end(), ": "),
                  fmt::join(search::kStateNames, " ")));
  declare_filters(options, flags);
  options.number(
      "-n,--limit", "N", flags.limit, 1,
      fmt::format("at most so many results ({}), up to {}", search::kHits, search::kMostRows));
  options.text("--mode", "MODE", flags.mode,
               fmt::format("{} (by words and meaning), {} or {}", search::kModeNames[0],
                           search::kModeNames[1], search::kModeNames[2]));
  options.completes(search::kModeNames);
  options.choice("--sort", "ORDER", flags.sort,
                 {search::kOrderNames.begin(), search::kOrderNames.end()},
                 search::joined(search::kOrderNames, " or "));
  options.text("--half-life", "DAYS", flags.half_life,
               fmt::format("days until half of the bonus for being new is gone ({}), or off",
                           search::kHalfLifeDays));
  options.number("--per-session", "N", flags.per_session, 0,
                 fmt::format("at most so many results of one session ({}); 0: as many as there are",
                             search::kHitsPerSession));
  options.number("-C,--context", "N", flags.request.context, 0, "show N turns around a result");
  options.number("--max-chars", "N", flags.max_chars, 1, "cut messages to so many characters");
  options.flag("--explain", flags.request.explain, "show how each score came about");
  options.flag("--facets", flags.request.facets,
               "with --json: also counts over all that was found, and over time");
}

std::vector<std::string> words_of(const SearchFlags& flags) {
  SearchFlags given = flags;
  SearchFlags usual;
  if (given.more.here) given.request.folder = given.more.folder();
  std::vector<std::string> words;
  const auto add = [&](std::string_view flag, std::string value) {
    words.emplace_back(flag);
    words.push_back(std::move(value));
  };
  for (const auto& row : kListRows) {
    for (const std::string& value : row.of(given)) add(row.flag, value);
  }
  for (const auto& row : kTextRows) {
    if (row.of(given) != row.of(usual)) add(row.flag, row.of(given));
  }
  for (const auto& row : kNumberRows) {
    if (row.of(given) != row.of(usual)) add(row.flag, std::to_string(row.of(given)));
  }
  for (const auto& row : kSwitchRows) {
    if (row.of(given)) words.emplace_back(row.flag);
  }
  return words;
}

SearchFlags flags_of(const std::vector<std::string>& words) {
  SearchFlags flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (const auto row = row_named(kSwitchRows, word); row != kSwitchRows.end()) {
      row->of(flags) = true;
      continue;
    }
    if (i + 1 == words.size()) break;
    take_value(flags, word, words[++i]);
  }
  return flags;
}

}  // namespace yore::cli
