#include "search/session_id.hpp"

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "store/store.hpp"
#include "text/utf8.hpp"

namespace yore::search {
namespace {

constexpr std::size_t kShortest = 8;

struct Parts {
  std::string_view head;  // always shown
  std::string_view tail;  // cut
};

Parts split(std::string_view id) {
  if (const auto slash = id.rfind('/'); slash != std::string_view::npos) {
    const std::string_view name = id.substr(slash + 1);
    const std::size_t dash = name.starts_with("agent-") ? 6 : 0;
    return {name.substr(0, dash), name.substr(dash)};
  }
  const auto colon = id.find(':');
  const std::size_t cut = colon == std::string_view::npos ? 0 : colon + 1;
  return {id.substr(0, cut), id.substr(cut)};
}

// Characters that two tails have in common at their start.
std::size_t common_chars(std::string_view a, std::string_view b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return text::count_chars(a.substr(0, static_cast<std::size_t>(end - a.begin())));
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

std::vector<std::string> short_ids(const std::vector<std::string>& ids) {
  // Sorted, an id shares its longest start with one of its neighbours.
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> lengths;
  for (const std::string& id : ids) {
    const Parts parts = split(id);
    lengths.try_emplace({parts.head, parts.tail}, kShortest);
  }
  for (auto it = lengths.begin(); it != lengths.end(); ++it) {
    const auto next = std::next(it);
    if (next == lengths.end() || next->first.first != it->first.first) continue;
    const std::size_t needed = common_chars(it->first.second, next->first.second) + 1;
    it->second = std::max(it->second, needed);
    next->second = std::max(next->second, needed);
  }
  std::vector<std::string> shortened;
  shortened.reserve(ids.size());
  for (const std::string& id : ids) {
    const Parts parts = split(id);
    std::string shown(parts.head);
    shown += text::first_chars(parts.tail, lengths.at({parts.head, parts.tail}));
    shortened.push_back(std::move(shown));
  }
  return shortened;
}

}  // namespace yore::search
