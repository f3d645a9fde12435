// yore stats: what was done, when, where and with what.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/refresh.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/table.hpp"
#include "cli/time_options.hpp"
#include "service/stats.hpp"
#include "service/stats_picture.hpp"

namespace yore::cli {
namespace {

using service::Figures;
using service::Stats;
using std::chrono::sys_days;

struct StatsFlags {
  service::StatsFilter filter;
  std::string since;
  std::string until;
  std::string by;
  std::string svg;
  std::string html;
  bool force = false;
};

constexpr std::size_t kFewRows = 8;
constexpr std::array<std::string_view, 7> kGroups = {"day",     "week",  "month", "agent",
                                                     "project", "model", "tool"};

std::string tokens_of(const Figures& figures) {
  return figures.counted == 0 ? "unknown" : service::short_count(figures.all_tokens());
}

// One line: turns of the last weeks, as many as there is room for.
std::string sparkline(const Stats& stats, sys_days today, std::size_t columns) {
  constexpr std::array<std::string_view, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const service::YearOfDays year = service::year_of_days(stats, today);
  std::vector<std::uint64_t> weeks((year.turns.size() + 6) / 7);
  for (std::size_t i = 0; i < year.turns.size(); ++i) weeks[i / 7] += year.turns[i];
  if (weeks.size() > columns)
    weeks.erase(weeks.begin(), weeks.end() - static_cast<std::ptrdiff_t>(columns));
  const std::uint64_t most = *std::ranges::max_element(weeks);
  std::string line;
  for (const std::uint64_t count : weeks) {
    line += count == 0 ? " " : kBars.at(static_cast<std::size_t>((count * 8 - 1) / most));
  }
  return line;
}

// A row per weekday, a column per week, as many of the last year as there is room for.
std::string heatmap(const Context& context, const Stats& stats, sys_days today) {
  constexpr std::array<std::string_view, 5> kShades = {"·", "░", "▒", "▓", "█"};
  constexpr std::array<std::string_view, 7> kDays = {"Mon", "", "Wed", "", "Fri", "", "Sun"};
  const service::YearOfDays year = service::year_of_days(stats, today);
  const std::size_t weeks = (year.turns.size() + 6) / 7;
  constexpr std::size_t kMargin = 5;
  const std::size_t room = context.columns() > kMargin + 8 ? context.columns() - kMargin : 8;
  const std::size_t first = weeks > room ? weeks - room : 0;
  std::string out;
  for (std::size_t day = 0; day < 7; ++day) {
    std::string line;
    for (std::size_t week = first; week < weeks; ++week) {
      const std::size_t at = week * 7 + day;
      if (at >= year.turns.size()) break;
      const int shade = service::shade_of(year.turns[at], year.most);
      line += context.style(shade == 0 ? Paint::dim : Paint::green,
                            kShades.at(static_cast<std::size_t>(shade)));
    }
    out +=
        fmt::format("{}{}\n", context.style(Paint::dim, fmt::format("{:<5}", kDays.at(day))), line);
  }
  return out;
}

std::string figures_table(const Context& context, std::string_view heading,
                          const std::vector<service::StatsRow>& rows, std::size_t most) {
  Table table({{std::string(heading), false, Paint::green, 40, 0},
               {"SESSIONS", true, Paint::plain, 10, 60},
               {"TURNS", true, Paint::plain, 10, 0},
               {"PROMPTS", true, Paint::plain, 10, 70},
               {"TOKENS", true, Paint::plain, 10, 0},
               {"COST", true, Paint::plain, 22, 50}});
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
    const Figures& figures = rows[i].figures;
    table.add({rows[i].name.empty() ? "(not known)" : rows[i].name, count(figures.sessions),
               count(figures.turns), count(figures.prompts), tokens_of(figures),
               service::cost_text(figures)});
  }
  std::string out = table.render(context.columns(), context.style);
  if (rows.size() > most) {
    out += context.style(Paint::dim, fmt::format("and {} more\n", count(rows.size() - most)));
  }
  return out;
}

std::string tools_table(const Context& context, const Stats& stats, std::size_t most) {
  if (!stats.tools_known) return "Which tools were used is not known yet: yore index\n";
  Table table({{"TOOL", false, Paint::green, 40, 0}, {"TURNS", true, Paint::plain, 10, 0}});
  for (std::size_t i = 0; i < std::min(stats.tools.size(), most); ++i) {
    table.add({stats.tools[i].name, count(stats.tools[i].turns)});
  }
  std::string out = table.render(context.columns(), context.style);
  if (stats.tools.size() > most) {
    out +=
        context.style(Paint::dim, fmt::format("and {} more\n", count(stats.tools.size() - most)));
  }
  return out;
}

// Newest first.
std::vector<service::StatsRow> named_rows(const std::vector<service::DayRow>& rows) {
  std::vector<service::StatsRow> out;
  for (const service::DayRow& row : rows) {
    out.push_back({service::day_name(row.first), row.figures});
  }
  std::ranges::reverse(out);
  return out;
}

std::string table_by(const Context& context, const Stats& stats, std::string_view by,
                     std::size_t most) {
  if (by == "day") return figures_table(context, "DAY", named_rows(stats.days), most);
  if (by == "week") return figures_table(context, "WEEK FROM", named_rows(stats.weeks), most);
  if (by == "month") return figures_table(context, "MONTH FROM", named_rows(stats.months), most);
  if (by == "agent") return figures_table(context, "AGENT", stats.agents, most);
  if (by == "project") return figures_table(context, "PROJECT", stats.projects, most);
  if (by == "model") return figures_table(context, "MODEL", stats.models, most);
  return tools_table(context, stats, most);
}

std::string overview(const Context& context, const Stats& stats, sys_days today) {
  const Figures& all = stats.all;
  std::string out = fmt::format("{} in {}, {}\n", plural(all.turns, "turn"),
                                plural(all.sessions, "session"), plural(all.prompts, "prompt"));
  out += fmt::format("tokens  {}", tokens_of(all));
  constexpr std::size_t kWide = 70;
  if (all.counted > 0 && context.columns() >= kWide) {
    out += fmt::format(" ({} in, {} out, {} from cache, {} to cache)",
                       service::short_count(all.tokens.input_tokens),
                       service::short_count(all.tokens.output_tokens),
                       service::short_count(all.tokens.cache_read_tokens),
                       service::short_count(all.tokens.cache_write_tokens));
  }
  if (all.counted < all.turns) {
    out += fmt::format("; not known of {}", plural(all.turns - all.counted, "turn"));
  }
  out += fmt::format("\ncost    {}\n\n", service::cost_text(all));
  out += fmt::format("{}{}\n\n", context.style(Paint::dim, "week  "),
                     context.style(Paint::green, sparkline(stats, today, context.columns() - 6)));
  out += heatmap(context, stats, today) + "\n";
  for (const std::string_view by : {"agent", "project", "model", "tool", "week"}) {
    out += table_by(context, stats, by, kFewRows) + "\n";
  }
  out.pop_back();
  return out;
}

Result<service::StatsFilter> make_filter(const Context& context, const StatsFlags& flags) {
  service::StatsFilter filter = flags.filter;
  if (Status known = context.check_agents(filter.agents); !known) return known.error();
  const auto since = parse_time(context, "--since", flags.since);
  if (!since) return since.error();
  const auto until = parse_time(context, "--until", flags.until);
  if (!until) return until.error();
  filter.since = *since;
  filter.until = *until;
  return filter;
}

Status write_picture(const Context& context, const std::string& path, const std::string& text,
                     bool force) {
  const std::string home = context.home();
  const std::string target = absolute_path(expand_home(path, home));
  if (look_at(target).there && !is_regular_file(target)) {
    return Error{Errc::invalid_argument, path + " is no regular file"};
  }
  if (look_at(target).there && !force) {
    return Error{Errc::invalid_argument, path + " is there already", "--force replaces it"};
  }
  if (Status written = write_file_atomically(target, context.mask.text(text)); !written) {
    return Error{Errc::io, written.error().message};
  }
  context.note("written: " + path);
  return {};
}

int run_stats(Context& context, const StatsFlags& flags) {
  if (context.globals.reveal && !(flags.svg.empty() && flags.html.empty())) {
    return context.fail({Errc::invalid_argument, "--reveal shows secrets on a terminal only",
                         "files are always masked"});
  }
  const auto filter = make_filter(context, flags);
  if (!filter) return context.fail(filter.error());
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  auto stats =
      service::stats_of(fresh->reader, context.settings, *filter, context.world.local_offset);
  if (!stats) return context.fail(stats.error());
  context.mask(*stats);
  const sys_days today =
      std::chrono::floor<std::chrono::days>(context.world.now + context.world.local_offset);
  if (!flags.svg.empty()) {
    const Status done =
        write_picture(context, flags.svg, service::stats_svg(*stats, today), flags.force);
    if (!done) return context.fail(done.error());
  }
  if (!flags.html.empty()) {
    const Status done =
        write_picture(context, flags.html, service::stats_html(*stats, today), flags.force);
    if (!done) return context.fail(done.error());
  }
  if (context.globals.json) {
    print_json(context, service::to_json(*stats));
  } else if (stats->all.turns == 0) {
    context.note(fresh->no_transcripts ? no_transcripts(context) : "Nothing was said there.");
  } else if (!flags.by.empty()) {
    context.print(table_by(context, *stats, flags.by, SIZE_MAX));
  } else if (flags.svg.empty() && flags.html.empty()) {
    context.print(overview(context, *stats, today));
  }
  return stats->all.turns == 0 ? kNothing : kFound;
}

}  // namespace

Action declare_stats(Options& options) {
  const auto flags = std::make_shared<StatsFlags>();  // shared with the action that outlives us
  options.texts("-p,--project", "TEXT", flags->filter.projects,
                "only projects whose name, folder or path contains TEXT (repeatable)");
  options.texts("-a,--agent", "NAME", flags->filter.agents,
                "only sessions of this agent, as in yore agents (repeatable)");
  options.text("-s,--since", "WHEN", flags->since,
               "last active at or after: 2h, 3d, 2w, 6m, 1y, today, yesterday, 2026-01-31");
  options.text("-u,--until", "WHEN", flags->until, "last active before");
  options.choice("--by", "GROUP", flags->by, {kGroups.begin(), kGroups.end()},
                 "one table in full: day, week, month, agent, project, model or tool");
  options.text("--svg", "FILE", flags->svg, "write a picture");
  options.text("--html", "FILE", flags->html, "write a page: the picture and the tables");
  options.flag("--force", flags->force, "replace files that are there already");
  return [flags](Context& context) { return run_stats(context, *flags); };
}

}  // namespace yore::cli
