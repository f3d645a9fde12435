#include "setup/ledger.hpp"

#include <algorithm>

#include "base/files/file.hpp"
#include "setup/user_file.hpp"
#include "store/tombstones.hpp"
#include "text/shell.hpp"

namespace yore::setup {
namespace {

constexpr int kLedgerVersion = 2;

Json to_json(const Row& row) {
  Json changes = Json::array();
  for (const Change& change : row.changes) {
    Json edits = Json::array();
    for (const Splices& edit : change.edits) {
      Json splices = Json::array();
      for (const Splice& splice : edit) {
        splices.push_back(
            {{"at", splice.at}, {"removed", splice.removed}, {"added", splice.added}});
      }
      edits.push_back(std::move(splices));
    }
    changes.push_back({{"after", change.after}, {"edits", std::move(edits)}});
  }
  Json json = {{"path", row.path},       {"agents", row.agents}, {"whole", row.whole},
               {"created", row.created}, {"before", row.before}, {"changes", std::move(changes)}};
  for (const Held& held : row.entries) {
    const Entry& entry = held.entry;
    json["entries"].push_back({{"format", static_cast<int>(entry.format)},
                               {"keys", entry.keys},
                               {"listed", entry.listed},
                               {"name", entry.name},
                               {"mark", entry.mark},
                               {"value", entry.value},
                               {"parents", held.parents}});
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
    for (const Json& edit : each.at("edits")) {
      Splices& splices = change.edits.emplace_back();
      for (const Json& splice : edit) {
        splices.push_back({splice.at("at"), splice.at("removed"), splice.at("added")});
      }
    }
    row.changes.push_back(std::move(change));
  }
  if (row.whole) return row;
  for (const Json& each : json.at("entries")) {
    Held& held = row.entries.emplace_back();
    const int format = each.at("format");
    if (format < 0 || format > static_cast<int>(Format::yaml)) throw std::out_of_range("format");
    held.entry.format = static_cast<Format>(format);
    held.entry.keys = each.at("keys").get<std::vector<std::string>>();
    held.entry.listed = each.at("listed");
    held.entry.name = each.at("name");
    held.entry.mark = each.at("mark");
    held.entry.value = each.at("value");
    held.parents = each.at("parents");
  }
  return row;
}

// Whole programs stand in quotes where a shell needs them: '/a b/yore' recall …
std::string unquoted(std::string_view word) {
  const bool quoted = word.size() > 1 && word.front() == '\'' && word.back() == '\'';
  return std::string(quoted ? word.substr(1, word.size() - 2) : word);
}

}  // namespace

std::optional<std::string> take_back(std::string_view after, const Edits& edits) {
  std::optional<std::string> text(after);
  for (auto edit = edits.rbegin(); text && edit != edits.rend(); ++edit) {
    text = take_back(*text, *edit);
  }
  return text;
}

std::optional<std::string> take_back_loosely(std::string_view now, const Edits& edits) {
  std::optional<std::string> text(now);
  for (auto edit = edits.rbegin(); text && edit != edits.rend(); ++edit) {
    text = take_back_loosely(*text, *edit);
  }
  return text;
}

const Held* Row::at(const Entry& place) const {
  const auto it = std::ranges::find_if(
      entries, [&](const Held& held) { return is_same_place(held.entry, place); });
  return it == entries.end() ? nullptr : &*it;
}

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

std::string command_of(const Json& value, const Entry& place) {
  if (!place.mark.empty()) {
    const Json* text = marked_text(value, place.mark);
    if (text == nullptr) return "";
    const auto& line = text->get_ref<const std::string&>();
    return unquoted(std::string_view(line).substr(0, line.find(place.mark)));
  }
  for (const char* key : {"command", "cmd"}) {
    if (!value.is_object() || !value.contains(key)) continue;
    const Json& command = value[key];
    if (command.is_string()) return command;
    if (command.is_array() && !command.empty() && command[0].is_string()) return command[0];
  }
  return "";
}

bool starts_yore(const Json& value, const Entry& place) {
  if (path_basename(command_of(value, place)) != "yore") return false;
  if (!place.mark.empty()) return true;
  for (const char* key : {"args", "command"}) {
    if (!value.contains(key) || !value[key].is_array()) continue;
    const std::size_t first = std::string_view(key) == "args" ? 0 : 1;
    if (value[key].size() > first && value[key][first] == "mcp") return true;
  }
  return false;
}

Json with_command(Json value, const Entry& place, const std::string& program) {
  if (!place.mark.empty()) {
    // The value is ours to change.
    auto* text = const_cast<Json*>(marked_text(value, place.mark));  // NOLINT
    if (text == nullptr) return value;
    const auto& line = text->get_ref<const std::string&>();
    *text = text::shell_quote(program) + line.substr(line.find(place.mark));
    return value;
  }
  for (const char* key : {"command", "cmd"}) {
    if (!value.contains(key)) continue;
    (value[key].is_array() ? value[key][0] : value[key]) = program;
  }
  return value;
}

}  // namespace yore::setup
