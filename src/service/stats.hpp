// stats.hpp — what was done, when, where and with what: turns, tokens and cost over time.
//
// Figures are what transcripts say. A turn whose tokens its agent did not write down, or whose
// model has no price, is counted as a turn and adds nothing else: `counted` and `priced` say of how
// many turns tokens and cost are known. Copies of a turn (forks, resumed sessions, editions) count
// once: the one that stands, and of these the one that says most. Two turns are copies when they
// have the same origin and the same time.
//
// Days are those of this machine's clock now; a week begins on Monday.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "search/reader.hpp"
#include "service/json.hpp"
#include "transcript/record.hpp"

namespace yore::service {

struct Figures {
  std::uint64_t sessions = 0;  // conversations with a turn in it; a sub-agent's is its parent's
  std::uint64_t turns = 0;
  std::uint64_t prompts = 0;  // of these typed by a person
  std::uint64_t counted = 0;  // of these with tokens
  transcript::Usage tokens;
  std::uint64_t priced = 0;  // of these with a price
  double cost = 0;           // US dollars
  [[nodiscard]] std::uint64_t all_tokens() const {
    return tokens.input_tokens + tokens.output_tokens + tokens.cache_read_tokens +
           tokens.cache_write_tokens;
  }
};

struct StatsRow {
  std::string name;  // "": the transcripts do not say
  Figures figures;
};
struct DayRow {
  std::chrono::sys_days first;  // day of it
  Figures figures;
};
struct ToolRow {
  std::string name;  // in small letters
  std::uint64_t turns = 0;
};

struct StatsFilter {
  std::vector<std::string> projects;  // substrings of project name, folder name or path; any of
  std::vector<std::string> agents;
  std::optional<Time> since;  // last activity of the turn at or after
  std::optional<Time> until;  // and before
};

struct Stats {
  Figures all;
  std::vector<DayRow> days;  // that had a turn, in order; likewise
  std::vector<DayRow> weeks;
  std::vector<DayRow> months;
  std::vector<StatsRow> agents;  // most turns first, then by name; likewise
  std::vector<StatsRow> projects;
  std::vector<StatsRow> models;
  std::vector<ToolRow> tools;
  bool tools_known = true;  // false: the keyword index, which knows them, is not there
  std::array<std::array<std::uint64_t, 24>, 7> hours{};  // turns by weekday, Monday first, and hour
  std::uint64_t copies = 0;                              // turns that were left out as such
  std::uint64_t undated = 0;                             // turns without a time: in no day
};

Result<Stats> stats_of(search::Reader& reader, const config::Settings& settings,
                       const StatsFilter& filter, std::chrono::seconds local_offset);

// See docs/schemas/stats.json.
Json to_json(const Stats& stats);
// "2026-11-18"
std::string day_name(std::chrono::sys_days day);

}  // namespace yore::service
