// search_answers.hpp — the JSON shapes of search and chunk, fixed by contract.
#pragma once

#include <cstddef>

#include "search/searcher.hpp"
#include "service/answers.hpp"

namespace yore::service {

// {"query","mode","results":[{rank, score, project, project_path, agent, session_id, session_path,
//   line, turn_number, chunk_id, title, timestamp, surfaces, messages, copies?, abandoned?,
//   source_missing?, place?, resume, explain?}], "total_results","more","closest"?:[as
//  results],"note"?,"hidden"?,"search_time_ms","coverage"}
// Messages are whole; with `max_chars` above 0 longer ones are cut and carry
// "truncated":{"content":{"shown","total"}}. Where neighbours are among them, each names its turn.
Json to_json(const search::SearchAnswer& answer, std::size_t max_chars);

// For readers who have little room, without whole messages: {"results":[{session_id, project,
// turn_number, score, snippet,
//   timestamp, agent, title, chunk_id, surfaces, copies?, place?}], "total_results","more",
//  "closest"?:[as results],"hidden"?,"note"?,"coverage"}; a snippet has at most 300 characters.
Json to_compact_json(const search::SearchAnswer& answer);

// {"chunk_id","session_id","project","agent","turn_number","turns":[as of show],"source_missing"?}
Json to_json(const search::ChunkAnswer& answer);

}  // namespace yore::service
