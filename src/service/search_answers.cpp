#include "service/search_answers.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "search/resume.hpp"
#include "text/utf8.hpp"

namespace yore::service {
namespace {

constexpr std::size_t kSnippetChars = 300;

double rounded(double value, double steps) {
  return std::round(value * steps) / steps;
}
double rounded_score(double value) {
  return rounded(value, 10'000);
}

Json message(const search::Message& said, std::size_t max_chars, bool with_turn) {
  Json json = {{"role", said.role}, {"content", said.content}};
  if (with_turn) json["turn_number"] = said.turn_number;
  if (max_chars == 0) return json;
  const std::string_view shown = text::first_chars(said.content, max_chars);
  if (shown.size() == said.content.size()) return json;
  json["content"] = shown;
  json["truncated"] = {
      {"content", {{"shown", max_chars}, {"total", text::count_chars(said.content)}}}};
  return json;
}

// {"before":{"turn_number","prompt"},"after":{"turn_number","conclusion"}}, as far as there is any.
Json context_of(const search::Hit& hit) {
  constexpr std::size_t kShown = 300;
  Json context = Json::object();
  const auto add = [&context](std::string_view where, std::string_view what,
                              const std::optional<search::Beside>& beside) {
    if (!beside) return;
    context[where] = {{"turn_number", beside->turn_number},
                      {what, text::first_chars(beside->text, kShown)}};
  };
  add("before", "prompt", hit.before);
  add("after", "conclusion", hit.after);
  return context;
}

bool has_neighbours(const search::SearchAnswer& answer) {
  const auto has = [](const search::Hit& hit) {
    return std::ranges::any_of(hit.messages,
                               [](const search::Message& said) { return !said.is_hit; });
  };
  return std::ranges::any_of(answer.hits, has) || std::ranges::any_of(answer.closest, has);
}

void add_relevance(Json& json, const search::Hit& hit) {
  if (hit.relevance) json["relevance"] = rounded(*hit.relevance, 100);
}

// Where it is from, where that is not this machine.
void add_origin(Json& json, const search::Hit& hit) {
  if (!hit.session.host.empty()) json["machine"] = hit.session.host;
}

Json result(const search::Hit& hit, std::size_t max_chars, bool with_turns) {
  Json messages = Json::array();
  for (const search::Message& said : hit.messages) {
    messages.push_back(message(said, max_chars, with_turns));
  }
  Json json = {
      {"rank", hit.rank},
      {"score", rounded_score(hit.score)},
      {"project", hit.session.project},
      {"project_path", hit.session.project_path},
      {"agent", hit.session.agent},
      {"session_id", hit.session.uid},
      {"session_path", hit.session.path},
      {"line", hit.line},
      {"turn_number", hit.turn_number},
      {"chunk_id", hit.chunk_id},
      {"title", hit.session.title},
      {"timestamp", format_iso8601(hit.timestamp)},
      {"surfaces", hit.surfaces},
      {"messages", std::move(messages)},
  };
  if (Json context = context_of(hit); !context.empty()) json["context"] = std::move(context);
  add_relevance(json, hit);
  if (hit.copies > 0) json["copies"] = hit.copies;
  if (hit.abandoned) json["abandoned"] = true;
  if (!hit.kind.empty()) json["kind"] = hit.kind;
  if (hit.superseded) json["superseded"] = true;
  if (hit.source_missing) json["source_missing"] = true;
  add_origin(json, hit);
  if (!hit.place.empty()) json["place"] = hit.place;
  add_marks(json, hit.marks);
  if (hit.masked > 0) json["masked"] = hit.masked;
  json["resume"] = search::resume_line(hit.session, hit.resume);
  if (hit.explain.empty()) return json;
  Json parts = Json::array();
  for (const search::ScorePart& part : hit.explain) {
    parts.push_back(
        {{"name", part.name}, {"value", rounded_score(part.value)}, {"detail", part.detail}});
  }
  json["explain"] = std::move(parts);
  return json;
}

Json compact_result(const search::Hit& hit) {
  Json json = {
      {"session_id", hit.session.uid},
      {"project", hit.session.project},
      {"turn_number", hit.turn_number},
      {"score", rounded_score(hit.score)},
      {"snippet", text::first_chars(hit.snippet.text, kSnippetChars)},
      {"timestamp", format_iso8601(hit.timestamp)},
      {"agent", hit.session.agent},
      {"title", hit.session.title},
      {"chunk_id", hit.chunk_id},
      {"surfaces", hit.surfaces},
  };
  add_relevance(json, hit);
  if (hit.copies > 0) json["copies"] = hit.copies;
  if (!hit.kind.empty()) json["kind"] = hit.kind;
  if (hit.superseded) json["superseded"] = true;
  if (hit.source_missing) json["source_missing"] = true;
  add_origin(json, hit);
  if (!hit.place.empty()) json["place"] = hit.place;
  add_marks(json, hit.marks);
  if (hit.masked_in_snippet > 0) json["masked"] = hit.masked_in_snippet;
  return json;
}

void add_note(Json& json, const std::vector<std::string>& notes) {
  std::string note;
  for (const std::string& sentence : notes) note += (note.empty() ? "" : " ") + sentence;
  if (!note.empty()) json["note"] = note;
}

void add_hidden(Json& json, const search::Hidden& hidden) {
  if (!hidden.any()) return;
  json["hidden"] = {{"subagents", hidden.subagents},
                    {"automated", hidden.automated},
                    {"current", hidden.current}};
}

// "2026-11-18"
std::string day_text(std::chrono::sys_days day) {
  return format_iso8601(Time{day}).substr(0, 10);
}

// `facets` and `histogram`; values that were left out are counted, never dropped in silence.
void add_facets(Json& json, const search::Facets& facets) {
  Json all = Json::object();
  Json left_out = Json::object();
  for (const search::Facet& facet : facets.facets) {
    Json values = Json::array();
    for (const search::FacetValue& each : facet.values) {
      values.push_back({{"value", each.value}, {"count", each.count}});
    }
    all[std::string(facet.name)] = std::move(values);
    if (facet.left_out > 0) left_out[std::string(facet.name)] = facet.left_out;
  }
  Json bars = Json::array();
  for (const search::HistogramBar& bar : facets.histogram) {
    bars.push_back({{"first", day_text(bar.first)},
                    {"until", day_text(search::next_bar(bar.first, facets.unit))},
                    {"count", bar.count}});
  }
  json["matched"] = facets.matched;
  json["facets"] = std::move(all);
  if (!left_out.empty()) json["facets_left_out"] = std::move(left_out);
  json["histogram"] = {{"unit", search::unit_name(facets.unit)},
                       {"bars", std::move(bars)},
                       {"undated", facets.undated}};
}

Json coverage_json(const search::Coverage& coverage) {
  return {{"files_known", coverage.files_known},
          {"files_indexed", coverage.files_indexed},
          {"behind_bytes", coverage.behind_bytes},
          {"passages", coverage.passages},
          {"passages_embedded", coverage.passages_embedded}};
}

}  // namespace

Json to_json(const search::SearchAnswer& answer, std::size_t max_chars) {
  const bool with_turns = has_neighbours(answer);
  Json results = Json::array();
  for (const search::Hit& hit : answer.hits) results.push_back(result(hit, max_chars, with_turns));
  Json json = {
      {"query", answer.query},         {"mode", search::mode_name(answer.mode)},
      {"results", std::move(results)}, {"total_results", answer.hits.size()},
      {"more", answer.more},
  };
  if (!answer.closest.empty()) {
    Json closest = Json::array();
    for (const search::Hit& hit : answer.closest)
      closest.push_back(result(hit, max_chars, with_turns));
    json["closest"] = std::move(closest);
  }
  add_note(json, answer.notes);
  add_hidden(json, answer.hidden);
  if (answer.facets) add_facets(json, *answer.facets);
  json["search_time_ms"] = rounded(answer.seconds * 1000, 1000);
  json["coverage"] = coverage_json(answer.coverage);
  return json;
}

Json to_compact_json(const search::SearchAnswer& answer) {
  Json results = Json::array();
  for (const search::Hit& hit : answer.hits) results.push_back(compact_result(hit));
  Json json = {{"results", std::move(results)},
               {"total_results", answer.hits.size()},
               {"more", answer.more}};
  if (!answer.closest.empty()) {
    Json closest = Json::array();
    for (const search::Hit& hit : answer.closest) closest.push_back(compact_result(hit));
    json["closest"] = std::move(closest);
  }
  add_hidden(json, answer.hidden);
  add_note(json, answer.notes);
  json["coverage"] = coverage_json(answer.coverage);
  return json;
}

Json to_json(const search::ChunkAnswer& answer) {
  Json turns = Json::array();
  for (const turns::WholeTurn& turn : answer.turns) {
    turns.push_back(to_json(turn, answer.session.uid, answer.source_missing));
  }
  Json json = {
      {"chunk_id", answer.chunk_id},       {"session_id", answer.session.uid},
      {"project", answer.session.project}, {"agent", answer.session.agent},
      {"turn_number", answer.turn_number}, {"turns", std::move(turns)},
  };
  if (answer.superseded) json["superseded"] = true;
  if (answer.source_missing) json["source_missing"] = true;
  add_marks(json, answer.marks);
  return json;
}

}  // namespace yore::service
