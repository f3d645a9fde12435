// suggest.hpp — "did you mean …": the known word closest to a mistyped one. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace yore::text {

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
// O(a * b); callers pass words, not texts.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The closest word, or the only one that begins with `word`; "" when none is near enough to be
// meant. Ties: the earlier one.
std::string_view closest(std::string_view word, std::span<const std::string_view> known);

}  // namespace yore::text
