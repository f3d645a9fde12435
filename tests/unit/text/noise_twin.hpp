// noise_twin.hpp — the noise rules of text/word_shape.hpp, slow and obvious.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace yore::text {

inline const std::string kSmallLetters = "abcdefghijklmnopqrstuvwxyz";
inline const std::string kCapitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
inline const std::string kLetters = kSmallLetters + kCapitals;
inline const std::string kDigits = "0123456789";

bool has_any(const std::string& text, const std::string& set);
bool has_only(const std::string& text, const std::string& set);

using Range = std::pair<std::size_t, std::size_t>;

// Begin and end of encoded bytes, in order.
std::vector<Range> encoded_in(const std::string& text);
// Begin and end of what stands between underscores.
std::vector<Range> pieces_of(const std::string& word);

bool is_hash(const std::string& piece);
bool holds_hash(const std::string& word);
bool is_uuid(const std::string& text);

}  // namespace yore::text
