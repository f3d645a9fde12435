// ledger.hpp — what setup has done to files of others, so that it can be taken back without a
// guess.
//
// keep/setup.json in the data directory, 0600. A row is written before its file is: it holds true
// whether or not the file was written after all, for it knows the hash before and after.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_system.hpp"
#include "base/result.hpp"
#include "setup/edit/entry.hpp"

namespace yore::setup {

struct Change {
  std::string after;  // hash of what it makes
  Splices splices;
};

struct Row {
  std::string path;                 // as the agent names it; may be a link
  std::vector<std::string> agents;  // whose file it is
  bool whole = false;               // all of the file is ours; else one entry of it
  bool created = false;             // the file was not there
  std::string before;               // hash of what was there
  // The last is what was written, or was about to be; the others what may be there instead if it
  // was not. Each leads back to `before`.
  std::vector<Change> changes;
  Entry entry;              // unless `whole`
  std::size_t parents = 0;  // keys above the entry that were made for it
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

// Of the program that an entry starts; "" when it does not say.
std::string command_of(const Json& entry);
// Does the entry start `yore mcp`, wherever that lies?
bool starts_yore(const Json& entry);

}  // namespace yore::setup
