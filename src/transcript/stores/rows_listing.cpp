// rows_listing.cpp — the sessions of a database, and which of them have changed.
//
// A session has changed when its own row says so, when the number of its messages, the last of them
// or their `edited` columns do, or when the last message says something else: that is the one that
// is edited while the assistant works, and clocks of whole seconds do not tell.
//
// Cost: the messages are grouped in one pass, along the owner's index when there is one, sorted
// when not, and never once per session; then one row is fetched for each session.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "base/hash.hpp"
#include "base/time.hpp"
#include "text/glob.hpp"
#include "transcript/stores/rows.hpp"

namespace yore::transcript {
namespace {

// What a session's messages amount to.
struct RowsSummary {
  std::uint64_t count = 0;
  std::uint64_t hash = 0;
};
using SummaryBySession = std::unordered_map<std::string, RowsSummary>;

constexpr std::size_t kMaxTimeBytes = 64;

bool fits_any(const std::vector<std::string>& globs, std::string_view text) {
  return std::ranges::any_of(globs,
                             [&](const std::string& glob) { return text::glob_match(glob, text); });
}

// What `changed` says, as the time of a file: newer sessions are read first. 0: it is no time.
std::int64_t time_of(std::string_view changed) {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  constexpr double kMinMs = 1e11;  // smaller numbers are seconds
  constexpr double kMaxMs = 1e14;
  double number = 0;
  const char* const end = changed.data() + changed.size();
  if (const auto [rest, ec] = std::from_chars(changed.data(), end, number);
      ec == std::errc{} && rest == end) {
    const double ms = number < kMinMs ? number * 1000 : number;
    return ms > 0 && ms < kMaxMs ? static_cast<std::int64_t>(ms) * kNsPerMs : 0;
  }
  if (changed.size() > kMaxTimeBytes) return 0;
  const auto time = parse_iso8601(changed);
  return time ? to_ms(*time) * kNsPerMs : 0;
}

Error no_table(const std::string& table, const std::string& what) {
  return {Errc::unsupported, "no table " + table + " with " + what};
}

class RowsLister {
 public:
  RowsLister(const CompiledSpec& compiled, Database& database, std::string path)
      : spec_(compiled.spec),
        rule_(compiled.spec.rows),
        database_(database),
        path_(std::move(path)) {}

  Status run(Listing& listing) {
    auto columns = table_columns(database_, rule_.sessions);
    if (!columns) return columns.error();
    columns_ = *std::move(columns);
    if (!columns_.contains(id_column(rule_))) {
      return no_table(rule_.sessions, "a column " + std::string(id_column(rule_)));
    }
    if (rule_.document.empty()) {
      if (Status status = summarise(); !status) return status;
    } else if (!columns_.contains(rule_.document)) {
      return no_table(rule_.sessions, "a column " + rule_.document);
    }
    return for_each_row(database_, session_query(), [&](const Statement& row) {
      if (auto session = session_of(row)) listing.sessions.push_back(*std::move(session));
    });
  }

 private:
  Status summarise() {
    const auto columns = table_columns(database_, rule_.messages);
    if (!columns) return columns.error();
    if (!has_all(*columns, {rule_.session, rule_.order})) {
      return no_table(rule_.messages, "the columns that are needed");
    }
    std::string edited;
    for (const std::string& name : rule_.edited) {
      if (!columns->contains(name)) continue;
      edited += ",max(" + sql_name(name) + ")||' '||total(" + sql_name(name) + ")";
    }
    const std::string table = sql_name(rule_.messages);
    const std::string session = sql_name(rule_.session);
    const RowObjects objects(rule_, columns_of(spec_.fields), *columns);
    auto last = database_.prepare("SELECT " + objects.sql() + " FROM " + table + " WHERE rowid=?1");
    if (!last) return last.error();
    Status status;
    const Status read = for_each_row(
        database_,
        "SELECT " + session + ",count(*),max(rowid)" + edited + " FROM " + table + " GROUP BY 1",
        [&](const Statement& row) {
          RowsSummary& summary = summaries_[std::string(row.text(0))];
          summary.count = row.unsigned_integer(1);
          for (int column = 2; column < row.columns(); ++column) {
            summary.hash = hash64(row.text(column), summary.hash);
          }
          if (!status) return;
          last->reset();
          last->bind(1, row.integer(2));
          const auto found = last->step();
          if (!found) status = found.error();
          if (!found || !*found) return;
          static_cast<void>(objects.read(*last, 0, object_));  // a damaged one counts as it is
          summary.hash = hash64(object_, summary.hash);
        });
    return read ? status : read;
  }

  // Columns that rules ask for stand behind the six that are always there.
  [[nodiscard]] std::string session_query() {
    const auto column = [&](const std::string& name) {
      return columns_.contains(name) ? sql_name(name) : std::string("NULL");
    };
    // A document that says when it was changed is not fetched for that.
    const std::string changed = columns_.contains(rule_.changed) ? rule_.changed : rule_.document;
    std::string title = "coalesce(NULL";
    for (const std::string& name : rule_.title) title += ",nullif(" + column(name) + ",'')";
    std::string sql = "SELECT " + id_sql(rule_) + "," + title + ",NULL)," + column(rule_.cwd) +
                      "," + column(rule_.parent) + "," + column(changed);
    for (const auto* rules : {&rule_.skip, &rule_.machine, &rule_.child}) {
      for (const ColumnRule& rule : *rules) sql += "," + column(rule.column);
    }
    return sql + " FROM " + sql_name(rule_.sessions) + newest_first(rule_, columns_);
  }

