#include "transcript/agents/opencode/part_keys.hpp"

#include <algorithm>
#include <utility>

namespace yore::transcript::opencode {

void PartKeys::begin(const Page& messages) {
  messages_.clear();
  for (const Item& message : messages.items) messages_.push_back(message.id);
  std::ranges::sort(messages_);
  messages_.erase(std::unique(messages_.begin(), messages_.end()), messages_.end());
  keys_.clear();
  from_.reset();
  until_.reset();
}

bool PartKeys::knows(const std::string& message_id) const {
  return std::ranges::binary_search(messages_, message_id);
}

Result<PartKeys::Found> PartKeys::find(Database& database, const std::string& message_id,
                                       const std::string& after) {
  Place place{message_id, after};
  // From the first message on: the others are asked for as well.
  if (!from_) {
    if (const Status fetched = fetch(database, {}); !fetched) return fetched.error();
  }
  if (const auto found = held(place)) return *found;
  if (const Status fetched = fetch(database, place); !fetched) return fetched.error();
  return held(place).value_or(Found{});
}

std::optional<PartKeys::Found> PartKeys::held(const Place& place) const {
  if (place < *from_) return std::nullopt;
  const bool whole = !until_ || place.message_id < until_->message_id;
  const auto found = keys_.find(place.message_id);
  if (found == keys_.end()) return whole ? std::optional<Found>{Found{}} : std::nullopt;
  const std::vector<PartKey>& keys = found->second;
  const auto begin = std::ranges::upper_bound(keys, place.id, {}, &PartKey::id);
  if (!whole && begin == keys.end()) return std::nullopt;
  return Found{{begin, keys.end()}, whole};
}

Status PartKeys::fetch(Database& database, Place from) {
  keys_.clear();
  until_.reset();
  from_ = std::move(from);
  std::string wanted;
  for (std::size_t i = 0; i < messages_.size(); ++i) wanted += i == 0 ? "?" : ",?";
  // Bytes are compared, whatever order the columns were declared with: held() relies on it.
  auto query = database.prepare(
      "SELECT message_id, id, rowid FROM part WHERE message_id IN (" + wanted +
      ") AND typeof(id) = 'text' AND (message_id COLLATE BINARY, id COLLATE BINARY) > (?, ?) "
      "ORDER BY message_id COLLATE BINARY, id COLLATE BINARY LIMIT " +
      std::to_string(kMaxKeys));
  if (!query) return query.error();
  int index = 0;
  for (const std::string& message : messages_) query->bind(++index, std::string_view(message));
  query->bind(index + 1, std::string_view(from_->message_id));
  query->bind(index + 2, std::string_view(from_->id));
  std::size_t rows = 0;
  for (; true; ++rows) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) break;
    const std::string message(query->text(0));
    keys_[message].push_back({std::string(query->text(1)), query->integer(2)});
    if (rows + 1 == kMaxKeys) until_ = {message, keys_[message].back().id};
  }
  return {};
}

}  // namespace yore::transcript::opencode
