// rows.cpp — sessions and messages in two tables of a SQLite database, or whole conversations in
// the rows of one.
//
// Messages are read in batches: nothing is open while records are made of them, whoever waits for
// those. Cursor, 57 bytes, little-endian, then what the hook saves:
//   u8  'T'
//   u64 rows       how many were read
//   u64 last_row   rowid of the last of them
//   u64 hash       of the session's own fields, then of each row as it was read
//   u64 × 4        tokens that were counted: of agents that count them for a session only
// What was read before still stands when as many rows as then have the same hash: they are fetched
// for that but not parsed. A row that was edited, wherever, makes the session be read again.
//
// A conversation in a single value is replayed as a document is (replay.hpp).
#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/input/zstd_text.hpp"
#include "transcript/limits.hpp"
#include "transcript/stores/rows.hpp"

namespace yore::transcript {
namespace {

constexpr char kRowsTag = 'T';
constexpr std::size_t kRowsCursorBytes = 57;
// What one read transaction fetches.
constexpr std::size_t kBatchRows = 256;
constexpr std::size_t kBatchBytes = 1 << 20;
constexpr std::size_t kMaxUnpackedDocument = 256 << 20;

// Total tokens of a session, or those that were counted already.
using Tokens = std::array<std::uint64_t, 4>;

Tokens tokens_of(const Usage& usage) {
  return {usage.input_tokens, usage.output_tokens, usage.cache_read_tokens,
          usage.cache_write_tokens};
}

struct RowsPosition {
  std::uint64_t rows = 0;
  std::int64_t last_row = 0;
  std::uint64_t hash = 0;
  Tokens counted{};
};

Cursor encode_rows(const RowsPosition& at, std::string_view saved) {
  ByteWriter out;
  out.u64(at.rows);
  out.u64(static_cast<std::uint64_t>(at.last_row));
  out.u64(at.hash);
  for (const std::uint64_t tokens : at.counted) out.u64(tokens);
  return (kRowsTag + out.take()).append(saved);
}

std::optional<RowsPosition> decode_rows(std::string_view cursor) {
  if (cursor.size() < kRowsCursorBytes || cursor.front() != kRowsTag) return std::nullopt;
  ByteReader in(cursor.substr(1));
  RowsPosition at;
  at.rows = in.u64();
  at.last_row = static_cast<std::int64_t>(in.u64());
  at.hash = in.u64();
  for (std::uint64_t& tokens : at.counted) tokens = in.u64();
  return at;
}

bool is_usage(Slot slot) {
  return slot >= Slot::usage_in && slot <= Slot::usage_cache_write;
}

// One session of an open database.
class SessionRows {
 public:
  struct Row {
    std::int64_t rowid = 0;
    std::string object;
    bool whole = true;
  };

  SessionRows(const CompiledSpec& compiled, const SessionRef& session)
      : spec_(compiled.spec),
        path_(session.path),
        id_(id_in_row(compiled.spec.rows, session.row)) {}

  Status open(const RowLists& lists) {
    auto database = open_foreign(path_);
    if (!database) return database.error();
    database_.emplace(*std::move(database));
    const RowsRule& rule = spec_.rows;
    const auto columns = table_columns(*database_, rule.messages);
    if (!columns) return columns.error();
    if (!has_all(*columns, {rule.session, rule.order})) {
      return Error{Errc::unsupported,
                   "no table " + rule.messages + " with the columns that are needed"};
    }
    const ColumnNames wanted = columns_of(spec_.fields);
    find_strangers(*columns, wanted);
    objects_.emplace(rule, wanted, *columns);
    auto rows = lists.rows_of(*database_, path_, rule, id_);
    if (!rows) return rows.error();
    rows_ = *std::move(rows);
    return {};
  }

  [[nodiscard]] const RowLists::Rows& rows() const { return rows_; }
  // Columns that the description does not know.
  [[nodiscard]] const std::vector<std::string>& strangers() const { return strangers_; }

