// list_cursor.hpp — a place in the list of sessions as a text, to go on from there later. Pure.
//
// It names the last session shown and not a number of rows, so what comes or grows in the meantime
// appears at the top and neither repeats a row nor leaves one out further down.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "search/reader.hpp"

namespace yore::search {

ListPlace place_of(const store::SessionRow& session);

// Opaque to whoever gets it; parse_cursor() takes it back.
std::string cursor_text(const ListPlace& place);
// invalid_argument: not one that cursor_text() made.
Result<ListPlace> parse_cursor(std::string_view text);

}  // namespace yore::search
