#include "search/facets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "lexical/format/marker.hpp"
#include "search/vocabulary.hpp"
#include "text/when.hpp"

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

// Turns by day, and what lies between the first and the last of them.
class DayCounts {
 public:
  // False: a transcript may claim any year; this day is none to be drawn.
  bool add(sys_days day) {
    if (day < kFirst || day >= kEnd) return false;
    const auto at = static_cast<std::size_t>((day - kFirst).count());
    ++counts_[at];
    first_ = std::min(first_, at);
    end_ = std::max(end_, at + 1);
    return true;
  }
  [[nodiscard]] bool empty() const { return end_ == 0; }
  [[nodiscard]] sys_days first() const { return kFirst + std::chrono::days{first_}; }
  [[nodiscard]] sys_days end() const { return kFirst + std::chrono::days{end_}; }
  [[nodiscard]] std::uint64_t between(sys_days from, sys_days until) const {
    std::uint64_t sum = 0;
    for (sys_days day = std::max(from, first()); day < std::min(until, end());
         day += std::chrono::days{1}) {
      sum += counts_[static_cast<std::size_t>((day - kFirst).count())];
    }
    return sum;
  }

 private:
  static constexpr sys_days kFirst{std::chrono::year{1990} / 1 / 1};
  static constexpr sys_days kEnd{std::chrono::year{2100} / 1 / 1};
  std::vector<std::uint32_t> counts_ =
      std::vector<std::uint32_t>(static_cast<std::size_t>((kEnd - kFirst).count()));
  std::size_t first_ = counts_.size();
  std::size_t end_ = 0;
};

void add_histogram(const DayCounts& by_day, Facets& facets) {
  if (by_day.empty()) return;
  facets.unit = unit_for(by_day.first(), by_day.end() - std::chrono::days{1});
  sys_days bar = bar_of(by_day.first(), facets.unit);
  while (bar < by_day.end()) {
    const sys_days next = next_bar(bar, facets.unit);
    facets.histogram.push_back({bar, by_day.between(bar, next)});
    bar = next;
  }
}

// Each window holds those before it: a value is what --since takes.
class Windows {
 public:
  explicit Windows(const FacetInput& input) {
    for (Window& each : windows_) {
      const auto since =
          text::parse_time_expression(each.name, from_ms(input.now_ms), input.local_offset);
      if (since) each.since_ms = to_ms(*since);
    }
  }
  void add(std::int64_t time_ms) {
    for (Window& each : windows_) {
      if (time_ms >= each.since_ms) ++each.count;
    }
  }
  [[nodiscard]] Facet facet() const {
    Facet facet{"time", {}, 0};
    for (const Window& each : windows_) {
      if (each.count > 0) facet.values.push_back({std::string(each.name), each.count});
    }
    return facet;
  }

 private:
  struct Window {
    std::string_view name;
    std::int64_t since_ms = INT64_MAX;
    std::uint64_t count = 0;
  };
  std::array<Window, 4> windows_ = {Window{"today"}, Window{"1w"}, Window{"1m"}, Window{"1y"}};
};

// What the rows of the counted turns say.
class Counter {
 public:
  Counter(const Catalog& catalog, const FacetInput& input)
      : catalog_(catalog),
        agents_(catalog),
        projects_(catalog),
        branches_(catalog),
        models_(catalog),
        by_session_(catalog.sessions().size()),
        windows_(input) {}

  void add(TurnOrd turn, std::uint16_t tags, const FacetInput& input) {
    const lexical::TurnRow& row = catalog_.turns()[turn];
    if (input.is_starred && input.is_starred(row)) ++starred_;
    ++facets_.matched;
    ++by_session_[row.session];
    branches_.add(row.branch);
    models_.add(row.model);
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
      if ((tags >> kTypes[i].tag & 1) != 0) ++by_type_[i];
    }
    const auto day =
        std::chrono::floor<std::chrono::days>(from_ms(row.last_time) + input.local_offset);
    if (row.last_time == 0 || !by_day_.add(day)) ++facets_.undated;
    windows_.add(row.last_time);
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
    facets_.facets = {agents_.facet("agent"),
                      projects_.facet("project"),
                      branches_.facet("branch"),
                      models_.facet("model"),
                      facet_of("tool", std::move(tools)),
                      facet_of("type", std::move(types)),
                      windows_.facet(),
                      facet_of("machine", std::move(hosts)),
                      facet_of("starred", {{std::string(kStarred), starred_}})};
    add_histogram(by_day_, facets_);
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
  DayCounts by_day_;
  Windows windows_;
  std::uint64_t starred_ = 0;
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
  Counter counter(input.snapshot.catalog(), input);
  const TurnSet counted = without_copies(input.snapshot.catalog(), tags);
  for (TurnOrd turn = 0; turn < tags.size(); ++turn) {
    if (tags[turn] != 0 && counted.has(turn)) counter.add(turn, tags[turn], input);
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
