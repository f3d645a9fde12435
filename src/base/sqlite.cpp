#include "base/sqlite.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/files/file.hpp"
#include "base/files/stand_in.hpp"
#include "base/work_limit.hpp"

namespace yore {
namespace {

constexpr int kMaxForeignValueBytes = 64 << 20;
// Steps of SQLite's machine between two looks at the thread's limit: some tens of microseconds.
constexpr int kStepsPerLook = 1000;

Errc errc_of(int code) {
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Errc::busy;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Errc::corrupt;
    case SQLITE_INTERRUPT:
      return Errc::cancelled;
    case SQLITE_CANTOPEN:
      return Errc::not_found;
    default:
      return Errc::io;
  }
}

Error error_of(sqlite3* handle, std::string_view what) {
  std::string message(what);
  message += ": ";
  message += sqlite3_errmsg(handle);
  return {errc_of(sqlite3_extended_errcode(handle)), std::move(message)};
}

// A path as part of a file: URI.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      constexpr std::string_view kHex = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4U], kHex[byte & 0xFU]};
    } else {
      uri += c;
    }
  }
  return uri + "?mode=ro";
}

// SQLite opens whatever lies there, and a named pipe never lets it go. It looks for the side files
// beside the file that a link leads to.
Status check_files(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real{::realpath(path.c_str(), nullptr), &std::free};
  if (!real) return Error{Errc::not_found, path + ": no such file"};
  const auto refused = [](const std::string& file) {
    return Error{Errc::io, file + " is not a regular file, the database is not opened"};
  };
  if (!is_regular_file(real.get())) return refused(path);
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    const std::string side = real.get() + std::string(suffix);
    struct stat info {};
    if (::lstat(side.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return refused(side);
  }
  return {};
}

bool still_is(const ObservedPath& before) {
  return static_cast<const PathState&>(look_at(before.path)) == before;
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

void Statement::Finalize::operator()(sqlite3_stmt* handle) const {
  sqlite3_finalize(handle);
}

// The file is another program's, or anybody's: it runs nothing of ours, cannot hand us a value
// that fills the memory, and cannot keep us busy for good.
Status Database::guard_against_owner() {
  sqlite3_progress_handler(
      handle_.get(), kStepsPerLook, [](void*) { return WorkLimit::is_over() ? 1 : 0; }, nullptr);
  sqlite3_limit(handle_.get(), SQLITE_LIMIT_LENGTH, kMaxForeignValueBytes);
  if (Status status = run("PRAGMA query_only=1"); !status) return status;
  // Its schema is parsed as it stands, for some have indexes over JSON, which SQLite counts as
  // unsafe up to 3.40; from here on nothing in it is trusted. What cannot be parsed is told by a
  // query.
  [[maybe_unused]] const Status parsed = run("SELECT 1 FROM sqlite_schema LIMIT 1");
  return run("PRAGMA trusted_schema=0");
}

Result<Database> Database::in_memory() {
  return open(":memory:", Mode::create);
}

Result<std::string> Database::image() const {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes{
      sqlite3_serialize(handle_.get(), "main", &size, 0), &sqlite3_free};
  if (!bytes) return Error{Errc::io, path_ + ": no memory for a copy of it"};
  return std::string(reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size));
}

Result<Database> Database::from_image(std::string_view bytes) {
  auto database = in_memory();
  if (!database) return database;
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size() + 1));
  if (copy == nullptr) return Error{Errc::io, "no memory for a copy of a database"};
  bytes.copy(reinterpret_cast<char*>(copy), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  const int code =
      sqlite3_deserialize(database->handle_.get(), "main", copy, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  if (code != SQLITE_OK) return error_of(database->handle_.get(), "a copy of a database");
  return database;
}

// What stands in for the file, in memory.
Result<Database> Database::open_kept(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  auto database = from_image(*bytes);
  if (!database) return database;
  database->path_ = path;
  if (Status guarded = database->guard_against_owner(); !guarded) return guarded.error();
  return database;
}

Result<Database> Database::open(const std::string& path, Mode mode) {
  if (mode != Mode::create && StandIn::current() != nullptr) return open_kept(path);
  Database database;
  database.path_ = path;
  sqlite3* handle = nullptr;
  const bool read_only = mode != Mode::create;
  const bool at_rest = mode == Mode::at_rest;
  if (read_only) {
    if (const Status fit = check_files(path); !fit) return fit.error();
  }
  if (at_rest) database.rest_ = std::make_shared<const ObservedPath>(look_at(path));
  const int flags = read_only ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                              : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const std::string name = (read_only ? uri_of(path) : path) + (at_rest ? "&immutable=1" : "");
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  database.handle_.reset(handle);
  if (code != SQLITE_OK) return error_of(handle, path);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, read_only ? 200 : 5000);
  if (read_only) {
    const Status status = database.guard_against_owner();
    if (!status) return status.error();
  }
  // Whoever writes checkpoints; a search that is the last to leave must not write the whole log
  // back and remove it.
  if (!read_only) sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  return database;
}

Status Database::run(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return error_of(handle_.get(), path_);
}

Result<Statement> Database::prepare(std::string_view sql) {
  Statement statement;
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  statement.handle_.reset(handle);
  statement.rest_ = rest_;
  if (code != SQLITE_OK) return error_of(handle_.get(), path_);
  return statement;
}

Result<std::int64_t> Database::number(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  const auto row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

Result<bool> Database::has_column(std::string_view table, std::string_view column) {
  auto statement = prepare("SELECT 1 FROM pragma_table_info(?1) WHERE name=?2 OR ?2='rowid'");
  if (!statement) return statement.error();
  statement->bind(1, table).bind(2, column);
  return statement->step();
}

std::int64_t Database::changes() const {
  return sqlite3_changes64(handle_.get());
}

std::int64_t Database::last_rowid() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

Statement& Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(handle_.get(), index, value);
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  const char* data = text.data() == nullptr ? "" : text.data();
  sqlite3_bind_text64(handle_.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
  const char* data = bytes.data() == nullptr ? "" : bytes.data();
  sqlite3_bind_blob64(handle_.get(), index, data, bytes.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind_null(int index) {
  sqlite3_bind_null(handle_.get(), index);
  return *this;
}

Statement& Statement::bind_value(int index, const Statement& row, int column) {
  sqlite3_bind_value(handle_.get(), index, sqlite3_column_value(row.handle_.get(), column));
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (rest_ != nullptr && !still_is(*rest_)) {
    sqlite3_reset(handle_.get());
    return Error{Errc::busy, rest_->path + ": changed while it was read"};
  }
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Error error = error_of(sqlite3_db_handle(handle_.get()), "query");
  sqlite3_reset(handle_.get());
  return error;
}

Status Statement::execute() {
  const auto row = step();
  reset();
  if (!row) return row.error();
  return {};
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
  sqlite3_clear_bindings(handle_.get());
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

std::string_view Statement::text(int column) const {
  const void* data = sqlite3_column_blob(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

int Statement::columns() const {
  return sqlite3_column_count(handle_.get());
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

}  // namespace yore
