// rows.cpp — sessions and messages in two tables of a SQLite database.
//
// The description names tables and columns; the statements are made here of those names, quoted.
// Columns come and go with the owner's versions: those that are not there are left out, and a table
// without the ones that are needed is a store of an unknown version.
//
// A row becomes an object, its columns the keys, so that `fields` speaks of "content_json" or
// "content_json[].text" as it does of keys elsewhere.
#include <algorithm>
#include <set>

#include "base/hash.hpp"
#include "transcript/spec/tool_render.hpp"
#include "transcript/stores/foreign_database.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

class RowsStore final : public Replayed<SessionStore> {
 public:
  explicit RowsStore(const CompiledSpec& compiled) : Replayed(compiled) {
    for (const FieldRule& field : spec_.fields) {
      wanted_.insert(field.path.substr(0, field.path.find_first_of(".[")));
    }
  }

  Result<Listing> sessions(const Root& root, const PreviousListing& known) const override {
    Listing listing;
    return list_databases(spec_, root, known, listing,
                          [&](const std::string& path) { return list(path, listing); });
  }

 private:
  Status list(const std::string& path, Listing& listing) const {
    const RowsRule& rule = spec_.rows;
    auto database = open_foreign(path);
    if (!database) return database.error();
    const auto columns = table_columns(*database, rule.sessions);
    if (!columns) return columns.error();
    if (!columns->contains(rule.id)) {
      return Error{Errc::unsupported, "no table " + rule.sessions + " with a column " + rule.id};
    }
    const auto column = [&](const std::string& name) {
      return columns->contains(name) ? sql_name(name) : std::string("NULL");
    };
    // What a session holds, in one value: rows can only be added or replaced.
    const std::string sql =
        "SELECT s." + sql_name(rule.id) + "," + column(rule.title) + "," + column(rule.cwd) + "," +
        column(rule.parent) + "," + column(rule.changed) + ",(SELECT count(*) FROM " +
        sql_name(rule.messages) + " m WHERE m." + sql_name(rule.session) + "=s." +
        sql_name(rule.id) + "),(SELECT max(m." + sql_name(rule.order) + ") FROM " +
        sql_name(rule.messages) + " m WHERE m." + sql_name(rule.session) + "=s." +
        sql_name(rule.id) + ") FROM " + sql_name(rule.sessions) + " s ORDER BY 1";
    return for_each_row(*database, sql, [&](const Statement& row) {
      if (row.text(0).empty()) return;
      SessionRef session;
      session.id = session_id(spec_, "", row.text(0));
      session.path = path;
      session.row = row.text(0);
      session.title = row.text(1);
      session.cwd = row.text(2);
      session.directory = session.cwd;
      if (!row.text(3).empty()) {
        session.kind = SessionKind::subagent;
        session.parent_id = session_id(spec_, "", row.text(3));
      }
      const std::uint64_t version = hash64(row.text(6), hash64(row.text(4)));
      session.stamp = {row.unsigned_integer(5), static_cast<std::int64_t>(version >> 1U), 0};
      listing.sessions.push_back(std::move(session));
    });
  }

  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    const RowsRule& rule = spec_.rows;
    auto database = open_foreign(session.path);
    if (!database) return database.error();
    const auto columns = table_columns(*database, rule.messages);
    if (!columns) return columns.error();
    const std::string missing = "no table " + rule.messages + " with the columns that are needed";
    if (!has_all(*columns, {rule.session, rule.order})) return Error{Errc::unsupported, missing};
    std::vector<std::string> names;
    std::string sql = "SELECT rowid";
    for (const std::string& name : wanted_) {
      if (!columns->contains(name)) continue;
      names.push_back(name);
      sql += "," + sql_name(name) + ",typeof(" + sql_name(name) + ") IN ('integer','real')";
    }
    sql += " FROM " + sql_name(rule.messages) + " WHERE " + sql_name(rule.session) +
           "=?1 ORDER BY " + sql_name(rule.order) + ",rowid";
    auto query = database->prepare(sql);
    if (!query) return query.error();
    query->bind(1, session.row);
    std::string object;
    while (true) {
      if (sink.full()) return true;
      const auto row = query->step();
      if (!row) return row.error();
      if (!*row) return false;
      to_object(*query, names, object);
      tell_text(object, {query->unsigned_integer(0), 0}, sink, reader);
    }
  }

  void to_object(const Statement& row, const std::vector<std::string>& names,
                 std::string& out) const {
    out = "{";
    for (std::size_t i = 0; i < names.size(); ++i) {
      const int column = static_cast<int>(i) * 2 + 1;
      if (row.is_null(column)) continue;
      out.append(out.size() > 1 ? ",\"" : "\"").append(names[i]).append("\":");
      const std::string_view text = row.text(column);
      const auto& json = spec_.rows.json;
      const bool raw = std::ranges::find(json, names[i]) != json.end() && !text.empty();
      if (raw || row.integer(column + 1) != 0) {
        out += text;
        continue;
      }
      out += '"';
      append_json_escaped(out, text);
      out += '"';
    }
    out += '}';
  }

  std::set<std::string> wanted_;  // columns
};

}  // namespace

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

std::unique_ptr<const SessionStore> make_rows_store(const CompiledSpec& compiled) {
  return std::make_unique<RowsStore>(compiled);
}

}  // namespace yore::transcript
