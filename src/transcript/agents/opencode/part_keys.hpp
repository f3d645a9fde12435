// part_keys.hpp — which parts the messages of one page have, found in one ordered pass.
//
// A query per message would walk the whole table for each of them where the owner's indexes are
// missing. Only keys are held, kMaxKeys at most; what the parts say is fetched row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "base/sqlite.hpp"
#include "transcript/agents/opencode/store.hpp"

namespace yore::transcript::opencode {

struct PartKey {
  std::string id;
  std::int64_t row = 0;
};

class PartKeys {
 public:
  static constexpr std::size_t kMaxKeys = 20'000;

  // The messages of this page are asked for next. What was found before is forgotten: parts are
  // added as long as their message is open.
  void begin(const Page& messages);
  // Is the message one of the page?
  [[nodiscard]] bool knows(const std::string& message_id) const;

  // The parts of a message behind `after`, in order of their ids; `whole`: up to the last. When not
  // all could be held, at least one is there. REQUIRES: knows(message_id); the database is the
  // page's.
  struct Found {
    std::span<const PartKey> keys;
    bool whole = true;
  };
  Result<Found> find(Database& database, const std::string& message_id, const std::string& after);

 private:
  // Behind this part of this message.
  struct Place {
    std::string message_id;
    std::string id;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  // None: another pass is needed.
  [[nodiscard]] std::optional<Found> held(const Place& place) const;
  Status fetch(Database& database, Place from);

  std::vector<std::string> messages_;                           // sorted
  std::unordered_map<std::string, std::vector<PartKey>> keys_;  // by message
  std::optional<Place> from_;                                   // where the last pass began
  std::optional<Place> until_;                                  // and ended, if not at the end
};

}  // namespace yore::transcript::opencode
