#include "setup/ledger.hpp"

#include <algorithm>

#include "base/files/file.hpp"
#include "setup/user_file.hpp"
#include "store/tombstones.hpp"

namespace yore::setup {
namespace {

constexpr int kLedgerVersion = 1;

Json to_json(const Row& row) {
  Json changes = Json::array();
  for (const Change& change : row.changes) {
    Json splices = Json::array();
    for (const Splice& splice : change.splices) {
      splices.push_back({{"at", splice.at}, {"removed", splice.removed}, {"added", splice.added}});
    }
    changes.push_back({{"after", change.after}, {"splices", std::move(splices)}});
  }
  Json json = {{"path", row.path},       {"agents", row.agents}, {"whole", row.whole},
               {"created", row.created}, {"before", row.before}, {"changes", std::move(changes)}};
  if (!row.whole) {
    json["entry"] = {{"format", static_cast<int>(row.entry.format)},
                     {"keys", row.entry.keys},
                     {"listed", row.entry.listed},
                     {"name", row.entry.name},
                     {"value", row.entry.value}};
    json["parents"] = row.parents;
  }
  return json;
}

// Throws what the library throws: caught in load_ledger.
Row to_row(const Json& json) {
  Row row;
  row.path = json.at("path");
  row.agents = json.at("agents").get<std::vector<std::string>>();
  row.whole = json.at("whole");
  row.created = json.at("created");
  row.before = json.at("before");
  for (const Json& each : json.at("changes")) {
    Change change{each.at("after"), {}};
    for (const Json& splice : each.at("splices")) {
      change.splices.push_back({splice.at("at"), splice.at("removed"), splice.at("added")});
    }
    row.changes.push_back(std::move(change));
  }
  if (row.whole) return row;
  const Json& entry = json.at("entry");
  const int format = entry.at("format");
  if (format < 0 || format > static_cast<int>(Format::yaml)) throw std::out_of_range("format");
  row.entry.format = static_cast<Format>(format);
  row.entry.keys = entry.at("keys").get<std::vector<std::string>>();
  row.entry.listed = entry.at("listed");
  row.entry.name = entry.at("name");
  row.entry.value = entry.at("value");
  row.parents = json.at("parents");
  return row;
}

}  // namespace

Row* Ledger::find(std::string_view path) {
  const auto it = std::ranges::find(rows, path, &Row::path);
  return it == rows.end() ? nullptr : &*it;
}

const Row* Ledger::find(std::string_view path) const {
  const auto it = std::ranges::find(rows, path, &Row::path);
  return it == rows.end() ? nullptr : &*it;
}

std::string ledger_path(const std::string& data_dir) {
  return path_join(store::keep_directory(data_dir), "setup.json");
}

Result<Ledger> load_ledger(const std::string& data_dir, const FileSystem& files) {
  const std::string path = ledger_path(data_dir);
  const auto bytes = files.read_file(path);
  if (!bytes && bytes.error().code == Errc::not_found) return Ledger{};
  if (!bytes) return bytes.error();
  try {
    const Json json = Json::parse(*bytes);
    if (json.at("version") != kLedgerVersion) {
      return Error{Errc::unsupported, path + " was written by another version of yore"};
    }
    Ledger ledger;
    for (const Json& row : json.at("rows")) ledger.rows.push_back(to_row(row));
    ledger.folders = json.at("folders").get<std::vector<std::string>>();
    return ledger;
  } catch (const std::exception& failure) {
    return Error{Errc::corrupt, path + " cannot be read: " + failure.what(),
                 "it says what setup wrote; look at it before removing it"};
  }
}

Status save_ledger(const std::string& data_dir, const Ledger& ledger, const FileSystem& files) {
  const std::string path = ledger_path(data_dir);
  if (ledger.rows.empty() && ledger.folders.empty()) {
    remove_leftover(path, files);
    return files.remove_file(path);
  }
  Json rows = Json::array();
  for (const Row& row : ledger.rows) rows.push_back(to_json(row));
  const Json json = {
      {"version", kLedgerVersion}, {"rows", std::move(rows)}, {"folders", ledger.folders}};
  if (Status made = make_directories(std::string(path_dirname(path))); !made) return made;
  // Paths are any bytes; ours come from the environment.
  const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  const auto there = files.read_file(path);
  return there && *there == text ? Status{} : put_private_file(path, text, files);
}

std::string command_of(const Json& entry) {
  for (const char* key : {"command", "cmd"}) {
    if (!entry.is_object() || !entry.contains(key)) continue;
    const Json& command = entry[key];
    if (command.is_string()) return command;
    if (command.is_array() && !command.empty() && command[0].is_string()) return command[0];
  }
  return "";
}

bool starts_yore(const Json& entry) {
  if (path_basename(command_of(entry)) != "yore") return false;
  for (const char* key : {"args", "command"}) {
    if (!entry.contains(key) || !entry[key].is_array()) continue;
    const std::size_t first = std::string_view(key) == "args" ? 0 : 1;
    if (entry[key].size() > first && entry[key][first] == "mcp") return true;
  }
  return false;
}

}  // namespace yore::setup
