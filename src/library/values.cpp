#include "library/values.hpp"

#include <algorithm>
#include <utility>

#include "text/utf8.hpp"
#include "turns/chunk_id.hpp"

namespace yore::library {
namespace {

SearchHit from_hit(search::Hit&& hit) {
  SearchHit out;
  out.score = hit.score;
  out.session_id = std::move(hit.session.uid);
  out.turn_number = hit.turn_number;
  out.chunk_id = std::move(hit.chunk_id);
  out.agent = std::move(hit.session.agent);
  out.project = std::move(hit.session.project);
  out.title = std::move(hit.session.title);
  out.time = from_time(hit.timestamp);
  out.surfaces = std::move(hit.surfaces);
  out.snippet = std::move(hit.snippet.text);
  for (const text::Span& span : hit.snippet.spans) out.matches.emplace_back(span.begin, span.end);
  for (search::Message& message : hit.messages) {
    if (!message.is_hit) continue;
    (message.role == "user" ? out.user_prompt : out.assistant_full) = std::move(message.content);
  }
  const std::size_t begin = std::min(hit.conclusion_begin, out.assistant_full.size());
  out.assistant_summary = out.assistant_full.substr(begin);
  out.copies = hit.copies;
  out.abandoned = hit.abandoned;
  out.source_missing = hit.source_missing;
  out.superseded = hit.superseded;
  return out;
}

std::vector<FacetValue> from_values(std::vector<search::FacetValue>&& values) {
  std::vector<FacetValue> out;
  for (search::FacetValue& each : values) out.push_back({std::move(each.value), each.count});
  return out;
}

// "2026-11-18"
std::string day_text(std::chrono::sys_days day) {
  return format_iso8601(Time{day}).substr(0, 10);
}

Facets from_facets(search::Facets&& counted) {
  constexpr std::pair<std::string_view, std::vector<FacetValue> Facets::*> kFields[] = {
      {"agent", &Facets::agents}, {"project", &Facets::projects}, {"branch", &Facets::branches},
      {"model", &Facets::models}, {"tool", &Facets::tools},       {"type", &Facets::types},
      {"time", &Facets::times},   {"machine", &Facets::machines},
  };
  Facets facets;
  facets.matched = counted.matched;
  facets.undated = counted.undated;
  facets.histogram_unit = search::unit_name(counted.unit);
  for (search::Facet& facet : counted.facets) {
    if (facet.name == search::kStarred && !facet.values.empty()) {
      facets.starred = facet.values.front().count;
    }
    for (const auto& [name, field] : kFields) {
      if (facet.name == name) facets.*field = from_values(std::move(facet.values));
    }
  }
  for (const search::HistogramBar& bar : counted.histogram) {
    facets.histogram.push_back(
        {day_text(bar.first), day_text(search::next_bar(bar.first, counted.unit)), bar.count});
  }
  return facets;
}

// 16 hex digits.
std::string hash_text(std::uint64_t hash) {
  return turns::chunk_text(hash >> 48).substr(8) + turns::chunk_text(hash & 0xFFFF'FFFF'FFFF);
}

}  // namespace

Time to_time(TimePoint time) {
  return std::chrono::ceil<std::chrono::milliseconds>(time);
}

std::optional<Time> to_time(const std::optional<TimePoint>& time) {
  if (!time) return std::nullopt;
  return to_time(*time);
}

std::optional<TimePoint> from_time(Time time) {
  if (time == kNoTime) return std::nullopt;
  return TimePoint{time};
}

search::SearchRequest to_request(const SearchQuery& query, const CorpusOptions& options) {
  search::SearchRequest request;
  request.query = query.text;
  request.surfaces = query.surfaces;
  if (request.surfaces.empty()) {
    request.surfaces.assign(search::kLeanSurfaces.begin(), search::kLeanSurfaces.end());
    if (options.include_full) request.surfaces.emplace_back(search::kWholeAnswers);
  }
  request.limit = query.limit;
  if (query.by == SearchBy::words) request.mode = search::SearchMode::keyword;
  if (query.by == SearchBy::meaning) request.mode = search::SearchMode::semantic;
  request.projects = query.projects;
  request.exclude = query.exclude_projects;
  request.agents = query.agents;
  // A scope narrows turns as well as sessions: the later of the two times, none being the earliest.
  request.since = std::max(to_time(query.since), to_time(options.since));
  request.until = to_time(query.until);
  request.session = query.session;
  request.branch = query.branch;
  request.model = query.model;
  request.file = query.file;
  request.tool = query.tool;
  request.has_tool = query.has_tool;
  request.sort = query.newest_first ? search::SortBy::time : search::SortBy::relevance;
  request.half_life_days = query.half_life_days;
  request.per_session = query.per_session;
  request.subagents = query.include_subagents;
  request.automated = query.include_automated;
  request.facets = query.facets;
  return request;
}

bool asks_nothing(const SearchQuery& query) {
  search::SearchRequest request = to_request(query, {});
  // Those that are looked at when none are named narrow nothing.
  if (query.surfaces.empty()) request.surfaces.clear();
  return text::is_blank(query.text) && !search::has_filters(request);
}

SearchResults from_answer(search::SearchAnswer&& answer) {
  SearchResults results;
  for (search::Hit& hit : answer.hits) results.hits.push_back(from_hit(std::move(hit)));
  for (search::Hit& hit : answer.closest) results.closest.push_back(from_hit(std::move(hit)));
  results.more = answer.more;
  results.hidden_subagents = answer.hidden.subagents;
  results.hidden_automated = answer.hidden.automated;
  results.notes = std::move(answer.notes);
  if (answer.facets) results.facets = from_facets(std::move(*answer.facets));
  results.coverage = {answer.coverage.files_known, answer.coverage.files_indexed,
                      answer.coverage.behind_bytes, answer.coverage.passages,
                      answer.coverage.passages_embedded};
  return results;
}

search::ListFilter to_filter(const ListQuery& query) {
  search::ListFilter filter;
  filter.projects = query.projects;
  filter.agents = query.agents;
  filter.since = to_time(query.since);
  filter.until = to_time(query.until);
  filter.subagents = query.include_subagents;
  filter.automated = query.include_automated;
  filter.limit = query.limit;
  filter.offset = query.offset;
  filter.leave_out_empty = true;
  return filter;
}

SessionInfo from_row(store::SessionRow&& row) {
  SessionInfo info;
  info.id = std::move(row.uid);
  info.parent_id = std::move(row.parent);
  info.agent = std::move(row.agent);
  info.project = std::move(row.project);
  info.project_path = std::move(row.project_path);
  info.title = std::move(row.title);
  info.branch = std::move(row.facts.branch);
  info.model = std::move(row.facts.model);
  info.first_time = from_time(row.facts.first_time);
  info.last_time = from_time(row.facts.last_time);
  info.turn_count = row.facts.turn_count;
  info.source_missing = row.missing_since != kNoTime;
  return info;
}

Conversation from_answer(search::ReadAnswer&& answer) {
  Conversation conversation;
  conversation.session = from_row(std::move(answer.session));
  conversation.session.source_missing = answer.source_missing;
  conversation.total_turns = answer.total_turns;
  for (turns::WholeTurn& turn : answer.turns) {
    conversation.turns.push_back({turn.number, from_time(turn.time), std::move(turn.user_text),
                                  std::move(turn.assistant_text), std::move(turn.tools_used),
                                  turn.abandoned});
  }
  return conversation;
}

search::WalkFilter to_filter(const TurnScope& scope, const CorpusOptions& options) {
  search::WalkFilter filter;
  filter.projects = scope.projects;
  filter.agents = scope.agents;
  filter.since = std::max(to_time(scope.since), to_time(options.since));
  filter.until = to_time(scope.until);
  filter.max_sessions = scope.max_sessions;
  filter.subagents = scope.include_subagents;
  filter.automated = scope.include_automated;
  filter.superseded = scope.include_superseded;
  return filter;
}

TurnRecord from_turn(search::WalkedTurn&& turn, const store::SessionRow& session,
                     bool include_full) {
  TurnRecord record;
  record.id = std::move(turn.chunk_id);
  record.user_prompt = std::move(turn.user_text);
  record.assistant_summary = turn.assistant_text.substr(turn.conclusion_begin);
  if (include_full) record.assistant_full = std::move(turn.assistant_text);
  record.content_hash = hash_text(turn.row.content);
  TurnMetadata& known = record.metadata;
  known.session_id = session.uid;
  known.turn_number = turn.row.number;
  known.parent_session_id = session.parent;
  known.agent = session.agent;
  known.project = session.project;
  known.project_path = session.project_path;
  known.title = session.title;
  known.branch = std::move(turn.row.branch);
  known.model = std::move(turn.row.model);
  known.time = from_time(turn.row.first_time);
  known.last_time = from_time(turn.row.last_time);
  known.has_tool_use = turn.row.has_tool;
  if (const auto& usage = turn.row.usage) {
    known.tokens = Tokens{usage->input_tokens, usage->output_tokens, usage->cache_read_tokens,
                          usage->cache_write_tokens};
  }
  known.origin = hash_text(turn.row.origin);
  known.abandoned = turn.row.abandoned;
  known.automated = session.automated || turn.row.automated;
  known.superseded = session.standing == store::Standing::edition;
  known.source_missing = session.missing_since != kNoTime;
  return record;
}

}  // namespace yore::library
