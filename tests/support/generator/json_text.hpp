// json_text.hpp — pieces of JSON appended to a string that the caller reuses.
//
// Everything the generator calls "text" is already escaped for a JSON string, because most of it
// is written two or three times (result, structured copy, progress).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "generator/random.hpp"

namespace yore::generator {

void append_number(std::string& out, std::uint64_t number);
// "2026-01-05T08:00:00.000Z" without quotes.
void append_iso(std::string& out, std::int64_t ms);
// The same with '-' for ':' as file names want it.
std::string file_time(std::int64_t ms);

std::string make_uuid(Rng& rng);
std::string make_hex(Rng& rng, std::size_t digits);
// prefix + 24 characters of an API id: "toolu_01…", "msg_01…", "req_01…".
std::string make_api_id(Rng& rng, std::string_view prefix);
void append_base64(Rng& rng, std::string& out, std::size_t bytes);

// What the escapes of a text stand for, for files that are not JSON.
std::string unescape(std::string_view escaped);
// The directory name an agent derives from a working directory.
std::string encode_cwd(std::string_view cwd);

}  // namespace yore::generator
