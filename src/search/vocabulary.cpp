#include "search/vocabulary.hpp"

#include <algorithm>

namespace yore::search {
namespace {

template <typename Value, std::size_t size>
std::optional<Value> named(const std::array<std::string_view, size>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Value>(found - names.begin());
}

}  // namespace

std::string_view kind_name(store::Standing standing) {
  if (standing == store::Standing::note) return "note";
  return standing == store::Standing::prompts ? "prompts" : "";
}

std::string_view mode_name(SearchMode mode) {
  return kModeNames[static_cast<std::size_t>(mode)];
}

std::optional<SearchMode> mode_named(std::string_view name) {
  return named<SearchMode>(kModeNames, name);
}

std::optional<SortBy> order_named(std::string_view name) {
  return named<SortBy>(kOrderNames, name);
}

std::string joined(std::span<const std::string_view> names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last : std::string_view(", ");
    text += names[i];
  }
  return text;
}

}  // namespace yore::search
