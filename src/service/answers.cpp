#include "service/answers.hpp"

#include <nlohmann/json.hpp>

#include "search/list_cursor.hpp"
#include "search/vocabulary.hpp"

namespace yore::service {
namespace {

std::string working_directory(const store::SessionRow& session) {
  return session.facts.cwd.empty() ? session.ref_cwd : session.facts.cwd;
}

Json conversation(const store::SessionRow& session) {
  Json json = {
      {"session_id", session.uid},
      {"project", session.project},
      {"summary", session.title},
      {"slug", session.facts.slug},
      {"first_timestamp", format_iso8601(session.facts.first_time)},
      {"last_timestamp", format_iso8601(session.facts.last_time)},
      {"turn_count", session.facts.turn_count},
      {"cwd", working_directory(session)},
      {"git_branch", session.facts.branch},
      {"agent", session.agent},
  };
  if (!session.parent.empty()) json["parent_session_id"] = session.parent;
  if (session.missing_since != kNoTime) json["source_missing"] = true;
  if (session.superseded > 0) json["superseded_turns"] = session.superseded;
  return json;
}

// Renderings are JSON that yore made itself; one that a damaged store gives back is kept as text.
Json tool_used(const std::string& rendering) {
  Json json = Json::parse(rendering, nullptr, false);
  if (json.is_object()) return json;
  return Json{{"tool", rendering}};
}

}  // namespace

Json to_json(const search::ListAnswer& answer) {
  Json conversations = Json::array();
  for (const store::SessionRow& session : answer.sessions) {
    conversations.push_back(conversation(session));
    const auto marks = answer.marks.find(session.uid);
    if (marks != answer.marks.end()) add_marks(conversations.back(), marks->second);
  }
  Json json = {{"conversations", std::move(conversations)}};
  if (answer.more && !answer.sessions.empty()) {
    json["next_cursor"] = search::cursor_text(search::place_of(answer.sessions.back()));
  }
  return json;
}

Json to_json(const search::ReadAnswer& answer, std::uint32_t offset, std::uint32_t limit) {
  Json turns = Json::array();
  for (const turns::WholeTurn& turn : answer.turns) {
    turns.push_back(to_json(turn, answer.session.uid, answer.source_missing));
    const auto marks = answer.marks_of_turns.find(turn.number);
    if (marks != answer.marks_of_turns.end()) add_marks(turns.back(), marks->second);
  }
  const std::uint64_t next = search::next_offset(answer, offset);
  Json json = {
      {"session_id", answer.session.uid},
      {"project", answer.session.project},
      {"cwd", working_directory(answer.session)},
      {"git_branch", answer.session.facts.branch},
      {"total_turns", answer.total_turns},
      {"offset", offset},
      {"limit", limit},
      {"turns", std::move(turns)},
  };
  if (const auto kind = search::kind_name(answer.session.standing); !kind.empty()) {
    json["kind"] = kind;
  }
  add_marks(json, answer.marks);
  if (!answer.turns.empty() && next < answer.total_turns) json["next_offset"] = next;
  return json;
}

Json to_json(const turns::WholeTurn& turn, std::string_view session_id, bool source_missing) {
  Json tools = Json::array();
  for (const std::string& rendering : turn.tools_used) tools.push_back(tool_used(rendering));
  Json json = {
      {"session_id", session_id},
      {"turn_number", turn.number},
      {"timestamp", format_iso8601(turn.time)},
      {"user_text", turn.user_text},
      {"assistant_text", turn.assistant_text},
      {"tools_used", std::move(tools)},
  };
  if (turn.abandoned) json["abandoned"] = true;
  if (turn.superseded) json["superseded"] = true;
  if (source_missing) json["source_missing"] = true;
  if (turn.masked > 0) json["masked"] = turn.masked;
  return json;
}

Json to_json(const std::vector<search::ProjectRow>& rows) {
  Json projects = Json::array();
  for (const search::ProjectRow& row : rows) {
    projects.push_back({{"project", row.project},
                        {"path", row.path},
                        {"agents", row.agents},
                        {"sessions", row.sessions},
                        {"turns", row.turns},
                        {"last_timestamp", format_iso8601(row.last_time)}});
    if (!row.joined.empty()) projects.back()["joined"] = row.joined;
  }
  return Json{{"projects", std::move(projects)}};
}

void add_marks(Json& json, const store::MarksOn& marks) {
  if (marks.starred) json["starred"] = true;
  if (!marks.name.empty()) json["name"] = marks.name;
  if (!marks.tags.empty()) json["tags"] = marks.tags;
}

Json to_json(const Error& error) {
  Json inner = {{"kind", error_kind(error.code)}, {"message", error.message}};
  if (!error.hint.empty()) inner["hint"] = error.hint;
  return Json{{"error", std::move(inner)}};
}

std::string_view error_kind(Errc code) {
  switch (code) {
    case Errc::not_found:
      return "not_found";
    case Errc::ambiguous:
      return "ambiguous";
    case Errc::corrupt:
      return "corrupt";
    case Errc::io:
      return "io";
    case Errc::invalid_argument:
      return "invalid_argument";
    case Errc::unsupported:
      return "unsupported";
    case Errc::busy:
      return "busy";
    case Errc::cancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace yore::service
