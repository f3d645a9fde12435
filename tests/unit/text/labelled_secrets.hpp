// labelled_secrets.hpp — the lines of tests/data/secrets/labelled.txt, filled with made-up values.
#pragma once

#include <string>
#include <vector>

#include "text/secrets/secrets.hpp"

namespace yore::text {

struct LabelledLine {
  bool secret = false;  // false: a look-alike, nothing of it may be masked
  std::string kind;
  std::string text;
  std::size_t begin = 0;  // of the secret
  std::size_t end = 0;
};

// The same values every time for the same seed.
std::vector<LabelledLine> labelled_lines(std::uint64_t seed);

}  // namespace yore::text
