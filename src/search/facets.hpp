// facets.hpp — how all that a search found is spread over agents, projects, branches, tools and
// time: what to narrow it by, and how much would be left.
//
// Counted are turns, not passages, and one of each set of copies: every turn that may be shown and
// holds at least one of the words in a surface that is searched. Where search by meaning took part,
// the turns it ranked come in beside them (at most max(64, 4 * limit)); a search by meaning alone
// counts those only, because everything is somewhere near to everything. A question that names a
// time and nothing else counts the turns of that time. The caps of a page (limit, per session) do
// not matter here.
//
// Cost: one walk over the postings of the words, one over all turns, one over the postings of tool
// names; nothing is read from the store but which sessions are of another machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lexical/search/search.hpp"
#include "store/store.hpp"

namespace yore::search {

struct FacetValue {
  std::string value;
  std::uint64_t count = 0;
  friend bool operator==(const FacetValue&, const FacetValue&) = default;
};

struct Facet {
  std::string_view name;           // "agent", "project" …
  std::vector<FacetValue> values;  // most frequent first, then by value; at most kFacetValues
  std::uint64_t left_out = 0;      // further values
};
inline constexpr std::size_t kFacetValues = 50;

// The machine of what was said on this one, and the one value of what is starred.
inline constexpr std::string_view kThisMachine = "local";
inline constexpr std::string_view kStarred = "starred";

// What one bar of the histogram stands for; as fine as 100 bars allow.
enum class HistogramUnit : std::uint8_t { day, week, month, year };
std::string_view unit_name(HistogramUnit unit);

struct HistogramBar {
  std::chrono::sys_days first;  // day of it, by this machine's clock; it ends where the next begins
  std::uint64_t count = 0;
};

struct Facets {
  std::uint64_t matched = 0;  // turns that were counted
  std::vector<Facet> facets;  // in the order of the contract
  HistogramUnit unit = HistogramUnit::day;
  std::vector<HistogramBar> histogram;  // without gaps, from the first turn to the last
  std::uint64_t undated = 0;            // turns without a time
};

struct FacetInput {
  const lexical::Snapshot& snapshot;
  std::int64_t now_ms = 0;
  std::chrono::seconds local_offset{0};
  std::unordered_map<std::int64_t, std::string> hosts;  // by store id of the session
  // Does the turn, or its session, carry a star? Empty: nothing does.
  std::function<bool(const lexical::TurnRow&)> is_starred = {};
};

// `tags`: of each turn the surfaces by which it matches, a bit each, as Search::tags_of_turns gives
// them; 0: it does not match. kMatchesWhole: it does, by no surface in particular.
inline constexpr std::uint16_t kMatchesWhole = 1 << 14;
Result<Facets> count_facets(const FacetInput& input, const std::vector<std::uint16_t>& tags);

// The day on which the bar behind this one begins.
std::chrono::sys_days next_bar(std::chrono::sys_days first, HistogramUnit unit);

}  // namespace yore::search
