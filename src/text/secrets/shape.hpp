// shape.hpp — what a value looks like: made by chance, written by a person, or a stand-in. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace yore::text {

// Letters and digits in no order that a person would give them: "kR7vQ2xZ9m", not "user_name_2".
// Looks at the pieces between '-', '_', '.', '/' and their like; one such piece of at least
// `least` bytes is enough.
bool looks_random(std::string_view value, std::size_t least = 12);

// "YOUR_API_KEY", "<token>", "${TOKEN}", "xxxxxxxx", "changeme", "***": nothing that is secret.
bool is_placeholder(std::string_view value);
// "process.env.TOKEN", "getToken()", "settings.secret[0]", "/run/secrets/db": where it comes from.
bool is_reference(std::string_view value);
// 8-4-4-4-12 hexadecimal digits.
bool is_uuid(std::string_view value);

// Different bytes in it.
std::size_t distinct_bytes(std::string_view value);

}  // namespace yore::text