  // The session's own row as an object, by the columns of [head]; "{}" when none are named. Without
  // tokens: they change with every message.
  Result<std::string> head(bool tokens) {
    std::vector<FieldRule> fields = spec_.head.fields;
    if (!tokens) std::erase_if(fields, [](const FieldRule& rule) { return is_usage(rule.slot); });
    std::string object = "{}";
    if (fields.empty()) return object;
    const RowsRule& rule = spec_.rows;
    const auto columns = table_columns(*database_, rule.sessions);
    if (!columns) return columns.error();
    const RowObjects objects(rule, columns_of(fields), *columns);
    auto query = database_->prepare("SELECT " + objects.sql() + " FROM " + sql_name(rule.sessions) +
                                    " WHERE " + id_sql(rule) + "=?1");
    if (!query) return query.error();
    query->bind(1, id_);
    const auto row = query->step();
    if (!row) return row.error();
    if (*row && !objects.read(*query, 0, object)) object = "{}";
    return object;
  }

  // Rows from the list's place `from` on, at least one. A row that is gone has no text.
  Result<std::vector<Row>> batch(std::size_t from, std::size_t end) {
    std::vector<Row> rows;
    if (Status status = database_->run("BEGIN"); !status) return status.error();
    auto query = database_->prepare("SELECT " + objects_->sql() + " FROM " +
                                    sql_name(spec_.rows.messages) + " WHERE rowid=?1");
    if (!query) return query.error();
    std::size_t bytes = 0;
    while (from < end && rows.size() < kBatchRows && bytes < kBatchBytes) {
      Row& row = rows.emplace_back();
      row.rowid = rows_[from++];
      query->bind(1, row.rowid);
      const auto found = query->step();
      if (!found) return found.error();
      if (*found) row.whole = objects_->read(*query, 0, row.object);
      query->reset();
      bytes += row.object.size();
    }
    if (Status status = database_->run("END"); !status) return status.error();
    return rows;
  }

 private:
  void find_strangers(const Columns& columns, const ColumnNames& wanted) {
    ColumnNames known = wanted;
    known.insert({spec_.rows.session, spec_.rows.order, spec_.rows.packed});
    for (const std::string& path : spec_.silent) known.insert(path.substr(0, path.find('.')));
    for (const std::string& name : columns) {
      const bool counted = strangers_.size() < kMaxUnknown && !known.contains("*");
      if (counted && !known.contains(name)) strangers_.push_back(spec_.record_name + "." + name);
    }
  }

  const AgentSpec& spec_;
  std::string path_;
  std::string id_;
  std::optional<Database> database_;
  std::optional<RowObjects> objects_;
  RowLists::Rows rows_;
  std::vector<std::string> strangers_;
};

class RowsStore final : public SessionStore, private ReplayedStore {
 public:
  using SessionStore::SessionStore;

  Result<Listing> sessions(const Root& root, const PreviousListing& known) const override {
    Listing listing;
    return list_databases(spec_, root, known, listing, [&](const std::string& path) {
      lists_.forget(path);
      return list_rows(compiled_, path, listing);
    });
  }

  [[nodiscard]] std::vector<OwnRows> rows_of(const SessionRef& session) const override {
    const RowsRule& rule = spec_.rows;
    if (rule.assemble != nullptr && !rule.document.empty()) return {};  // they are not its alone
    const std::string id(id_in_row(rule, session.row));
    std::vector<OwnRows> rows = {{rule.sessions, id_sql(rule) + "=?1", {id}}};
    if (!rule.messages.empty())
      rows.push_back({rule.messages, sql_name(rule.session) + "=?1", {id}});
    return rows;
  }

  [[nodiscard]] bool owns(const SessionRef& session) const override {
    return session.row.starts_with(session_row(spec_.rows, ""));
  }

