// store.hpp — one session of OpenCode as its messages and their parts, wherever they lie:
// in the database (opencode_sqlite) or in a tree of small JSON files (opencode_tree).
//
// A session is a row `session(id, directory, version, revert …)`; messages stand in the order of
// their creation, and a message's words in parts of their own. All of them are edited in place
// while the assistant works; opencode_session.hpp tells how that is read step by step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "transcript/adapter.hpp"
#include "transcript/limits.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::opencode {

// What one call fetches; nothing is open while it is worked on.
inline constexpr std::size_t kPageItems = 512;
inline constexpr std::size_t kPageBytes = 4 << 20;

// How a session's SessionRef::row begins; the id follows.
inline constexpr std::string_view kPartsRow = "message:";               // tables message and part
inline constexpr std::string_view kProjectionRow = "session_message:";  // table session_message
inline constexpr std::string_view kTreeRow = "storage:";             // storage/session/<project>/
inline constexpr std::string_view kOldTreeRow = "storage/session:";  // …/storage/session/info/

struct Item {
  std::string place;  // where it stands among its siblings; only its store knows the form
  std::string id;
  std::string type;  // of a row of session_message; "" elsewhere
  std::string json;
  std::optional<ProblemKind> problem;  // it could not be fetched
};

struct Page {
  std::vector<Item> items;
  bool last = true;  // nothing stands behind it
};

struct SessionInfo {
  std::string id;
  std::string parent_id;
  std::string directory;
  std::string title;
  std::string version;
  // A reverted session hides this message and all behind it, or what follows within it.
  std::string reverted_message;
  std::string reverted_part;
  std::int64_t updated_ms = 0;
};

class MessageStore {
 public:
  virtual ~MessageStore() = default;
  virtual Result<SessionInfo> info() = 0;
  // "" is before the first. A page holds at least one item when there is one.
  virtual Result<Page> messages_after(const std::string& place) = 0;
  // The parts of a message of the last page.
  virtual Result<Page> parts_after(const std::string& message_id, const std::string& place) = 0;
  // How many messages stand up to this place; 0 when none stands exactly there.
  virtual Result<std::uint64_t> count_until(const std::string& place) = 0;
  // How many parts the message at this place has, be it of the last page or not.
  virtual Result<std::uint64_t> part_count(const std::string& place) = 0;
  // May an item be found half-written?
  [[nodiscard]] virtual bool may_be_torn() const = 0;
};

// REQUIRES: `session` comes from list_database or list_tree.
Result<std::unique_ptr<MessageStore>> open_database(const SessionRef& session);
std::unique_ptr<MessageStore> open_tree(const SessionRef& session);

// A title that nobody gave: "New session - 2026-03-01T10:00:00.000Z".
bool is_placeholder(std::string_view title);
// Reads a session's own JSON, or the JSON of its column `revert`. What is malformed stays empty;
// false when it is no object.
bool read_session_json(std::string_view json, SessionInfo& out);
void read_revert_json(std::string_view json, SessionInfo& out);
// Fills id and parent (as the agent knows them), title and directory; the rest is the place's.
SessionRef make_ref(const SessionInfo& info, const std::string& path, std::string_view row);

}  // namespace yore::transcript::opencode
