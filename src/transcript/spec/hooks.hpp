// hooks.hpp — C++ for what is odd about an agent that is otherwise described as data. Null: as the
// description says.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/adapter.hpp"
#include "transcript/spec/record_draft.hpp"

namespace yore::transcript {

// Beside one reading of a session, from its cursor on.
class RecordHook {
 public:
  virtual ~RecordHook() = default;
  // A record is about to be delivered: its draft and what it counts as may be changed.
  virtual void adjust(RecordDraft& draft) = 0;
  // What has to be known at the next reading; it becomes part of the cursor.
  [[nodiscard]] virtual std::string save() const { return {}; }
};

// A folder to look through, and what was worked in when the sessions in it do not tell.
struct HookedRoot {
  std::string path;
  std::string cwd;
};

struct Hooks {
  // Where the sessions of a root lie when that is written in a file of its own; looked through in
  // place of the root.
  std::vector<HookedRoot> (*roots)(const Root& root, const FileView& files) = nullptr;
  Result<Listing> (*sessions)(const Root& root, const PreviousListing& known) = nullptr;
  // `saved`: what save() gave at the end of the last reading; "" at the start.
  std::unique_ptr<RecordHook> (*reading)(std::string_view saved) = nullptr;
  // Of a value that only the agent can read (RowsRule::packed): a JSON list of records.
  std::string (*unpack)(std::string_view bytes) = nullptr;
  // Of a conversation that is spread over tables (RowsRule::assemble): a JSON document.
  Result<std::string> (*assemble)(Database& database, std::string_view id) = nullptr;
  // Of a session that is spread over files: the document that the file at `path` stands for.
  Result<std::string> (*document)(const std::string& path) = nullptr;
  std::vector<std::string> (*resume)(std::string_view native_id) = nullptr;
  std::string (*directory_name)(std::string_view cwd) = nullptr;
};

}  // namespace yore::transcript
