// json_pieces.hpp — takes a JSON document apart without a parser, so that damage inside one piece
// does not take the others with it. Pure; a piece is a view of the text, its place the difference
// of the two pointers.
//
// Brackets are counted outside strings only: true for every valid text, a good guess for others.
// Cost: two passes over the text, no recursion.
#pragma once

#include <functional>
#include <string_view>

namespace yore::transcript {

using OnPiece = std::function<void(std::string_view piece)>;
using OnRawField = std::function<void(std::string_view key, std::string_view value)>;

// The fields of the object that `text` starts with: key (as written between its quotes) and value.
// A value that is cut off is handed over as far as it goes. False: no object, or not to its end.
bool each_raw_field(std::string_view text, const OnRawField& on_field);

// The elements of the list that `text` starts with; one that is cut off is left out. False: no
// list, or not to its end.
bool each_raw_item(std::string_view text, const OnPiece& on_item);

}  // namespace yore::transcript
