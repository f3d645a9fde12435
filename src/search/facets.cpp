#include "search/facets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "lexical/format/marker.hpp"
#include "search/vocabulary.hpp"

namespace yore::search {
namespace {

using lexical::Catalog;
using lexical::TurnOrd;
using lexical::TurnSet;
using std::chrono::sys_days;

constexpr std::array<std::string_view, 4> kUnitNames = {"day", "week", "month", "year"};
constexpr std::size_t kMostBars = 100;

// One of each set of copies: the first in the order of answers, whatever number its row has.
class Distinct {
 public:
  Distinct(const Catalog& catalog, std::size_t turns)
      : catalog_(catalog), slots_(std::bit_ceil(2 * turns + 1), kFree) {}

  // False: a copy has been there. `turn` takes its place when it comes first.
  bool add(TurnOrd turn) {
    const std::uint64_t origin = catalog_.turns()[turn].origin;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (origin * kGolden >> 20) & mask;; at = (at + 1) & mask) {
      if (slots_[at] == kFree) {
        slots_[at] = turn;
        return true;
      }
      if (catalog_.turns()[slots_[at]].origin != origin) continue;
      if (lexical::comes_first(catalog_, turn, slots_[at])) slots_[at] = turn;
      return false;
    }
  }
  template <typename Visit>
  void each(const Visit& visit) const {
    for (const TurnOrd turn : slots_) {
      if (turn != kFree) visit(turn);
    }
  }

 private:
  static constexpr TurnOrd kFree = ~TurnOrd{0};
  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  const Catalog& catalog_;
  std::vector<TurnOrd> slots_;
};

// Turns of one set that are left when copies are taken out.
TurnSet without_copies(const Catalog& catalog, const std::vector<std::uint16_t>& tags) {
  const auto matched =
      static_cast<std::size_t>(std::ranges::count_if(tags, [](auto each) { return each != 0; }));
  TurnSet kept(catalog.turns().size());
  Distinct distinct(catalog, matched);
  for (TurnOrd turn = 0; turn < tags.size(); ++turn) {
    if (tags[turn] == 0) continue;
    if (catalog.turns()[turn].origin == 0) {
      kept.add(turn);
    } else {
      distinct.add(turn);
    }
  }
  distinct.each([&](TurnOrd turn) { kept.add(turn); });
  return kept;
}

Facet facet_of(std::string_view name, std::vector<FacetValue> values) {
  std::erase_if(values, [](const FacetValue& each) { return each.count == 0; });
  std::ranges::sort(values, [](const FacetValue& a, const FacetValue& b) {
    return a.count != b.count ? a.count > b.count : a.value < b.value;
  });
  Facet facet{name, std::move(values), 0};
  if (facet.values.size() > kFacetValues) {
    facet.left_out = facet.values.size() - kFacetValues;
    facet.values.resize(kFacetValues);
  }
  return facet;
}

// Counts by the number of a name.
class NameCounts {
 public:
  explicit NameCounts(const Catalog& catalog) : catalog_(catalog), counts_(catalog.names()) {}
  void add(lexical::NameId name, std::uint64_t count = 1) { counts_[name] += count; }
  [[nodiscard]] Facet facet(std::string_view name) const {
    std::vector<FacetValue> values;
    for (std::size_t id = 1; id < counts_.size(); ++id) {  // 0 is "": not known
      if (counts_[id] == 0) continue;
      const std::string_view text = catalog_.name(static_cast<lexical::NameId>(id));
      values.push_back({std::string(text), counts_[id]});
    }
    return facet_of(name, std::move(values));
  }

 private:
  const Catalog& catalog_;
  std::vector<std::uint64_t> counts_;
};

sys_days bar_of(sys_days day, HistogramUnit unit) {
  const std::chrono::year_month_day date(day);
  switch (unit) {
    case HistogramUnit::day:
      return day;
    case HistogramUnit::week:  // begins on Monday
      return day - (std::chrono::weekday(day) - std::chrono::Monday);
    case HistogramUnit::month:
      return date.year() / date.month() / 1;
    case HistogramUnit::year:
      return date.year() / std::chrono::January / 1;
  }
  return day;
}

// The finest unit of which kMostBars reach from the first day to the last.
HistogramUnit unit_for(sys_days first, sys_days last) {
  const auto span = static_cast<std::size_t>((last - first).count()) + 1;
  constexpr std::pair<std::size_t, HistogramUnit> kUnits[] = {
      {1, HistogramUnit::day}, {7, HistogramUnit::week}, {30, HistogramUnit::month}};
  for (const auto& [length, unit] : kUnits) {
    if (span / length + 2 <= kMostBars) return unit;
  }
  return HistogramUnit::year;
}

void add_histogram(const std::vector<std::uint32_t>& by_day, sys_days first, Facets& facets) {
  std::size_t from = 0;
  while (from < by_day.size() && by_day[from] == 0) ++from;
  if (from == by_day.size()) return;
  std::size_t to = by_day.size();
  while (by_day[to - 1] == 0) --to;
  const sys_days begin = first + std::chrono::days{from};
  const sys_days end = first + std::chrono::days{to};
  facets.unit = unit_for(begin, end - std::chrono::days{1});
  for (sys_days bar = bar_of(begin, facets.unit); bar < end; bar = next_bar(bar, facets.unit)) {
    facets.histogram.push_back({bar, 0});
    const sys_days stop = std::min(next_bar(bar, facets.unit), end);
    for (sys_days day = std::max(bar, begin); day < stop; day += std::chrono::days{1}) {
      facets.histogram.back().count += by_day[static_cast<std::size_t>((day - first).count())];
    }
  }
}

// Each window holds those before it: a value is what --since takes.
Facet time_facet(const std::vector<std::uint32_t>& by_day, sys_days first, sys_days today) {
  constexpr std::pair<std::string_view, int> kWindows[] = {
      {"today", 0}, {"1w", 6}, {"1m", 29}, {"1y", 364}};
  Facet facet{"time", {}, 0};
  for (const auto& [name, back] : kWindows) {
    std::uint64_t count = 0;
    const std::int64_t from = (today - std::chrono::days{back} - first).count();
    for (std::size_t day = 0; day < by_day.size(); ++day) {
      if (static_cast<std::int64_t>(day) >= from) count += by_day[day];
    }
    if (count > 0) facet.values.push_back({std::string(name), count});
  }
  return facet;
}

// A transcript may claim any year; days outside these are undated.
constexpr sys_days kFirstDay{std::chrono::year{1990} / 1 / 1};
constexpr sys_days kLastDay{std::chrono::year{2100} / 1 / 1};

// What the rows of the counted turns say.
class Counter {
 public:
  explicit Counter(const Catalog& catalog)
      : catalog_(catalog),
        agents_(catalog),
        projects_(catalog),
        branches_(catalog),
        models_(catalog),
        by_session_(catalog.sessions().size()),
        by_day_(static_cast<std::size_t>((kLastDay - kFirstDay).count())) {}