  // Does one of the rules hold? Their columns begin at `column`, which is moved behind them.
  static bool holds(const std::vector<ColumnRule>& rules, const Statement& row, int& column) {
    bool any = false;
    for (const ColumnRule& rule : rules) {
      any = any || (!row.is_null(column) && fits_any(rule.values, row.text(column)));
      ++column;
    }
    return any;
  }

  [[nodiscard]] bool tells_cwd() const {
    const auto is_cwd = [](const FieldRule& rule) { return rule.slot == Slot::cwd; };
    return std::ranges::any_of(spec_.fields, is_cwd) ||
           std::ranges::any_of(spec_.head.fields, is_cwd);
  }

  std::optional<SessionRef> session_of(const Statement& row) {
    int column = 5;
    const bool skipped = holds(rule_.skip, row, column);
    const std::string id(row.text(0));
    if (skipped || !is_usable_id(id)) return std::nullopt;
    SessionRef session;
    session.automated = holds(rule_.machine, row, column);
    const bool started = holds(rule_.child, row, column) || rule_.child.empty();
    session.id = session_id(spec_, "", id);
    session.path = path_;
    session.row = session_row(rule_, id);
    if (!fits_any(spec_.untitled, row.text(1))) session.title = row.text(1);
    const std::string_view cwd = row.text(2);
    session.cwd = cwd.substr(0, cwd.find('\n'));
    // Records may tell; else all that is known is whose it is.
    session.directory = session.cwd.empty() && !tells_cwd() ? spec_.name : session.cwd;
    const std::string_view parent = row.text(3);
    if (started && parent != id && is_usable_id(parent)) {
      session.kind = SessionKind::subagent;
      session.parent_id = session_id(spec_, "", parent);
    }
    RowsSummary summary{1, 0};
    if (rule_.document.empty()) {
      const auto found = summaries_.find(id);
      if (found == summaries_.end()) return std::nullopt;  // nothing was said in it yet
      summary = found->second;
    }
    // Messages in place of bytes, a hash in place of the inode.
    session.stamp = {summary.count, time_of(row.text(4)), hash64(row.text(4), summary.hash)};
    return session;
  }

  const AgentSpec& spec_;
  const RowsRule& rule_;
  Database& database_;
  std::string path_;
  Columns columns_;
  SummaryBySession summaries_;
  std::string object_;
};

}  // namespace

Status list_rows(const CompiledSpec& compiled, const std::string& path, Listing& listing) {
  auto database = open_foreign(path);
  if (!database) return database.error();
  Listing found;
  if (Status status = RowsLister(compiled, *database, path).run(found); !status) return status;
  std::ranges::move(found.sessions, std::back_inserter(listing.sessions));
  return {};
}

std::string_view id_column(const RowsRule& rule) {
  return std::string_view(rule.id).substr(0, rule.id.find('.'));
}

std::string id_sql(const RowsRule& rule) {
  std::string column = sql_name(id_column(rule));
  const std::size_t dot = rule.id.find('.');
  if (dot == std::string::npos) return column;
  return "CASE WHEN json_valid(" + column + ") THEN json_extract(" + column + ",'$." +
         rule.id.substr(dot + 1) + "') END";
}

std::string newest_first(const RowsRule& rule, const Columns& columns) {
  return columns.contains(rule.changed) ? " ORDER BY " + sql_name(rule.changed) + " DESC" : "";
}

std::string session_row(const RowsRule& rule, std::string_view id) {
  return rule.sessions + ":" + std::string(id);
}

std::string_view id_in_row(const RowsRule& rule, std::string_view row) {
  return row.substr(std::min(row.size(), rule.sessions.size() + 1));
}

Result<Listing> list_databases(const AgentSpec& spec, const Root& root,
                               const PreviousListing& known, Listing& listing,
                               const std::function<Status(const std::string& path)>& list) {
  std::string top = absolute_path(root.path);
  const auto look_into = [&](const std::string& path, const Captures&) {
    const auto stamp = database_stamp(path, known.files);
    if (!stamp) return;  // gone since the folder was read
    if (known.unchanged(path, *stamp)) {
      listing.unchanged.push_back(path);
      return;
    }
    if (const Status listed = list(path); !listed) {
      listing.problems.emplace_back(path, listed.error().message);
      // The owner is at work: what was read before still stands.
      if (listed.error().code == Errc::busy) listing.unchanged.push_back(path);
      return;
    }
    listing.containers.push_back({path, *stamp});
  };
  if (known.files.is_regular_file(top)) {
    look_into(top, {});
    return std::move(listing);
  }
  PlaceFinder finder(top, known.files, listing);
  for (const PlaceRule& place : spec.places) {
    const Status found = finder.find(place.pattern, place.skip, look_into);
    if (!found) return found.error();
  }
  return std::move(listing);
}

}  // namespace yore::transcript
