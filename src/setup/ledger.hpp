// ledger.hpp — what setup has done to files of others, so that it can be taken back without a
// guess.
//
// keep/setup.json in the data directory, 0600. A row is written before its file is: it holds true
// whether or not the file was written after all, for it knows the hash before and after.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_system.hpp"
#include "base/result.hpp"
#include "setup/edit/entry.hpp"

namespace yore::setup {

// Edits of a text one after the other, each in the text that the one before has made.
using Edits = std::vector<Splices>;
std::optional<std::string> take_back(std::string_view after, const Edits& edits);
std::optional<std::string> take_back_loosely(std::string_view now, const Edits& edits);

struct Change {
  std::string after;  // hash of what it makes
  Edits edits;
};

// An entry of ours in a file.
struct Held {
  Entry entry;
  std::size_t parents = 0;  // keys above it that were made for it
};

struct Row {
  std::string path;                 // as the agent names it; may be a link
  std::vector<std::string> agents;  // whose file it is
  bool whole = false;               // all of the file is ours; else the entries are
  bool created = false;             // the file was not there
  std::string before;               // hash of what was there
  // The last is what was written, or was about to be; the others what may be there instead if it
  // was not. Each leads back to `before`.
  std::vector<Change> changes;
  std::vector<Held> entries;  // unless `whole`; in the order in which they were put in

  // What stands at this place; nullptr: nothing of ours.
  [[nodiscard]] const Held* at(const Entry& place) const;
};

struct Ledger {
  std::vector<Row> rows;
  std::vector<std::string> folders;  // that were made, outer ones first

  [[nodiscard]] Row* find(std::string_view path);
  [[nodiscard]] const Row* find(std::string_view path) const;
};

std::string ledger_path(const std::string& data_dir);
// Empty where nothing was ever set up. corrupt: it cannot be read; nothing is changed then.
Result<Ledger> load_ledger(const std::string& data_dir, const FileSystem& files);
// One without rows removes the file.
Status save_ledger(const std::string& data_dir, const Ledger& ledger, const FileSystem& files);

// The program that an entry starts; "" when it does not say. `place` tells where a hook has it.
std::string command_of(const Json& value, const Entry& place);
// Does the entry start yore, wherever that lies?
bool starts_yore(const Json& value, const Entry& place);
// The entry with another program in it.
Json with_command(Json value, const Entry& place, const std::string& program);

}  // namespace yore::setup
