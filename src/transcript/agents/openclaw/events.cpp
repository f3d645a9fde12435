// events.cpp — reads one session of the store: events in batches, or its cold archive.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/hash.hpp"
#include "transcript/agents/openclaw/archive.hpp"
#include "transcript/agents/openclaw/records.hpp"
#include "transcript/agents/openclaw/sqlite.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/stores/foreign_database.hpp"

namespace yore::transcript::openclaw {
namespace {

// What one read transaction fetches; records are made of it after the transaction has ended.
constexpr std::size_t kBatchRows = 256;
constexpr std::size_t kBatchBytes = 1 << 20;
constexpr std::int64_t kBeforeFirst = std::numeric_limits<std::int64_t>::min();

// "events <last seq> <hash of its text> <generation>"
struct EventCursor {
  std::int64_t seq = kBeforeFirst;
  std::uint64_t hash = 0;
  std::string generation;
};
constexpr std::string_view kEventsTag = "events ";

Cursor encode(const EventCursor& cursor) {
  return std::string(kEventsTag) + std::to_string(cursor.seq) + ' ' + std::to_string(cursor.hash) +
         ' ' + cursor.generation;
}

template <typename Number>
bool take_number(std::string_view& text, Number& out) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (ec != std::errc{} || end == text.data() + text.size() || *end != ' ') return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return true;
}

std::optional<EventCursor> decode(std::string_view text) {
  if (!text.starts_with(kEventsTag)) return std::nullopt;
  text.remove_prefix(kEventsTag.size());
  EventCursor cursor;
  if (!take_number(text, cursor.seq) || !take_number(text, cursor.hash)) return std::nullopt;
  cursor.generation = text;
  return cursor;
}

struct Event {
  std::int64_t seq = 0;
  std::string text;
  std::optional<ProblemKind> problem;
};

// REQUIRES: a row of EventStore::prepare().
Event make_event(const Statement& row) {
  Event event;
  event.seq = row.integer(0);
  if (row.integer(3) != 0) {
    event.problem = ProblemKind::oversized;
  } else if (!row.is_null(1)) {
    event.text = row.text(1);
  } else if (!row.is_null(2)) {
    auto decoded = decompress(row.text(2));
    event.text = std::move(decoded.text);
    if (decoded.state == Decoded::State::damaged) event.problem = ProblemKind::unreadable;
    if (decoded.state == Decoded::State::oversized) event.problem = ProblemKind::oversized;
  } else {
    event.problem = ProblemKind::wrong_type;
  }
  return event;
}

class EventStore {
 public:
  static Result<EventStore> open(const SessionRef& session) {
    auto database = open_foreign(session.path);
    if (!database) return database.error();
    const auto columns = table_columns(*database, "transcript_events");
    if (!columns) return columns.error();
    if (!has_all(*columns, {"session_id", "seq", "event_json"})) {
      return Error{Errc::unsupported, session.path + ": no transcript events"};
    }
    EventStore store(*std::move(database), session.path, session.row.substr(kEventsRow.size()));
    if (columns->contains("event_zstd")) store.zstd_column_ = "event_zstd";
    return store;
  }

  Result<std::string> generation() {
    const auto columns = table_columns(database_, "transcript_rewrite_watermarks");
    if (!columns) return columns.error();
    if (!has_all(*columns, {"session_id", "generation"})) return std::string{};
    auto query = database_.prepare(
        "SELECT generation FROM transcript_rewrite_watermarks WHERE session_id = ?1");
    if (!query) return query.error();
    query->bind(1, std::string_view(session_id_));
    const auto row = query->step();
    if (!row) return row.error();
    return *row ? std::string(query->text(0)) : std::string{};
  }

  // The event of exactly this seq.
  Result<std::optional<Event>> event(std::int64_t seq) {
    auto query = prepare("seq = ?2");
    if (!query) return query.error();
    query->bind(2, seq);
    const auto row = query->step();
    if (!row) return row.error();
    return *row ? std::optional<Event>(make_event(*query)) : std::nullopt;
  }

  // The next events; none at the end.
  Result<std::vector<Event>> batch_after(std::int64_t seq) {
    std::vector<Event> events;
    std::size_t bytes = 0;
    auto query = prepare("seq > ?2 ORDER BY seq");
    if (!query) return query.error();
    query->bind(2, seq);
    while (events.size() < kBatchRows && bytes < kBatchBytes) {
      const auto row = query->step();
      if (!row) return row.error();
      if (!*row) break;
      events.push_back(make_event(*query));
      bytes += events.back().text.size();
      // Else reading would go in circles.
      if (events.back().seq <= seq) {
        return Error{Errc::corrupt, path_ + ": its events are out of order, the store is damaged"};
      }
      seq = events.back().seq;
    }
    return events;
  }

