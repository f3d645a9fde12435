#include "service/stats.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hash.hpp"
#include "derive/keyword_index.hpp"
#include "lexical/format/snapshot.hpp"
#include "lexical/search/search.hpp"
#include "service/prices.hpp"
#include "text/utf8.hpp"

namespace yore::service {
namespace {

using std::chrono::sys_days;
using store::SessionId;
using store::SessionRow;
using store::Standing;

struct KnownOfSession {
  std::int64_t counts_as = 0;  // the session that a turn of it counts for
  std::string agent;
  std::string project;
  std::string model;     // that its transcript names last
  bool several = false;  // a turn of it names another
  bool typed = true;     // by a person
  bool stands = true;    // no edition
};

// One turn, as it counts.
struct Counted {
  const KnownOfSession* session = nullptr;
  std::int64_t in = 0;  // session of the store
  std::uint32_t number = 0;
  Time time = kNoTime;
  bool typed = true;
  std::string model;
  std::optional<transcript::Usage> usage;
};

// Which of two copies counts?
bool says_more(const Counted& a, const Counted& b) {
  if (a.session->stands != b.session->stands) return a.session->stands;
  if (a.usage.has_value() != b.usage.has_value()) return a.usage.has_value();
  if (a.usage && a.usage->output_tokens != b.usage->output_tokens) {
    return a.usage->output_tokens > b.usage->output_tokens;
  }
  return a.in < b.in;
}

bool is_in(const SessionRow& session, const StatsFilter& filter) {
  const auto named = [&](const std::string& text) { return text::iequals(text, session.agent); };
  if (!filter.agents.empty() && std::ranges::none_of(filter.agents, named)) return false;
  return filter.projects.empty() || std::ranges::any_of(filter.projects, [&](const auto& text) {
           return text::icontains(session.project, text) ||
                  text::icontains(session.directory, text) ||
                  text::icontains(session.project_path, text);
         });
}

using Sessions = std::unordered_map<SessionId, KnownOfSession>;

Result<Sessions> sessions_in(search::Reader& reader, const StatsFilter& filter) {
  Sessions sessions;
  std::unordered_map<std::string, std::int64_t> by_uid;
  std::vector<std::pair<SessionId, std::string>> subagents;
  const Status status = reader.store().each_searchable([&](SessionRow&& session) {
    if (session.standing == Standing::note || !is_in(session, filter)) return true;
    if (!reader.scope().allows(session.id, session.root, session.directory)) return true;
    const bool subagent = session.kind == transcript::SessionKind::subagent;
    const std::int64_t own = store::number(session.id);
    KnownOfSession& known = sessions[session.id];
    known.counts_as = session.base == SessionId{} ? own : store::number(session.base);
    known.agent = std::move(session.agent);
    known.project = std::move(session.project);
    known.model = std::move(session.facts.model);
    known.typed = !subagent && !session.automated;
    known.stands = session.standing != Standing::edition;
    if (subagent) subagents.emplace_back(session.id, std::move(session.parent));
    by_uid.emplace(std::move(session.uid), own);
    return true;
  });
  if (!status) return status.error();
  for (const auto& [id, parent] : subagents) {
    const auto found = by_uid.find(parent);
    if (found != by_uid.end()) sessions[id].counts_as = found->second;
  }
  return sessions;
}

// The turns that count, each once. Some agents name the model beside the turns: it is that of all
// of them when none names another.
Result<std::vector<Counted>> turns_in(search::Reader& reader, Sessions& sessions,
                                      const StatsFilter& filter, std::uint64_t& copies) {
  std::vector<Counted> turns;
  std::unordered_map<std::uint64_t, std::size_t> places;
  const Status status = reader.store().each_turn([&](SessionId id, turns::Turn&& turn) {
    const auto session = sessions.find(id);
    if (session == sessions.end() || turn.forgotten) return;
    KnownOfSession& known = session->second;
    if (!turn.model.empty() && turn.model != known.model) known.several = true;
    if (filter.since && turn.last_time < *filter.since) return;
    if (filter.until && turn.last_time >= *filter.until) return;
    Counted one{&known,
                store::number(id),
                turn.number,
                turn.first_time == kNoTime ? turn.last_time : turn.first_time,
                known.typed && !turn.automated && !turn.scripted,
                std::move(turn.model),
                turn.usage};
    const std::string mark = std::to_string(turn.origin) + "@" + std::to_string(to_ms(one.time));
    const auto [place, is_new] = places.emplace(hash64(mark), turns.size());
    if (is_new || turn.origin == 0) {
      turns.push_back(std::move(one));
      return;
    }
    ++copies;
    Counted& before = turns[place->second];
    if (says_more(one, before)) before = std::move(one);
  });
  if (!status) return status.error();
  for (Counted& turn : turns) {
    if (turn.model.empty() && !turn.session->several) turn.model = turn.session->model;
  }
  return turns;
}

// Figures of one group, and whose sessions have been counted in them.
struct Group {
  Figures figures;
  std::unordered_set<std::int64_t> sessions;

