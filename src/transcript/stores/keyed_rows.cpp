// keyed_rows.cpp — a table of keys and JSON values in a SQLite database, as editors keep them:
//   "chat:{id}"           the session: its fields by the rules of [head]
//   "message:{id}:{any}"  a message of it
// Messages come in the order that the session's value gives (`order`), else in the order in which
// they were put there. Without a pattern for messages, or where none of them is there, the value is
// a document that holds them (document.cpp).
//
// What changed is seen by rowids where the table says that rows are replaced ("ON CONFLICT
// REPLACE", as editors of this family do): a value that is put in the place of another gets a new
// one. The owner's index has keys and rowids, so a listing reads that index and no value. Of other
// tables the values are read.
//
// Locks: a log in front of the database or not, no statement lasts longer than a page of keys or
// one value. Between two of them the owner may write; a session that changes while it is read is
// read again by the next run.
#include <map>
#include <optional>

#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/stores/foreign_database.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

constexpr int kPageKeys = 4096;

// What every key of a pattern begins with.
std::string_view plain_start(std::string_view pattern) {
  return pattern.substr(0, pattern.find_first_of("*?{"));
}

// One row without its value.
struct KeyRow {
  std::string key;
  std::uint64_t rowid = 0;
  std::uint64_t version = 0;  // another one when the value is another
};

// A database of this kind, opened for one listing or one reading.
class KeyedTable {
 public:
  static Result<KeyedTable> open(const std::string& path, const KeyedRule& rule) {
    auto database = open_foreign(path);
    if (!database) return database.error();
    const auto known = table_columns(*database, rule.table);
    if (!known) return known.error();
    if (!has_all(*known, {rule.key, rule.value})) {
      return Error{Errc::unsupported,
                   "no table " + rule.table + " with the columns that are needed"};
    }
    const auto replaces = replaces_rows(*database, rule.table);
    if (!replaces) return replaces.error();
    const std::string key = sql_name(rule.key);
    const std::string from = " FROM " + sql_name(rule.table) + " WHERE " + key;
    const std::string value_or_not = *replaces ? "''" : sql_name(rule.value);
    auto page = database->prepare("SELECT " + key + ",rowid," + value_or_not + from + ">?1 AND " +
                                  key + "<?2 ORDER BY 1 LIMIT " + std::to_string(kPageKeys));
    if (!page) return page.error();
    auto value = database->prepare("SELECT " + sql_name(rule.value) + from + "=?1");
    if (!value) return value.error();
    return KeyedTable(std::move(*database), std::move(*page), std::move(*value));
  }

  // Calls on_row(row, captures) for each key of the pattern, in the order of keys.
  template <typename OnRow>
  Status each_key(const std::string& pattern, const OnRow& on_row) {
    std::string last(plain_start(pattern));
    const std::string end = last + "\xff";
    std::vector<KeyRow> rows;
    do {
      rows.clear();
      page_.bind(1, last).bind(2, end);
      auto more = page_.step();
      for (; more && *more; more = page_.step()) {
        const std::uint64_t rowid = page_.unsigned_integer(1);
        rows.push_back({std::string(page_.text(0)), rowid, hash64(page_.text(2), rowid)});
      }
      page_.reset();
      if (!more) return more.error();
      for (const KeyRow& row : rows) {
        if (const auto captures = match_name(pattern, row.key)) on_row(row, *captures);
      }
      if (!rows.empty()) last = rows.back().key;
    } while (rows.size() == kPageKeys);
    return {};
  }

  // nullopt: there is no such key, or nothing behind it.
  Result<std::optional<std::string>> value(const std::string& key) {
    value_.bind(1, key);
    const auto row = value_.step();
    std::optional<std::string> text;
    if (row && *row && !value_.is_null(0)) text = value_.text(0);
    value_.reset();
    if (!row) return row.error();
    return text;
  }

 private:
  static Result<bool> replaces_rows(Database& database, std::string_view table) {
    auto query = database.prepare(
        "SELECT sql LIKE '%ON CONFLICT REPLACE%' FROM sqlite_master WHERE type='table' AND "
        "name=?1");
    if (!query) return query.error();
    query->bind(1, table);
    const auto row = query->step();
    if (!row) return row.error();
    return *row && query->integer(0) != 0;
  }

  KeyedTable(Database database, Statement page, Statement value)
      : database_(std::move(database)), page_(std::move(page)), value_(std::move(value)) {}

  Database database_;
  Statement page_;
  Statement value_;
};

// The value at a path, as it is written; "" when there is none.
std::string_view raw_at(std::string_view json, std::string_view path) {
  const std::size_t dot = path.find('.');
  std::string_view found;
  each_raw_field(json, [&](std::string_view key, std::string_view value) {
    if (key == path.substr(0, dot)) found = value;
  });
  return dot == std::string_view::npos ? found : raw_at(found, path.substr(dot + 1));
}