 private:
  EventStore(Database database, std::string path, std::string session_id)
      : database_(std::move(database)),
        path_(std::move(path)),
        session_id_(std::move(session_id)) {}

  // seq, JSON text, compressed text, and whether either is too large to be read. What is too large
  // is not fetched.
  Result<Statement> prepare(const char* condition) {
    const std::string limit = std::to_string(kMaxDecodedBytes);
    const auto fits = [&](const std::string& column) {
      return "CASE WHEN length(" + column + ") <= " + limit + " THEN " + column + " END, ";
    };
    auto query =
        database_.prepare("SELECT seq, " + fits("event_json") + fits(zstd_column_) +
                          "coalesce(length(event_json), " + "length(" + zstd_column_ + "), 0) > " +
                          limit + " FROM transcript_events WHERE session_id = ?1 AND " +
                          "typeof(seq) = 'integer' AND " + condition);
    if (query) query->bind(1, std::string_view(session_id_));
    return query;
  }

  Database database_;
  std::string path_;
  std::string session_id_;
  std::string zstd_column_ = "NULL";
};

std::uint64_t row_number(std::int64_t seq) {
  return seq < 0 ? 0 : static_cast<std::uint64_t>(seq);
}

Result<ReadStep> read_events(const SessionRef& session, const Cursor& cursor,
                             const ReadLimits& limits, RecordSink& sink) {
  auto at = decode(cursor).value_or(EventCursor{});
  auto store = EventStore::open(session);
  if (!store) return store.error();
  auto generation = store->generation();
  if (!generation) return generation.error();
  at.generation = *std::move(generation);
  EntryReader entries(sink, EntrySource::rows);
  const OnObject on_object = [&](simdjson::ondemand::object& object, const LineInfo& where) {
    return entries.read(object, where);
  };
  ReadStep step;
  while (!step.more) {
    const auto batch = store->batch_after(at.seq);
    if (!batch) return batch.error();
    if (batch->empty()) break;
    for (const auto& event : *batch) {
      if (step.bytes_read > 0 && step.bytes_read >= limits.max_bytes) {
        step.more = true;
        break;
      }
      const LineInfo where{row_number(event.seq), row_number(event.seq)};
      if (event.problem) {
        sink.problem(*event.problem, where.line);
      } else {
        read_json_text(event.text, where, sink, on_object);
      }
      step.bytes_read += event.text.size() + 1;
      at.seq = event.seq;
      at.hash = hash64(event.text);
    }
  }
  step.cursor = encode(at);
  return step;
}

// The compressed bytes of a cold session, from the store or from the file it names.
Result<std::string> load_cold(const SessionRef& session) {
  auto database = open_foreign(session.path);
  if (!database) return database.error();
  auto query = database->prepare(
      "SELECT storage, archive_name, archive_blob FROM session_transcript_cold_archives "
      "WHERE session_id = ?1");
  if (!query) return query.error();
  query->bind(1, std::string_view(session.row).substr(kArchiveRow.size()));
  const auto row = query->step();
  if (!row) return row.error();
  if (!*row) return Error{Errc::not_found, session.id + ": its cold archive is gone"};
  if (query->text(0) != "file") return std::string(query->text(2));
  const std::string name(query->text(1));
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  constexpr std::string_view kSuffix = ".jsonl.zst";
  const auto hash_end = name.find_first_not_of(kHexDigits);
  if (hash_end != 64 || std::string_view(name).substr(hash_end) != kSuffix) {
    return Error{Errc::corrupt, session.path + ": names a cold archive outside its folder"};
  }
  // <agent>/agent/openclaw-agent.sqlite and <agent>/sessions/cold/<name>
  const auto agent = path_dirname(path_dirname(session.path));
  return load_archive(path_join(path_join(path_join(agent, "sessions"), "cold"), name));
}

}  // namespace

Result<bool> store_resumable(const SessionRef& session, const Cursor& cursor) {
  if (session.row.starts_with(kArchiveRow)) {
    const auto bytes = load_cold(session);
    if (!bytes) return bytes.error();
    return archive_resumable(*bytes, cursor);
  }
  const auto at = decode(cursor);
  if (!at) return false;
  auto store = EventStore::open(session);
  if (!store) return store.error();
  const auto generation = store->generation();
  if (!generation) return generation.error();
  if (*generation != at->generation) return false;
  const auto last = store->event(at->seq);
  if (!last) return last.error();
  return last->has_value() && hash64((*last)->text) == at->hash;
}

Result<ReadStep> read_store(const SessionRef& session, const Cursor& cursor,
                            const ReadLimits& limits, RecordSink& sink) {
  if (!session.row.starts_with(kArchiveRow)) return read_events(session, cursor, limits, sink);
  const auto bytes = load_cold(session);
  if (!bytes) return bytes.error();
  return read_archive(*bytes, cursor, limits, sink);
}

}  // namespace yore::transcript::openclaw
