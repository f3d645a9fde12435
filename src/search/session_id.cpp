#include "search/session_id.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "store/store.hpp"
#include "text/utf8.hpp"

namespace yore::search {
namespace {

constexpr std::size_t kShortest = 8;

// What is always shown, and the name behind it: "kimi:" and "session_1", or the id of a sub-agent's
// parent with the slash and "agent-0".
struct Parts {
  std::string_view head;
  std::string_view name;
};

Parts split(std::string_view id) {
  auto cut = id.rfind('/');
  if (cut == std::string_view::npos) cut = id.find(':');
  cut = cut == std::string_view::npos ? 0 : cut + 1;
  return {id.substr(0, cut), id.substr(cut)};
}

// Characters that two names have in common at their start.
std::size_t common_chars(std::string_view a, std::string_view b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return text::count_chars(a.substr(0, static_cast<std::size_t>(end - a.begin())));
}

// The shortest start of at least `shortest` characters that only `name` has. Sorted, a name shares
// its longest start with one of its neighbours.
std::string_view unique_start(const std::set<std::string>& names, std::string_view name,
                              std::size_t shortest) {
  const auto after = names.upper_bound(std::string(name));
  if (after != names.end()) shortest = std::max(shortest, common_chars(name, *after) + 1);
  auto before = names.lower_bound(std::string(name));
  if (before != names.begin()) {
    shortest = std::max(shortest, common_chars(name, *--before) + 1);
  }
  return text::first_chars(name, shortest);
}

}  // namespace

std::string_view native_id(std::string_view uid, std::string_view agent) {
  const bool prefixed =
      uid.size() > agent.size() && uid.starts_with(agent) && uid[agent.size()] == ':';
  return prefixed ? uid.substr(agent.size() + 1) : uid;
}

bool is_id_of(std::string_view uid, std::string_view id) {
  if (!uid.ends_with(id)) return false;
  return uid.size() == id.size() || uid[uid.size() - id.size() - 1] == ':';
}

std::string_view edition_base(std::string_view uid) {
  const std::size_t mark = uid.rfind(store::kEditionMark);
  const bool edition = mark != std::string_view::npos && mark + 1 < uid.size() &&
                       std::ranges::all_of(uid.substr(mark + 1), ascii::is_digit);
  return edition ? uid.substr(0, mark) : uid;
}

ShortIds::ShortIds(const std::vector<std::string>& all) {
  for (const std::string& each : all) {
    std::string_view id = each;
    if (edition_base(id) != id) continue;
    // Its parents too: they may never have been seen themselves.
    while (!id.empty()) {
      const Parts parts = split(id);
      names_[std::string(parts.head)].emplace(parts.name);
      if (parts.head.ends_with(':')) names_[""].emplace(parts.name);
      const bool child = parts.head.ends_with('/');
      id = child ? parts.head.substr(0, parts.head.size() - 1) : std::string_view{};
    }
  }
}

std::string ShortIds::of(std::string_view uid) const {
  constexpr std::string_view kSubagent = "agent-";
  const std::string_view id = edition_base(uid);
  const Parts parts = split(id);
  const bool child = parts.head.ends_with('/');
  std::string shown(parts.head);
  if (child) shown = of(parts.head.substr(0, parts.head.size() - 1)) + "/";
  const std::size_t common = child && parts.name.starts_with(kSubagent) ? kSubagent.size() : 0;
  const auto names = names_.find(parts.head);
  shown += names == names_.end() ? parts.name
                                 : unique_start(names->second, parts.name, common + kShortest);
  shown += uid.substr(id.size());
  return shown;
}

}  // namespace yore::search