class KeyedRowsStore final : public Replayed<SessionStore> {
 public:
  using Replayed::Replayed;

  Result<Listing> sessions(const Root& root, const PreviousListing& known) const override {
    Listing listing;
    return list_databases(spec_, root, known, listing,
                          [&](const std::string& path) { return list(path, listing); });
  }

  [[nodiscard]] std::vector<OwnRows> rows_of(const SessionRef& session) const override {
    const KeyedRule& rule = spec_.keyed;
    Captures own;
    own.set("id", session.row);
    const std::string key = sql_name(rule.key);
    std::vector<OwnRows> rows = {{rule.table, key + "=?1", {fill_pattern(rule.session, own)}}};
    if (rule.messages.empty()) return rows;
    const std::string first(plain_start(fill_pattern(rule.messages, own)));
    rows.push_back({rule.table, key + ">=?1 AND " + key + "<?2", {first, first + "\xff"}});
    return rows;
  }

 private:
  Status list(const std::string& path, Listing& listing) const {
    const KeyedRule& rule = spec_.keyed;
    auto table = KeyedTable::open(path, rule);
    if (!table) return table.error();
    std::map<std::string, SessionRef, std::less<>> found;
    Status status = table->each_key(rule.session, [&](const KeyRow& row, const Captures& captures) {
      const std::string id(captures.get("id"));
      SessionRef& session = found[id];
      session.id = session_id(spec_, "", id);
      session.path = path;
      session.row = id;
      add_to_stamp(row, session);
    });
    if (status && !rule.messages.empty()) {
      status = table->each_key(rule.messages, [&](const KeyRow& row, const Captures& captures) {
        const auto session = found.find(captures.get("id"));
        if (session != found.end()) add_to_stamp(row, session->second);
      });
    }
    if (!status) return status;
    for (auto& [id, session] : found) listing.sessions.push_back(std::move(session));
    return {};
  }

  static void add_to_stamp(const KeyRow& row, SessionRef& session) {
    ++session.stamp.size_bytes;
    const auto before = static_cast<std::uint64_t>(session.stamp.mtime_ns);
    session.stamp.mtime_ns = static_cast<std::int64_t>(hash64(row.key, before ^ row.version) >> 1U);
  }

  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    const KeyedRule& rule = spec_.keyed;
    auto table = KeyedTable::open(session.path, rule);
    if (!table) return table.error();
    Captures own;
    own.set("id", session.row);
    const auto value = table->value(fill_pattern(rule.session, own));
    if (!value) return value.error();
    if (!*value) return false;
    const auto keys = message_keys(*table, **value, own);
    if (!keys) return keys.error();
    const bool document = rule.messages.empty() || (keys->empty() && !spec_.messages.empty());
    if (document) return tell_document(**value, spec_, sink, reader);
    tell_head(**value, {}, sink, reader);
    return tell_messages(*table, *keys, sink, reader);
  }

  Result<bool> tell_messages(KeyedTable& table, const std::vector<std::string>& keys,
                             ReplaySink& sink, RecordReader& reader) const {
    std::uint64_t number = 0;
    for (const std::string& key : keys) {
      if (sink.full()) return true;
      ++number;
      const auto value = table.value(key);
      if (!value && value.error().code == Errc::busy) return value.error();
      if (!value) {
        sink.problem(ProblemKind::oversized, 0);  // or damaged: this one cannot be had
      } else if (*value) {
        tell_text(**value, {number, 0}, sink, reader);
      }
    }
    return false;
  }

  // The keys of a session's messages, in order.
  Result<std::vector<std::string>> message_keys(KeyedTable& table, std::string_view value,
                                                const Captures& own) const {
    const KeyedRule& rule = spec_.keyed;
    std::vector<std::string> keys;
    if (rule.messages.empty()) return keys;
    if (!rule.order.empty()) {
      each_raw_item(raw_at(value, rule.order), [&](std::string_view item) {
        std::string_view id = raw_at(item, rule.order_key);
        const bool hidden = !rule.order_shown.empty() && raw_at(item, rule.order_shown) == "false";
        if (hidden || id.size() < 3) return;  // with its quotes
        Captures message = own;
        message.set("any", id.substr(1, id.size() - 2));
        keys.push_back(fill_pattern(rule.messages, message));
      });
      return keys;
    }
    std::map<std::uint64_t, std::string> by_row;
    const Status status = table.each_key(
        fill_pattern(rule.messages, own),
        [&](const KeyRow& row, const Captures&) { by_row.emplace(row.rowid, row.key); });
    if (!status) return status.error();
    for (auto& [rowid, key] : by_row) keys.push_back(std::move(key));
    return keys;
  }
};

}  // namespace

std::unique_ptr<const SessionStore> make_keyed_rows_store(const CompiledSpec& compiled) {
  return std::make_unique<KeyedRowsStore>(compiled);
}

}  // namespace yore::transcript