  Result<bool> resumable(const SessionRef& session, const Cursor& cursor) const override {
    if (!spec_.rows.document.empty()) return replay_fits(session, cursor);
    const auto at = decode_rows(cursor);
    if (!at) return false;
    SessionRows rows(compiled_, session);
    if (const Status status = rows.open(lists_); !status) return status.error();
    if (!stands(rows, *at)) return false;
    const auto head = rows.head(false);
    if (!head) return head.error();
    std::uint64_t hash = hash64(*head);
    for (std::size_t done = 0; done < at->rows;) {
      const auto batch = rows.batch(done, at->rows);
      if (!batch) return batch.error();
      for (const SessionRows::Row& row : *batch) hash = hash64(row.object, hash);
      done += batch->size();
    }
    return hash == at->hash;
  }

  Result<ReadStep> read(const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                        RecordSink& sink) const override {
    if (!spec_.rows.document.empty()) return replay(compiled_, session, cursor, limits, sink);
    const std::string_view saved =
        std::string_view(cursor).substr(std::min(cursor.size(), kRowsCursorBytes));
    const Hooks* hooks = spec_.hooks;
    const bool hooked = hooks != nullptr && hooks->reading != nullptr;
    const auto hook = hooked ? hooks->reading(saved) : std::unique_ptr<RecordHook>();
    RecordReader reader(compiled_, session, sink, hook.get());
    SessionRows rows(compiled_, session);
    if (const Status status = rows.open(lists_); !status) return status.error();
    const auto before = decode_rows(cursor);
    RowsPosition at = before.value_or(RowsPosition{});
    if (!stands(rows, at)) {
      return Error{Errc::busy, session.path + ": changed while it was read"};
    }
    if (!before) {
      if (const Status status = tell_start(rows, reader, sink, at); !status) return status.error();
    }
    ReadStep step;
    if (const Status status = tell_rows(rows, limits, reader, sink, at, step); !status) {
      return status.error();
    }
    if (!step.more) {
      if (const Status status = tell_tokens(rows, reader, sink, at); !status) return status.error();
    }
    step.cursor = encode_rows(at, hook == nullptr ? std::string() : hook->save());
    return step;
  }

 private:
  [[nodiscard]] const CompiledSpec& compiled() const override { return compiled_; }

  static bool stands(const SessionRows& rows, const RowsPosition& at) {
    if (at.rows > rows.rows().size()) return false;
    return at.rows == 0 || rows.rows()[at.rows - 1] == at.last_row;
  }

  Status tell_start(SessionRows& rows, RecordReader& reader, RecordSink& sink,
                    RowsPosition& at) const {
    for (const std::string& what : rows.strangers()) sink.unknown(what);
    const auto head = rows.head(false);
    if (!head) return head.error();
    at.hash = hash64(*head);
    read_json_text(*head, {0, 0}, sink, [&](auto& json, const LineInfo& where) {
      return reader.read_head(json, where);
    });
    return {};
  }

  Status tell_rows(SessionRows& rows, const ReadLimits& limits, RecordReader& reader,
                   RecordSink& sink, RowsPosition& at, ReadStep& step) const {
    const std::size_t end = rows.rows().size();
    while (at.rows < end && !step.more) {
      const auto batch = rows.batch(at.rows, end);
      if (!batch) return batch.error();
      for (const SessionRows::Row& row : *batch) {
        step.more = step.bytes_read > 0 && step.bytes_read >= limits.max_bytes;
        if (step.more) break;
        tell_row(row, reader, sink);
        step.bytes_read += row.object.size() + 1;
        at.hash = hash64(row.object, at.hash);
        at.last_row = row.rowid;
        ++at.rows;
      }
    }
    return {};
  }

