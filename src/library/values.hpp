// values.hpp — between the rows of the engine and the values of the public interface. Pure.
#pragma once

#include "search/reader.hpp"
#include "search/searcher.hpp"
#include "search/turn_walk.hpp"
#include "yore/yore.hpp"

namespace yore::library {

// The first millisecond that is not before.
Time to_time(TimePoint time);
std::optional<Time> to_time(const std::optional<TimePoint>& time);
std::optional<TimePoint> from_time(Time time);

search::SearchRequest to_request(const SearchQuery& query, const CorpusOptions& options);
// Neither words nor anything that narrows.
bool asks_nothing(const SearchQuery& query);
SearchResults from_answer(search::SearchAnswer&& answer);

search::ListFilter to_filter(const ListQuery& query);
SessionInfo from_row(store::SessionRow&& row);
Conversation from_answer(search::ReadAnswer&& answer);

// What the scope of the corpus narrows and what that of the walk does, together.
search::WalkFilter to_filter(const TurnScope& scope, const CorpusOptions& options);
TurnRecord from_turn(search::WalkedTurn&& turn, const store::SessionRow& session,
                     bool include_full);

}  // namespace yore::library
