// starters.hpp — where in a text a secret could begin at all: the quick look before the slow one.
//
// A secret either holds a long run of letters, digits, '_' and '-', or stands behind one of a few
// words ("password", "://" …). Both are looked for in blocks of bytes, so that ordinary text costs
// a fraction of a nanosecond a byte. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace yore::text {

// Every token with a beginning of its own has as many bytes of the alphabet in a row.
inline constexpr std::size_t kLeastRun = 20;

// Words that lead to a secret, whatever their case.
inline constexpr std::string_view kStarterWords[] = {"pass", "pwd", "secr",   "token", "key",
                                                     "cred", "://", "bearer", "basic"};

struct TokenRun {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const TokenRun&, const TokenRun&) = default;
};

struct Starters {
  std::vector<std::size_t> words;  // where one of kStarterWords begins, in order
  std::vector<TokenRun> runs;      // of at least kLeastRun bytes, whole, in order
};

// What was in `out` before is gone; its room is used again. O(n).
void find_starters(std::string_view text, Starters& out);

}  // namespace yore::text