  void add(TurnOrd turn, std::uint16_t tags, std::chrono::seconds local_offset) {
    const lexical::TurnRow& row = catalog_.turns()[turn];
    ++facets_.matched;
    ++by_session_[row.session];
    branches_.add(row.branch);
    models_.add(row.model);
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
      if ((tags >> kTypes[i].tag & 1) != 0) ++by_type_[i];
    }
    const auto day = std::chrono::floor<std::chrono::days>(from_ms(row.last_time) + local_offset);
    if (row.last_time == 0 || day < kFirstDay || day >= kLastDay) {
      ++facets_.undated;
    } else {
      ++by_day_[static_cast<std::size_t>((day - kFirstDay).count())];
    }
  }

  Facets finish(const FacetInput& input, std::vector<FacetValue> tools) {
    std::unordered_map<std::string, std::uint64_t> machines;
    for (lexical::SessionOrd ord = 0; ord < by_session_.size(); ++ord) {
      if (by_session_[ord] == 0) continue;
      const lexical::CatalogSession& session = catalog_.sessions()[ord];
      agents_.add(session.agent, by_session_[ord]);
      projects_.add(session.project, by_session_[ord]);
      const auto host = input.hosts.find(session.store_id);
      const bool here = host == input.hosts.end();
      machines[here ? std::string(kThisMachine) : host->second] += by_session_[ord];
    }
    std::vector<FacetValue> types;
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
      types.push_back({std::string(kTypes[i].name), by_type_[i]});
    }
    std::vector<FacetValue> hosts;
    for (const auto& [name, count] : machines) hosts.push_back({name, count});
    const auto today =
        std::chrono::floor<std::chrono::days>(from_ms(input.now_ms) + input.local_offset);
    facets_.facets = {agents_.facet("agent"),
                      projects_.facet("project"),
                      branches_.facet("branch"),
                      models_.facet("model"),
                      facet_of("tool", std::move(tools)),
                      facet_of("type", std::move(types)),
                      time_facet(by_day_, kFirstDay, today),
                      facet_of("machine", std::move(hosts))};
    add_histogram(by_day_, kFirstDay, facets_);
    return std::move(facets_);
  }

 private:
  const Catalog& catalog_;
  NameCounts agents_;
  NameCounts projects_;
  NameCounts branches_;
  NameCounts models_;
  std::vector<std::uint64_t> by_session_;
  std::array<std::uint64_t, kTypes.size()> by_type_{};
  std::vector<std::uint32_t> by_day_;
  Facets facets_;
};

}  // namespace

std::string_view unit_name(HistogramUnit unit) {
  return kUnitNames[static_cast<std::size_t>(unit)];
}

sys_days next_bar(sys_days first, HistogramUnit unit) {
  const std::chrono::year_month_day date(first);
  switch (unit) {
    case HistogramUnit::day:
      return first + std::chrono::days{1};
    case HistogramUnit::week:
      return first + std::chrono::days{7};
    case HistogramUnit::month:
      return (date.year() / date.month() + std::chrono::months{1}) / 1;
    case HistogramUnit::year:
      return (date.year() + std::chrono::years{1}) / std::chrono::January / 1;
  }
  return first;
}

Result<Facets> count_facets(const FacetInput& input, const std::vector<std::uint16_t>& tags) {
  Counter counter(input.snapshot.catalog());
  const TurnSet counted = without_copies(input.snapshot.catalog(), tags);
  for (TurnOrd turn = 0; turn < tags.size(); ++turn) {
    if (tags[turn] != 0 && counted.has(turn)) counter.add(turn, tags[turn], input.local_offset);
  }
  std::vector<FacetValue> tools;
  const auto add_tool = [&](std::string_view name, std::uint64_t turns) {
    tools.push_back({std::string(name), turns});
  };
  const Status marked =
      lexical::count_marked(input.snapshot, lexical::Marker::tool, counted, add_tool);
  if (!marked) return marked.error();
  return counter.finish(input, std::move(tools));
}

}  // namespace yore::search
