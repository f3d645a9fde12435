// text_budget.hpp — how long a text is for a model, and a text cut to what there is room for. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace yore::service {

// About how many tokens a text is: four characters of English or code, one of any other script.
// Models differ by some tenths.
std::size_t tokens_of(std::string_view text);

// The text on one line, or as much of it as there is room for, cut at a word; "…" ends it then.
std::string cut_to_tokens(std::string_view text, std::size_t tokens);

// The first sentences of a text as long as they fit, without the markup of headings, lists and
// emphasis and without the cheers that models begin with.
std::string first_sentences(std::string_view text, std::size_t tokens);

}  // namespace yore::service
