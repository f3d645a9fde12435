// analyzer_twin.hpp — the rules of text/analyzer.hpp once more, slow and obvious: character by
// character, with lists of strings. The analyser must agree with it on every text.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "text/analyzer.hpp"

namespace yore::text {

struct TwinTerm {
  std::string text;
  std::uint32_t position = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  TermKind kind = TermKind::word;
  bool stemmable = false;

  friend bool operator==(const TwinTerm&, const TwinTerm&) = default;
};

std::ostream& operator<<(std::ostream& out, const TwinTerm& term);

std::vector<TwinTerm> analyze_slowly(std::string_view text);

}  // namespace yore::text
