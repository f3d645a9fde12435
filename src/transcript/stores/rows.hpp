// rows.hpp — what the store `rows` makes of one database: statements of the names in a description,
// rows as objects, and which rows are a session's. Private to stores/rows*.cpp.
//
// Names are quoted; columns come and go with the owner's versions, so those that are not there are
// left out. A row becomes an object, its columns the keys, so that `fields` speaks of
// "content_json" or "content_json[].text" as it does of keys elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/stores/foreign_database.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {

// Names of columns that some rules speak of.
using ColumnNames = std::set<std::string, std::less<>>;
ColumnNames columns_of(const std::vector<FieldRule>& fields);

// Some columns of a table.
class RowObjects {
 public:
  RowObjects(const RowsRule& rule, const ColumnNames& wanted, const Columns& there);

  // "a",typeof("a") …, as they stand behind SELECT.
  [[nodiscard]] const std::string& sql() const { return sql_; }
  // The object of a row whose columns from `first` on are these. False: a compressed value in it is
  // damaged, or larger than a record may be.
  bool read(const Statement& row, int first, std::string& object) const;

 private:
  bool append_value(const Statement& row, int column, const std::string& name,
                    std::string& object) const;

  const RowsRule& rule_;
  std::vector<std::string> names_;
  std::string sql_;
};

// The rows of a session in the order of their description, by rowid.
//
// A table that its owner never searches by session has no index for it. All of it would be read for
// each session, so it is read once and kept in memory, 8 bytes a row, until the database is listed
// again. Rows that came since are those of the next listing.
// Threads: any.
class RowLists {
 public:
  using Rows = std::vector<std::int64_t>;
  Result<Rows> rows_of(Database& database, const std::string& path, const RowsRule& rule,
                       const std::string& session) const;
  void forget(const std::string& path) const;

 private:
  using BySession = std::map<std::string, Rows, std::less<>>;

  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const BySession>> lists_;  // by path
};

// Adds the sessions of a database to the listing: one grouped pass over the messages, and a look at
// the last one of each session.
Status list_rows(const CompiledSpec& compiled, const std::string& path, Listing& listing);

// The id of a session as it stands in a statement, and the column it is found in.
std::string id_sql(const RowsRule& rule);
std::string_view id_column(const RowsRule& rule);
// The first of several rows with one id wins.
std::string newest_first(const RowsRule& rule, const Columns& columns);

// SessionRef::row: "sessions:20260502_1", the table and the id.
std::string session_row(const RowsRule& rule, std::string_view id);
std::string_view id_in_row(const RowsRule& rule, std::string_view row);

}  // namespace yore::transcript