  void tell_row(const SessionRows::Row& row, RecordReader& reader, RecordSink& sink) const {
    if (!row.whole) return sink.problem(ProblemKind::oversized, 0);
    if (row.object.empty()) return;
    const LineInfo where{static_cast<std::uint64_t>(row.rowid), 0};
    const auto tell = [&](std::string_view record) {
      read_json_text(record, where, sink,
                     [&](auto& json, const LineInfo& at) { return reader.read(json, at); });
    };
    if (spec_.rows.packed.empty()) return each_split(row.object, spec_.split, tell);
    each_raw_field(row.object, [&](std::string_view key, std::string_view list) {
      if (key != spec_.rows.packed) return;
      if (!each_raw_item(list, tell)) sink.problem(ProblemKind::unreadable, 0);
    });
  }

  // What was added to the session's own counts since they were last looked at.
  Status tell_tokens(SessionRows& rows, RecordReader& reader, RecordSink& sink,
                     RowsPosition& at) const {
    const auto& fields = spec_.head.fields;
    const bool counts =
        std::ranges::any_of(fields, [](const FieldRule& rule) { return is_usage(rule.slot); });
    if (!counts) return {};
    const auto head = rows.head(true);
    if (!head) return head.error();
    Tokens now{};
    read_json_text(*head, {0, 0}, sink, [&](auto& json, const LineInfo&) {
      const bool fine = reader.look_at_head(json);
      if (fine) now = tokens_of(reader.usage());
      return fine;
    });
    Tokens added{};
    for (std::size_t i = 0; i < now.size(); ++i) {
      added[i] = now[i] > at.counted[i] ? now[i] - at.counted[i] : 0;
      at.counted[i] += added[i];
    }
    if (added == Tokens{}) return {};
    Record record;
    record.kind = RecordKind::assistant;
    record.structural = true;
    record.usage = {added[0], added[1], added[2], added[3]};
    sink.record(record);
    return {};
  }

  // A conversation in one value: first what its row says about it, then the document.
  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    const RowsRule& rule = spec_.rows;
    auto database = open_foreign(session.path);
    if (!database) return database.error();
    const auto columns = table_columns(*database, rule.sessions);
    if (!columns) return columns.error();
    if (!has_all(*columns, {id_column(rule), rule.document})) {
      return Error{Errc::unsupported,
                   "no table " + rule.sessions + " with a column " + rule.document};
    }
    const RowObjects objects(rule, columns_of(spec_.head.fields), *columns);
    std::string own;
    std::string text;
    {
      auto query = database->prepare("SELECT " + sql_name(rule.document) + "," + objects.sql() +
                                     " FROM " + sql_name(rule.sessions) + " WHERE " + id_sql(rule) +
                                     "=?1" + newest_first(rule, *columns));
      if (!query) return query.error();
      query->bind(1, id_in_row(rule, session.row));
      const auto row = query->step();
      if (!row) return row.error();
      if (!*row) return Error{Errc::busy, session.path + ": the conversation is gone"};
      text = query->text(0);
      static_cast<void>(objects.read(*query, 1, own));
    }
    if (own.size() > 2) tell_head(own, {0, 0}, sink, reader);
    if (rule.assemble != nullptr) {
      auto assembled = rule.assemble(*database, id_in_row(rule, session.row));
      if (!assembled) return assembled.error();
      text = *std::move(assembled);
    }
    if (is_compressed(text)) {
      Decoded decoded = decompress(text, kMaxUnpackedDocument);
      const bool oversized = decoded.state == Decoded::State::oversized;
      if (oversized) sink.problem(ProblemKind::oversized, 0);
      if (decoded.state == Decoded::State::damaged) sink.problem(ProblemKind::unreadable, 0);
      text = std::move(decoded.text);
    }
    return tell_document(text, spec_, sink, reader);
  }

  RowLists lists_;
};

}  // namespace

std::unique_ptr<const SessionStore> make_rows_store(const CompiledSpec& compiled) {
  return std::make_unique<RowsStore>(compiled);
}

}  // namespace yore::transcript
