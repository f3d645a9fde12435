// answers.hpp — the JSON shapes that the CLI (--json) and the MCP tools share; fixed by contract.
#pragma once

#include "search/reader.hpp"
#include "service/json.hpp"

namespace yore::service {

// {"conversations":[{session_id, project, summary, slug, first_timestamp, last_timestamp,
//   turn_count, cwd, git_branch, agent, parent_session_id?, source_missing?}], "next_cursor"?}
Json to_json(const search::ListAnswer& answer);
// {"session_id","project","cwd","git_branch","total_turns","offset","limit","turns":[…],
//  "next_offset"?}
Json to_json(const search::ReadAnswer& answer, std::uint32_t offset, std::uint32_t limit);
// {"session_id","turn_number","timestamp","user_text","assistant_text","tools_used":[…],
//  "abandoned"?,"source_missing"?,"masked"?: secrets that are not shown}
Json to_json(const turns::WholeTurn& turn, std::string_view session_id, bool source_missing);
// {"projects":[{project, path, agents, sessions, turns, last_timestamp}]}
Json to_json(const std::vector<search::ProjectRow>& rows);
// Adds "starred": true, "name" and "tags": […], each where there are such marks.
void add_marks(Json& json, const store::MarksOn& marks);
// {"error":{"kind","message","hint"?}}
Json to_json(const Error& error);
std::string_view error_kind(Errc code);  // "not_found", "ambiguous", …

}  // namespace yore::service
