// The editor of TOML: an entry is a table at the end of the text.
#include <algorithm>
#include <sstream>

#include "base/toml.hpp"
#include "setup/edit/emit.hpp"
#include "setup/edit/formats.hpp"
#include "setup/edit/layout.hpp"
#include "setup/edit/toml_text.hpp"

namespace yore::setup {
namespace {

Result<toml::table> parse_toml(std::string_view bytes) {
  if (Status checked = check_text(bytes); !checked) return checked.error();
  // toml++ 3.3 takes "# …" right behind a byte order mark for more than a comment.
  toml::parse_result parsed = toml::parse(bytes.substr(mark_bytes(bytes)));
  if (parsed.failed()) {
    const toml::parse_error& error = parsed.error();
    return Error{Errc::corrupt, "line " + std::to_string(error.source().begin.line) + ": " +
                                    std::string(error.description())};
  }
  return std::move(parsed).table();
}

Json value_of(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json object = Json::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = value_of(value);
    return object;
  }
  if (const auto* list = node.as_array()) {
    Json items = Json::array();
    for (const toml::node& item : *list) items.push_back(value_of(item));
    return items;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  std::ostringstream out;  // dates; fractions too, for NaN is not even equal to itself
  node.visit([&out](const auto& each) { out << each; });
  return out.str();
}

// The table or list that the entry stands in; null when a key is missing.
Result<toml::node*> toml_parent(toml::table& root, const Entry& entry, std::size_t& found) {
  toml::node* node = &root;
  found = 0;
  for (const std::string& key : entry.keys) {
    toml::table* table = node->as_table();
    if (table == nullptr || table->is_inline()) return no_place(key, "a table");
    node = table->get(key);
    if (node == nullptr) return static_cast<toml::node*>(nullptr);
    ++found;
  }
  const bool fits = entry.listed ? node->is_array() : node->is_table();
  if (!fits) return no_place(entry.keys.back(), entry.listed ? "a list" : "a table");
  return node;
}

// Of a list, the item with this name; of a table, the entry.
Result<toml::node*> toml_entry(toml::node& parent, const Entry& entry) {
  if (!entry.listed) return parent.as_table()->get(entry.name);
  toml::node* found = nullptr;
  for (toml::node& item : *parent.as_array()) {
    const toml::table* table = item.as_table();
    if (table == nullptr) continue;
    const bool is_it = entry.mark.empty() ? (*table)["name"].value<std::string_view>() == entry.name
                                          : marked_text(value_of(item), entry.mark) != nullptr;
    if (!is_it) continue;
    if (found != nullptr) return twice(entry.mark.empty() ? entry.name : entry.mark);
    found = &item;
  }
  return found;
}

// toml++ sorts keys: what is wanted gives the order.
Json in_order(const Json& found, const Json& wanted) {
  if (!found.is_object()) return found;
  Json ordered = Json::object();
  for (const auto& [key, value] : wanted.items()) {
    if (found.contains(key)) ordered[key] = found[key];
  }
  for (const auto& [key, value] : found.items()) {
    if (!ordered.contains(key)) ordered[key] = value;
  }
  return ordered;
}

Result<std::optional<Json>> toml_find(std::string_view bytes, const Entry& entry) {
  auto root = parse_toml(bytes);
  if (!root) return root.error();
  std::size_t depth = 0;
  const auto parent = toml_parent(*root, entry, depth);
  if (!parent) return parent.error();
  if (*parent == nullptr) return std::optional<Json>();
  const auto node = toml_entry(**parent, entry);
  if (!node) return node.error();
  if (*node == nullptr) return std::optional<Json>();
  return std::optional<Json>(in_order(value_of(**node), entry.value));
}

Result<std::size_t> toml_missing(std::string_view bytes, const Entry& entry) {
  auto root = parse_toml(bytes);
  if (!root) return root.error();
  std::size_t depth = 0;
  const auto parent = toml_parent(*root, entry, depth);
  if (!parent) return parent.error();
  return entry.keys.size() - depth;
}

Result<Splices> toml_insert(std::string_view bytes, const Entry& entry) {
  auto root = parse_toml(bytes);
  if (!root) return root.error();
  std::size_t depth = 0;
  const auto parent = toml_parent(*root, entry, depth);
  if (!parent) return parent.error();
  if (*parent != nullptr) {
    const toml::table* table = (*parent)->as_table();
    if (table != nullptr && table->is_inline()) return no_place(entry.keys.back(), "a table");
  }
  const std::string newline(line_end(bytes));
  std::string header;
  for (const std::string& key : entry.keys) header += (header.empty() ? "" : ".") + toml_key(key);
  header = entry.listed ? "[[" + header + "]]" : "[" + header + "." + toml_key(entry.name) + "]";
  std::string text;
  if (bytes.size() > mark_bytes(bytes)) {
    const bool ends_line = bytes.back() == '\n';
    const bool ends_blank = bytes.ends_with("\n\n") || bytes.ends_with("\n\r\n");
    text = (ends_line ? "" : newline) + (ends_blank ? "" : newline);
  }
  text += header + newline + toml_lines(entry.value, newline);
  return Splices{{bytes.size(), "", std::move(text)}};
}

bool starts_with(const std::vector<std::string>& path, const std::vector<std::string>& start) {
  return path.size() >= start.size() && std::equal(start.begin(), start.end(), path.begin());
}

// Is this statement part of the entry? `item` is the number of the header of its list item.
bool belongs(const TomlStatement& statement, const std::vector<std::string>& path,
             const Entry& entry, std::size_t item, std::size_t item_end) {
  if (!entry.listed) return starts_with(statement.path, path);
  return starts_with(statement.path, entry.keys) && statement.table >= item &&
         statement.table < item_end;
}

// Is it the pair of a list item by which that is known to be the entry?
bool tells_apart(const TomlStatement& statement, const Entry& entry) {
  const std::string_view value = statement.value;
  if (!entry.mark.empty()) return value.find(entry.mark) != std::string_view::npos;
  return statement.path.back() == "name" && value.size() > entry.name.size() + 1 &&
         value.substr(1, entry.name.size()) == entry.name &&
         value[entry.name.size() + 1] == value[0];
}

// Numbers of the headers [first, last) that make up the item of the list with the entry's name.
std::pair<std::size_t, std::size_t> item_of(const std::vector<TomlStatement>& statements,
                                            const Entry& entry) {
  std::size_t item = 0;
  std::size_t wanted = 0;
  std::size_t headers = 0;
  std::size_t end = 0;
  for (const TomlStatement& statement : statements) {
    if (statement.kind != TomlStatement::Kind::pair) {
      headers = statement.table;
      const bool begins =
          statement.kind == TomlStatement::Kind::list_item && statement.path == entry.keys;
      if (wanted != 0 && end == 0 && (begins || !starts_with(statement.path, entry.keys))) {
        end = headers;
      }
      if (begins) item = headers;
      if (!begins && !starts_with(statement.path, entry.keys)) item = 0;
      continue;
    }
    if (item == 0 || statement.table != item) continue;
    if (statement.path.size() == entry.keys.size() + 1 && tells_apart(statement, entry)) {
      wanted = item;
    }
  }
  return {wanted, wanted != 0 && end == 0 ? headers + 1 : end};
}

// Tables above the entry have no line of their own unless somebody wrote one, and that stays.
Result<Splices> toml_remove(std::string_view bytes, const Entry& entry, std::size_t /*parents*/) {
  const auto found = toml_find(bytes, entry);
  if (!found) return found.error();
  if (!*found) return Error{Errc::not_found, "the entry is not there"};
  const std::vector<TomlStatement> statements = toml_statements(bytes);
  std::vector<std::string> path = entry.keys;
  path.push_back(entry.name);
  const auto [item, item_end] = item_of(statements, entry);
  Splices splices;
  for (const TomlStatement& statement : statements) {
    if (!belongs(statement, path, entry, item, item_end)) continue;
    std::size_t begin = statement.begin;
    // One empty line before a header goes with it.
    if (statement.kind != TomlStatement::Kind::pair && begin > 0) {
      const std::size_t before = line_begin(bytes, begin - 1);
      const std::string_view line = bytes.substr(before, begin - before);
      if (line == "\n" || line == "\r\n") begin = before;
    }
    if (!splices.empty()) {
      Splice& last = splices.back();
      const std::size_t last_end = last.at + last.removed.size();
      if (last_end >= begin) {
        last.removed += bytes.substr(last_end, statement.end - last_end);
        continue;
      }
    }
    splices.push_back({begin, std::string(bytes.substr(begin, statement.end - begin)), ""});
  }
  return splices;
}

bool toml_differ(std::string_view less, std::string_view more, const Entry& entry) {
  auto a = parse_toml(less);
  auto b = parse_toml(more);
  if (!a || !b) return false;
  std::size_t depth = 0;
  const auto parent = toml_parent(*b, entry, depth);
  if (!parent || *parent == nullptr) return false;
  if (entry.listed) {
    toml::array& list = *(*parent)->as_array();
    const auto node = toml_entry(**parent, entry);
    if (!node || *node == nullptr) return false;
    for (auto it = list.begin(); it != list.end(); ++it) {
      if (&*it != *node) continue;
      list.erase(it);
      break;
    }
  } else if (!(*parent)->as_table()->erase(entry.name)) {
    return false;
  }
  // Keys above it that only the entry needed.
  const auto prune = [&entry](toml::table& root) {
    for (std::size_t count = entry.keys.size(); count > 0; --count) {
      toml::table* table = &root;
      for (std::size_t i = 0; i + 1 < count && table != nullptr; ++i) {
        table = table->get_as<toml::table>(entry.keys[i]);
      }
      if (table == nullptr) continue;
      const toml::node* node = table->get(entry.keys[count - 1]);
      if (node == nullptr) continue;
      const bool empty = (node->is_table() && node->as_table()->empty()) ||
                         (node->is_array() && node->as_array()->empty());
      if (!empty) return;
      table->erase(entry.keys[count - 1]);
    }
  };
  prune(*a);
  prune(*b);
  return value_of(*a) == value_of(*b);
}

}  // namespace

const Editor kTomlEditor = {toml_find, toml_missing, toml_insert, toml_remove, toml_differ};

}  // namespace yore::setup
