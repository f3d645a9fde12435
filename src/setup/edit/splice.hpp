// splice.hpp — a change of a text as what goes out and what comes in, so that it can be taken back.
//
// Pure. Splices of one change lie in ascending order and do not overlap; `at` counts in the text
// before the change.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yore::setup {

struct Splice {
  std::size_t at = 0;
  std::string removed;
  std::string added;
  friend bool operator==(const Splice&, const Splice&) = default;
};
using Splices = std::vector<Splice>;

// nullopt: what a splice removes does not stand where it says.
std::optional<std::string> apply_splices(std::string_view before, const Splices& splices);
// The text before the change; nullopt: this is not the text that the change made.
std::optional<std::string> take_back(std::string_view after, const Splices& splices);
// Takes the change back although the text around it has changed; nullopt unless every text that
// was added stands there exactly once, in the same order.
std::optional<std::string> take_back_loosely(std::string_view now, const Splices& splices);

}  // namespace yore::setup
