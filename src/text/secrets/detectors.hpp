// detectors.hpp — the table of secrets that are known by their looks. One row is one kind of token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace yore::text {

// Which bytes a token is made of, besides letters and digits.
enum class Alphabet : std::uint8_t {
  alnum,   // nothing else
  hex,     // of these only 0-9, a-f
  base32,  // A-Z and 2-7 only
  url,     // '-' and '_'
  dotted,  // '-', '_' and '.'
  base64,  // '+', '/' and '='
};
bool belongs(char c, Alphabet alphabet);

struct Detector {
  std::string_view kind;    // as shown: [masked:KIND]
  std::string_view prefix;  // how the token begins; part of it. '_' stands for '-' too: folders of
                            // Claude Code have their names written so
  Alphabet body = Alphabet::url;
  std::uint16_t least = 0;  // bytes behind the prefix
  std::uint16_t most = 0;   // 0: any number
  // A further look at the whole token; null: none. A checksum that is right settles it, one that is
  // wrong does not: a token may be of a kind that is not known yet.
  bool (*check)(std::string_view token, std::string_view body) = nullptr;
  std::string_view looks = {};  // an example in words, for docs and people
};

// In the order in which they are tried: of two prefixes where one begins with the other, the longer
// comes first.
std::span<const Detector> detectors();

// Does it begin so? A `_` of the prefix may be a dash.
bool has_prefix(std::string_view text, std::string_view prefix);

// The six last characters of a token of GitHub or npm are the CRC-32 of the others, in base 62.
bool has_checksum(std::string_view body);

}  // namespace yore::text
