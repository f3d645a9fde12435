// row_objects.cpp — rows as JSON objects.
#include <algorithm>

#include "base/files/stand_in.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/input/zstd_text.hpp"
#include "transcript/stores/rows.hpp"

namespace yore::transcript {
namespace {

// As a JSON string. Bytes that are not UTF-8 stay as they are: they are counted where it is parsed.
void append_quoted(std::string_view text, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const auto odd = std::ranges::find_if(
        text, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; });
    const auto plain = static_cast<std::size_t>(odd - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte < ' ') {
      out.append("\\u00") += {kHex[byte >> 4U], kHex[byte & 0xFU]};
    } else {
      out.append("\\") += text.front();
    }
    text.remove_prefix(1);
  }
  out += '"';
}

}  // namespace

ColumnNames columns_of(const std::vector<FieldRule>& fields) {
  ColumnNames names;
  for (const FieldRule& field : fields) {
    names.insert(field.path.substr(0, field.path.find_first_of(".[")));
  }
  return names;
}

RowObjects::RowObjects(const RowsRule& rule, const ColumnNames& wanted, const Columns& there)
    : rule_(rule) {
  for (const std::string& name : wanted) {
    if (!there.contains(name)) continue;
    names_.push_back(name);
    sql_ += (sql_.empty() ? "" : ",") + sql_name(name) + ",typeof(" + sql_name(name) +
            ") IN ('integer','real')";
  }
  const bool packed = there.contains(rule.packed);
  if (packed) {
    names_.push_back(rule.packed);
    sql_ += (sql_.empty() ? "" : ",") + sql_name(rule.packed) + ",0";
  }
  if (names_.empty()) sql_ = "NULL";
}

bool RowObjects::read(const Statement& row, int first, std::string& object) const {
  object = "{";
  bool whole = true;
  for (std::size_t i = 0; i < names_.size() && whole; ++i) {
    const int column = first + static_cast<int>(i) * 2;
    if (row.is_null(column)) continue;
    object.append(object.size() > 1 ? ",\"" : "\"").append(names_[i]).append("\":");
    whole = append_value(row, column, names_[i], object);
  }
  object += '}';
  return whole && object.size() <= kMaxRecordBytes;
}

bool RowObjects::append_value(const Statement& row, int column, const std::string& name,
                              std::string& object) const {
  std::string_view text = row.text(column);
  if (name == rule_.packed) {
    object += rule_.unpack == nullptr ? std::string("[]") : rule_.unpack(text);
    return true;
  }
  Decoded decoded;
  if (is_compressed(text)) {
    decoded = decompress(text, kMaxRecordBytes);
    if (decoded.state != Decoded::State::whole) return false;
    text = decoded.text;
  }
  bool raw = row.integer(column + 1) != 0;
  if (std::ranges::find(rule_.json, name) != rule_.json.end()) raw = !text.empty();
  for (const std::string& mark : rule_.json_after) {
    if (!text.starts_with(mark)) continue;
    text.remove_prefix(mark.size());
    raw = !text.empty();
    break;
  }
  if (raw) {
    object += text;
    return true;
  }
  append_quoted(text, object);
  return true;
}

Result<RowLists::Rows> RowLists::rows_of(Database& database, const std::string& path,
                                         const RowsRule& rule, const std::string& session) const {
  const std::string order = " ORDER BY " + sql_name(rule.order) + ",rowid";
  const std::string from = " FROM " + sql_name(rule.messages);
  const auto indexed = has_index(database, rule.messages, rule.session);
  if (!indexed) return indexed.error();
  // What stands in for a database that is gone holds few rows, and others each time.
  if (*indexed || StandIn::current() != nullptr) {
    Rows rows;
    auto query = database.prepare("SELECT rowid" + from + " WHERE " + sql_name(rule.session) +
                                  "=?1" + order);
    if (!query) return query.error();
    query->bind(1, session);
    while (true) {
      const auto row = query->step();
      if (!row) return row.error();
      if (!*row) return rows;
      rows.push_back(query->integer(0));
    }
  }
  const std::lock_guard lock(mutex_);  // those who wait want the same
  std::shared_ptr<const BySession>& kept = lists_[path];
  if (kept == nullptr) {
    auto all = std::make_shared<BySession>();
    const Status read = for_each_row(
        database, "SELECT " + sql_name(rule.session) + ",rowid" + from + order,
        [&](const Statement& row) { (*all)[std::string(row.text(0))].push_back(row.integer(1)); });
    if (!read) return read.error();
    kept = std::move(all);
  }
  const auto found = kept->find(session);
  return found == kept->end() ? Rows{} : found->second;
}

void RowLists::forget(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  lists_.erase(path);
}

}  // namespace yore::transcript
