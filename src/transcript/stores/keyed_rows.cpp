// keyed_rows.cpp — a table of keys and JSON values in a SQLite database, as editors keep them:
//   "chat:{id}"           the session: its fields by the rules of [head]
//   "message:{id}:{any}"  a message of it, in the order in which they were put there
// Without a pattern for messages the session's value is a document that holds them (document.cpp).
#include <map>

#include "base/hash.hpp"
#include "transcript/stores/foreign_database.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

// What every key of a pattern begins with.
std::string_view plain_start(std::string_view pattern) {
  return pattern.substr(0, pattern.find_first_of("*?{"));
}

class KeyedRowsStore final : public SessionStore, private ReplayedStore {
 public:
  using SessionStore::SessionStore;

  Result<Listing> sessions(const Root& root, const PreviousListing& known) const override {
    Listing listing;
    return list_databases(spec_, root, known, listing,
                          [&](const std::string& path) { return list(path, listing); });
  }
  Result<bool> resumable(const SessionRef& session, const Cursor& cursor) const override {
    return replay_fits(session, cursor);
  }
  Result<ReadStep> read(const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                        RecordSink& sink) const override {
    return replay(compiled_, session, cursor, limits, sink);
  }

 private:
  [[nodiscard]] const CompiledSpec& compiled() const override { return compiled_; }

  // Calls on_row(row, captures) for each key of the pattern: key, value, rowid. `on_row` returns
  // false to stop.
  template <typename OnRow>
  Status each_key(Database& database, const std::string& pattern, const std::string& columns,
                  const OnRow& on_row) const {
    const KeyedRule& rule = spec_.keyed;
    const auto known = table_columns(database, rule.table);
    if (!known) return known.error();
    if (!has_all(*known, {rule.key, rule.value})) {
      return Error{Errc::unsupported,
                   "no table " + rule.table + " with the columns that are needed"};
    }
    // A range of keys, so that the owner's index is used; the pattern decides.
    const std::string start(plain_start(pattern));
    const std::string end = start + "\xff";
    auto query = database.prepare("SELECT " + columns + " FROM " + sql_name(rule.table) +
                                  " WHERE " + sql_name(rule.key) + ">=?1 AND " +
                                  sql_name(rule.key) + "<?2 ORDER BY rowid");
    if (!query) return query.error();
    query->bind(1, start).bind(2, end);
    while (true) {
      const auto row = query->step();
      if (!row) return row.error();
      if (!*row) return {};
      const auto captures = match_name(pattern, query->text(0));
      if (captures && !on_row(*query, *captures)) return {};
    }
  }

  Status list(const std::string& path, Listing& listing) const {
    const KeyedRule& rule = spec_.keyed;
    auto database = open_foreign(path);
    if (!database) return database.error();
    const std::string columns = sql_name(rule.key) + ",length(" + sql_name(rule.value) + ")," +
                                sql_name(rule.value) + ",rowid";
    std::map<std::string, SessionRef> found;
    Status status = each_key(*database, rule.session, columns,
                             [&](const Statement& row, const Captures& captures) {
                               const std::string id(captures.get("id"));
                               SessionRef& session = found[id];
                               session.id = session_id(spec_, "", id);
                               session.path = path;
                               session.row = id;
                               add_to_stamp(row, session);
                               return true;
                             });
    if (status && !rule.messages.empty()) {
      status = each_key(*database, rule.messages, columns,
                        [&](const Statement& row, const Captures& captures) {
                          const auto session = found.find(std::string(captures.get("id")));
                          if (session != found.end()) add_to_stamp(row, session->second);
                          return true;
                        });
    }
    if (!status) return status;
    for (auto& [id, session] : found) listing.sessions.push_back(std::move(session));
    return {};
  }

  static void add_to_stamp(const Statement& row, SessionRef& session) {
    session.stamp.size_bytes += row.unsigned_integer(1);
    const auto before = static_cast<std::uint64_t>(session.stamp.mtime_ns);
    session.stamp.mtime_ns =
        static_cast<std::int64_t>(hash64(row.text(2), hash64(row.text(0), before)) >> 1U);
  }

  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    const KeyedRule& rule = spec_.keyed;
    auto database = open_foreign(session.path);
    if (!database) return database.error();
    Captures own;
    own.set("id", session.row);
    const std::string columns = sql_name(rule.key) + "," + sql_name(rule.value) + ",rowid";
    bool more = false;
    Status status = each_key(*database, fill_pattern(rule.session, own), columns,
                             [&](const Statement& row, const Captures&) {
                               if (rule.messages.empty()) {
                                 more = tell_document(row.text(1), spec_, sink, reader);
                               } else {
                                 tell_head(row.text(1), {row.unsigned_integer(2), 0}, sink, reader);
                               }
                               return false;
                             });
    if (!status) return status.error();
    if (rule.messages.empty()) return more;
    status = each_key(*database, fill_pattern(rule.messages, own), columns,
                      [&](const Statement& row, const Captures&) {
                        more = sink.full();
                        if (more) return false;
                        tell_text(row.text(1), {row.unsigned_integer(2), 0}, sink, reader);
                        return true;
                      });
    if (!status) return status.error();
    return more;
  }
};

}  // namespace

std::unique_ptr<const SessionStore> make_keyed_rows_store(const CompiledSpec& compiled) {
  return std::make_unique<KeyedRowsStore>(compiled);
}

}  // namespace yore::transcript
