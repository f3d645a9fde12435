// sqlite.hpp — a thin, checked layer over SQLite: RAII, Result instead of codes, nothing else.
//
// Threads: a Database and its Statements belong to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/files/file.hpp"
#include "base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace yore {

class Statement;

class Database {
 public:
  enum class Mode : std::uint8_t {
    create,     // read and write, made when missing
    read_only,  // another program's live store: never locked against its owner; refused when it, or
                // a file that SQLite keeps beside it, is not a regular file; queries end with
                // `cancelled` when the thread's work is over (work_limit.hpp)
    at_rest,    // likewise, while nobody writes to it: no locks, and nothing is left beside it
  };
  static Result<Database> open(const std::string& path, Mode mode);
  // One of our own, in memory alone.
  static Result<Database> in_memory();
  // Of the bytes of a file: a copy of it in memory.
  static Result<Database> from_image(std::string_view bytes);
  // The bytes that a file of it would have.
  Result<std::string> image() const;

  // One or more statements without parameters or results.
  Status run(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  // The first column of the first row of a query; 0 when there is no row.
  Result<std::int64_t> number(std::string_view sql);
  // Does the table have this column? (also: does the table exist, with column "rowid")
  Result<bool> has_column(std::string_view table, std::string_view column);
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] std::int64_t last_rowid() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  static Result<Database> open_kept(const std::string& path);
  Status guard_against_owner();

  std::unique_ptr<sqlite3, Close> handle_;
  std::string path_;
  // For a store at rest: the state of the file when it was opened. Statements check that it still
  // is.
  std::shared_ptr<const ObservedPath> rest_;
};

// Prepared once, used many times: bind parameters from 1, step through rows, reset.
class Statement {
 public:
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::uint64_t value) {
    return bind(index, static_cast<std::int64_t>(value));
  }
  Statement& bind(int index, int value) { return bind(index, std::int64_t{value}); }
  Statement& bind(int index, std::uint32_t value) { return bind(index, std::int64_t{value}); }
  // The bytes must stay until the statement is reset.
  Statement& bind(int index, std::string_view text);
  Statement& bind_blob(int index, std::string_view bytes);
  Statement& bind_null(int index);
  // A value of a row of another statement, of whatever type, copied.
  Statement& bind_value(int index, const Statement& row, int column);

  // True: a row is there. False: no more rows. `busy` when the file of a store at rest has changed:
  // nothing of what was read from it can be trusted then.
  Result<bool> step();
  // Runs a statement that returns no rows, and resets it.
  Status execute();
  void reset();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::uint64_t unsigned_integer(int column) const {
    return static_cast<std::uint64_t>(integer(column));
  }
  // Valid until the next step or reset. "" for NULL; works for blobs too.
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] int columns() const;  // of a row

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  std::shared_ptr<const ObservedPath> rest_;  // the database's
};

}  // namespace yore
