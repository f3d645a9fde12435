#include "setup/edit/splice.hpp"

namespace yore::setup {

std::optional<std::string> apply_splices(std::string_view before, const Splices& splices) {
  std::string after;
  std::size_t done = 0;
  for (const Splice& splice : splices) {
    if (splice.at < done || splice.at > before.size()) return std::nullopt;
    if (before.substr(splice.at, splice.removed.size()) != splice.removed) return std::nullopt;
    after.append(before.substr(done, splice.at - done)).append(splice.added);
    done = splice.at + splice.removed.size();
  }
  return after.append(before.substr(done));
}

std::optional<std::string> take_back(std::string_view after, const Splices& splices) {
  Splices reversed;
  std::size_t grown = 0;  // may wrap around; the sum with `at` does not
  for (const Splice& splice : splices) {
    reversed.push_back({splice.at + grown, splice.added, splice.removed});
    grown += splice.added.size() - splice.removed.size();
  }
  return apply_splices(after, reversed);
}

std::optional<std::string> take_back_loosely(std::string_view now, const Splices& splices) {
  Splices reversed;
  std::size_t from = 0;
  for (const Splice& splice : splices) {
    if (splice.added.empty()) return std::nullopt;
    const std::size_t at = now.find(splice.added);
    if (at == std::string_view::npos || at < from) return std::nullopt;
    if (now.find(splice.added, at + 1) != std::string_view::npos) return std::nullopt;
    reversed.push_back({at, splice.added, splice.removed});
    from = at + splice.added.size();
  }
  return apply_splices(now, reversed);
}

}  // namespace yore::setup
