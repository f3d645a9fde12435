// json.hpp — JSON as clients send it and as we write it.
//
// Reading is bounded (depth, number of values) and forgiving where a strict reader would lose the
// whole line for a detail inside a text: a byte that is not valid UTF-8, or half of a surrogate
// pair from a text cut in the middle of a character, becomes U+FFFD. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace yore::mcp {

using Json = nlohmann::ordered_json;

// Far above any request; below what makes recursive code or memory a worry.
inline constexpr std::size_t kMaxJsonDepth = 100;
inline constexpr std::size_t kMaxJsonValues = 200'000;
inline constexpr std::size_t kMaxJsonKeys =
    1000;  // of one object: each is compared with all others

enum class JsonFault : std::uint8_t { not_json, too_complex };
// The last of equal keys wins.
std::variant<Json, JsonFault> parse_json(std::string_view text);

// One line, valid UTF-8 whatever the strings hold.
std::string json_text(const Json& json);

// The member of an object; nullptr when absent, null, or `json` is no object.
const Json* member(const Json& json, std::string_view key);

}  // namespace yore::mcp