  void add(const Counted& turn, const std::optional<double>& cost) {
    sessions.insert(turn.session->counts_as);
    ++figures.turns;
    if (turn.typed) ++figures.prompts;
    if (!turn.usage) return;
    ++figures.counted;
    figures.tokens.input_tokens += turn.usage->input_tokens;
    figures.tokens.output_tokens += turn.usage->output_tokens;
    figures.tokens.cache_read_tokens += turn.usage->cache_read_tokens;
    figures.tokens.cache_write_tokens += turn.usage->cache_write_tokens;
    if (!cost) return;
    ++figures.priced;
    figures.cost += *cost;
  }
  [[nodiscard]] Figures finished() const {
    Figures done = figures;
    done.sessions = sessions.size();
    return done;
  }
};

using ByName = std::map<std::string, Group>;
using ByDay = std::map<sys_days, Group>;

std::vector<StatsRow> rows(const ByName& groups) {
  std::vector<StatsRow> all;
  for (const auto& [name, group] : groups) all.push_back({name, group.finished()});
  std::ranges::stable_sort(all, std::greater{},
                           [](const StatsRow& row) { return row.figures.turns; });
  return all;
}

std::vector<DayRow> rows(const ByDay& groups) {
  std::vector<DayRow> all;
  for (const auto& [day, group] : groups) all.push_back({day, group.finished()});
  return all;
}

// How many of the turns used each tool; nullopt: there is no keyword index to tell.
Result<std::optional<std::vector<ToolRow>>> tools_of(const config::Settings& settings,
                                                     const std::vector<Counted>& turns) {
  using Tools = std::optional<std::vector<ToolRow>>;
  const auto snapshot = lexical::Snapshot::open(derive::keyword_directory(settings.data_dir), {});
  if (!snapshot && snapshot.error().code == Errc::not_found) return Tools{};
  if (!snapshot) return snapshot.error();
  std::unordered_set<std::uint64_t> wanted;
  const auto mark = [](std::int64_t session, std::uint32_t number) {
    return static_cast<std::uint64_t>(session) << 32 | number;
  };
  for (const Counted& turn : turns) wanted.insert(mark(turn.in, turn.number));
  const lexical::Catalog& catalog = (*snapshot)->catalog();
  lexical::TurnSet among(catalog.turns().size());
  for (lexical::TurnOrd ord = 0; ord < catalog.turns().size(); ++ord) {
    const lexical::TurnRow& row = catalog.turns()[ord];
    if ((row.flags & lexical::kTurnGone) != 0) continue;
    if (wanted.contains(mark(catalog.sessions()[row.session].store_id, row.number))) among.add(ord);
  }
  std::vector<ToolRow> tools;
  const auto add = [&](std::string_view name, std::uint64_t count) {
    tools.push_back({std::string(name), count});
  };
  const Status status = lexical::count_marked(**snapshot, lexical::Marker::tool, among, add);
  if (!status) return status.error();
  std::ranges::stable_sort(tools, std::greater{}, &ToolRow::turns);
  return Tools{std::move(tools)};
}

Json figures_json(const Figures& figures) {
  Json json = {{"sessions", figures.sessions},
               {"turns", figures.turns},
               {"prompts", figures.prompts},
               {"tokens", nullptr},
               {"cost_usd", nullptr},
               {"turns_with_tokens", figures.counted},
               {"turns_with_cost", figures.priced}};
  if (figures.counted > 0) {
    json["tokens"] = {{"input", figures.tokens.input_tokens},
                      {"output", figures.tokens.output_tokens},
                      {"cache_read", figures.tokens.cache_read_tokens},
                      {"cache_write", figures.tokens.cache_write_tokens}};
  }
  if (figures.priced > 0) json["cost_usd"] = std::round(figures.cost * 1e4) / 1e4;
  return json;
}

Json rows_json(std::string_view key, const std::vector<StatsRow>& all) {
  Json json = Json::array();
  for (const StatsRow& row : all) {
    Json each = {{key, row.name.empty() ? Json(nullptr) : Json(row.name)}};
    each.update(figures_json(row.figures));
    json.push_back(std::move(each));
  }
  return json;
}

Json rows_json(std::string_view key, const std::vector<DayRow>& all) {
  Json json = Json::array();
  for (const DayRow& row : all) {
    Json each = {{key, day_name(row.first)}};
    each.update(figures_json(row.figures));
    json.push_back(std::move(each));
  }
  return json;
}

}  // namespace

Result<Stats> stats_of(search::Reader& reader, const config::Settings& settings,
                       const StatsFilter& filter, std::chrono::seconds local_offset) {
  Stats stats;
  auto sessions = sessions_in(reader, filter);
  if (!sessions) return sessions.error();
  const auto turns = turns_in(reader, *sessions, filter, stats.copies);
  if (!turns) return turns.error();
  const PriceTable prices(settings.prices);
  std::unordered_map<std::string, std::optional<config::ModelPrice>> priced;
  Group all;
  ByName agents, projects, models;
  ByDay days, weeks, months;
  for (const Counted& turn : *turns) {
    auto [price, is_new] = priced.try_emplace(turn.model);
    if (is_new) price->second = prices.of(turn.model);
    std::optional<double> cost;
    if (turn.usage && price->second) cost = cost_of(*turn.usage, *price->second);
    for (Group* group : {&all, &agents[turn.session->agent], &projects[turn.session->project],
                         &models[turn.model]}) {
      group->add(turn, cost);
    }
    if (turn.time == kNoTime) {
      ++stats.undated;
      continue;
    }
    const auto local = turn.time + local_offset;
    const sys_days day = std::chrono::floor<std::chrono::days>(local);
    const std::chrono::year_month_day date(day);
    const auto weekday = std::chrono::weekday(day) - std::chrono::Monday;
    const auto hour = std::chrono::floor<std::chrono::hours>(local - day).count();
    ++stats.hours.at(static_cast<std::size_t>(weekday.count())).at(static_cast<std::size_t>(hour));
    for (Group* group :
         {&days[day], &weeks[day - weekday], &months[date.year() / date.month() / 1]}) {
      group->add(turn, cost);
    }
  }
  stats.all = all.finished();
  stats.agents = rows(agents);
  stats.projects = rows(projects);
  stats.models = rows(models);
  stats.days = rows(days);
  stats.weeks = rows(weeks);
  stats.months = rows(months);
  auto tools = tools_of(settings, *turns);
  if (!tools) return tools.error();
  stats.tools_known = tools->has_value();
  if (*tools) stats.tools = std::move(**tools);
  return stats;
}

std::string day_name(sys_days day) {
  return format_iso8601(Time{day}).substr(0, 10);
}

Json to_json(const Stats& stats) {
  Json tools = nullptr;
  if (stats.tools_known) {
    tools = Json::array();
    for (const ToolRow& row : stats.tools) {
      tools.push_back({{"tool", row.name}, {"turns", row.turns}});
    }
  }
  return {{"total", figures_json(stats.all)},
          {"days", rows_json("day", stats.days)},
          {"weeks", rows_json("week", stats.weeks)},
          {"months", rows_json("month", stats.months)},
          {"agents", rows_json("agent", stats.agents)},
          {"projects", rows_json("project", stats.projects)},
          {"models", rows_json("model", stats.models)},
          {"tools", std::move(tools)},
          {"hours", stats.hours},
          {"copies", stats.copies},
          {"undated", stats.undated},
          {"prices_as_of", kPricesAsOf}};
}

}  // namespace yore::service
