#include "store/kept_records.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/files/file.hpp"
#include "store/keep_file.hpp"
#include "store/rows.hpp"
#include "store/schema.hpp"
#include "store/writer.hpp"

namespace yore::store {
namespace {

// What hangs on a session, but for its packs.
constexpr std::array kHanging = {"session_state", "record_keys", "leaf_title",
                                 "problem",       "unknown",     "turn"};

// All columns of a table in one order, the first `skip` left out.
Result<std::string> columns_but(Database& database, const std::string& table,
                                std::string_view skip) {
  auto query = database.prepare("SELECT name FROM pragma_table_info(?1)");
  if (!query) return query.error();
  query->bind(1, table);
  std::string names;
  const Status read = for_rows(*query, [&](const Statement& row) {
    if (row.text(0) == skip) return;
    names += (names.empty() ? "\"" : ",\"") + std::string(row.text(0)) + "\"";
  });
  if (!read) return read.error();
  return names;
}

}  // namespace

Result<std::string> copy_kept_records(const std::string& data_dir,
                                      const std::vector<std::string>& also) {
  auto copy = Database::in_memory();
  if (!copy) return copy.error();
  if (Status made = prepare_schema(*copy); !made) return made.error();
  auto attach = copy->prepare("ATTACH ?1 AS src");
  if (!attach) return attach.error();
  const std::string path = Store::database_path(data_dir);
  if (Status status = attach->bind(1, path).execute(); !status) return status.error();
  Status status = copy->run(
      "BEGIN;CREATE TEMP TABLE chosen(id INTEGER PRIMARY KEY);"
      "INSERT INTO chosen SELECT id FROM src.session WHERE excluded=0 AND standing<>2 AND "
      "(missing<>0 OR superseded>0 OR standing<>0);");
  if (!status) return status.error();
  auto more = copy->prepare("INSERT OR IGNORE INTO chosen SELECT id FROM src.session WHERE uid=?1");
  if (!more) return more.error();
  for (const std::string& uid : also) {
    if (status = more->bind(1, uid).execute(); !status) return status.error();
  }
  std::string sql =
      "INSERT INTO root SELECT * FROM src.root;"
      "INSERT INTO moved_chunk SELECT * FROM src.moved_chunk;"
      "INSERT INTO session SELECT * FROM src.session WHERE id IN chosen;"
      "INSERT INTO pack SELECT * FROM src.pack WHERE session IN chosen;";
  for (const std::string table : kHanging) {
    sql += "INSERT INTO " + table + " SELECT * FROM src." + table + " WHERE session IN chosen;";
  }
  if (status = copy->run(sql + "COMMIT;DROP TABLE chosen;DETACH src;"); !status) {
    return status.error();
  }
  return copy->image();
}

// One that takes sessions of another store into this one; within a transaction of the writer.
class Adopter {
 public:
  Adopter(Store& store, Writer& writer, Database& from, const Tombstones& forgotten)
      : to_(store.database()), writer_(writer), from_(from), forgotten_(forgotten) {}

  Status run() {
    if (Status status = map_roots(); !status) return status;
    // Conversations before the editions that were made of them.
    auto query =
        from_.prepare("SELECT id,uid,base,standing FROM session ORDER BY base<>0,standing,id");
    if (!query) return query.error();
    struct Row {
      std::int64_t id;
      std::string uid;
      std::int64_t base;
    };
    std::vector<Row> rows;
    Status status = for_rows(*query, [&](const Statement& row) {
      rows.push_back({row.integer(0), std::string(row.text(1)), row.integer(2)});
    });
    for (const Row& row : rows) {
      if (status) status = adopt(row.id, row.uid, row.base);
    }
    return status ? copy_chunks() : status;
  }
  [[nodiscard]] const Adopted& adopted() const { return adopted_; }

 private:
  Status map_roots() {
    auto query = from_.prepare("SELECT id,agent,path,named FROM root");
    if (!query) return query.error();
    Status status;
    const Status read = for_rows(*query, [&](const Statement& row) {
      if (!status) return;
      const auto root = writer_.add_root(row.text(1), row.text(2), row.integer(3) != 0);
      if (!root) {
        status = root.error();
      } else {
        roots_[row.integer(0)] = static_cast<std::int64_t>(*root);
      }
    });
    return read ? status : read;
  }

  Status adopt(std::int64_t id, const std::string& uid, std::int64_t base) {
    const std::string session = uid.substr(0, uid.rfind(kEditionMark));
    if (forgotten_.has_session(base == 0 ? uid : session)) return {};
    auto there = to_.prepare("SELECT id FROM session WHERE uid=?1");
    if (!there) return there.error();
    const auto has = there->bind(1, uid).step();
    if (!has) return has.error();
    if (*has) {
      ids_[id] = there->integer(0);
      ++adopted_.there_already;
      return {};
    }
    if (base != 0 && !ids_.contains(base)) return {};
    if (Status status = put_row(id, base); !status) return status;
    if (Status status = put_hanging(id); !status) return status;
    ++(base == 0 ? adopted_.sessions : adopted_.editions);
    return base == 0 ? Status{} : count_edition(uid, base, id);
  }

  Status put_row(std::int64_t id, std::int64_t base) {
    const auto names = columns_but(from_, "session", "id");
    if (!names) return names.error();
    auto query = from_.prepare("SELECT " + *names + " FROM session WHERE id=?1");
    if (!query) return query.error();
    const auto row = query->bind(1, id).step();
    if (!row) return row.error();
    if (!*row) return {};
    std::string places;
    for (int i = 0; i < query->columns(); ++i) places += i == 0 ? "?" : ",?";
    auto insert = to_.prepare("INSERT INTO session(" + *names + ") VALUES(" + places + ")");
    if (!insert) return insert.error();
    for (int i = 0; i < query->columns(); ++i) insert->bind_value(i + 1, *query, i);
    if (Status put = insert->execute(); !put) return put;
    ids_[id] = to_.last_rowid();
    // Editions are counted one by one as they come.
    auto fix = to_.prepare(
        "UPDATE session SET root=ifnull(?2,0),base=?3,"
        "superseded=CASE WHEN ?3=0 THEN 0 ELSE superseded END WHERE id=?1");
    if (!fix) return fix.error();
    auto root = from_.prepare("SELECT root FROM session WHERE id=?1");
    if (!root) return root.error();
    const auto had = root->bind(1, id).step();
    if (!had) return had.error();
    const auto mapped = roots_.find(root->integer(0));
    fix->bind(1, ids_[id]).bind(3, base == 0 ? 0 : ids_[base]);
    fix->bind(2, mapped == roots_.end() ? 0 : mapped->second);
    return fix->execute();
  }

  Status put_hanging(std::int64_t id) {
    for (const std::string table : kHanging) {
      const auto names = columns_but(from_, table, "session");
      if (!names) return names.error();
      auto query = from_.prepare("SELECT " + *names + " FROM " + table + " WHERE session=?1");
      if (!query) return query.error();
      query->bind(1, id);
      std::string places = "?";
      for (int i = 0; i < query->columns(); ++i) places += ",?";
      auto insert =
          to_.prepare("INSERT INTO " + table + "(session," + *names + ") VALUES(" + places + ")");
      if (!insert) return insert.error();
      while (true) {
        const auto row = query->step();
        if (!row) return row.error();
        if (!*row) break;
        insert->bind(1, ids_[id]);
        for (int i = 0; i < query->columns(); ++i) insert->bind_value(i + 2, *query, i);
        if (Status put = insert->execute(); !put) return put;
      }
    }
    return writer_.adopt_packs(SessionId{ids_[id]}, from_, id);
  }

  Status count_edition(const std::string& uid, std::int64_t base, std::int64_t id) {
    auto count = to_.prepare(
        "UPDATE session SET superseded=superseded+(SELECT count(*) FROM turn WHERE session=?2),"
        "editions=max(editions,?3) WHERE id=?1");
    if (!count) return count.error();
    const std::string number = uid.substr(uid.rfind(kEditionMark) + 1);
    const bool plain = !number.empty() && number.size() < 10 &&
                       number.find_first_not_of("0123456789") == std::string::npos;
    count->bind(1, ids_[base]).bind(2, ids_[id]).bind(3, plain ? std::stoi(number) : 0);
    return count->execute();
  }

  Status copy_chunks() {
    auto query = from_.prepare("SELECT chunk,origin FROM moved_chunk");
    if (!query) return query.error();
    auto insert = to_.prepare("INSERT OR IGNORE INTO moved_chunk VALUES(?1,?2)");
    if (!insert) return insert.error();
    while (true) {
      const auto row = query->step();
      if (!row) return row.error();
      if (!*row) return {};
      insert->bind(1, query->integer(0)).bind(2, query->integer(1));
      if (Status put = insert->execute(); !put) return put;
    }
  }

  Database& to_;
  Writer& writer_;
  Database& from_;
  const Tombstones& forgotten_;
  std::map<std::int64_t, std::int64_t> roots_;  // there, here
  std::map<std::int64_t, std::int64_t> ids_;    // likewise of sessions
  Adopted adopted_;
};

Status Writer::adopt_packs(SessionId session, Database& from, std::int64_t there) {
  auto query = from.prepare(
      "SELECT count,open,first_turn,last_turn,kind,data FROM pack WHERE session=?1 ORDER BY first");
  if (!query) return query.error();
  query->bind(1, there);
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) break;
    EncodedPack pack;
    pack.count = static_cast<std::uint32_t>(query->integer(0));
    pack.first_turn = static_cast<turns::TurnNumber>(query->integer(2));
    pack.last_turn = static_cast<turns::TurnNumber>(query->integer(3));
    pack.kind = static_cast<unsigned>(query->integer(4));
    pack.bytes = query->text(5);
    // What comes from a file may be anything.
    const auto passages = decode_pack(pack.bytes);
    if (!passages) return passages.error();
    if (passages->size() != pack.count) return Error{Errc::corrupt, "pack of passages: damaged"};
    if (Status put = add_packs(session, {pack}, query->integer(1) != 0); !put) return put;
  }
  const auto turns = store_->turns_of(session);
  if (!turns) return turns.error();
  for (const turns::Turn& turn : *turns) {
    Status noted = note_change(ChangeOp::turn_changed, number(session), turn.number);
    if (!noted) return noted;
  }
  return note_change(ChangeOp::session_changed, number(session), 0);
}

namespace {

constexpr std::string_view kSaltQuery = "SELECT value FROM meta WHERE key='salt'";

Result<std::string> text_of(Database& database, std::string_view sql) {
  auto query = database.prepare(sql);
  if (!query) return query.error();
  const auto row = query->step();
  if (!row) return row.error();
  return std::string(*row ? query->text(0) : "");
}

}  // namespace

Result<std::string> copy_tombstones(const std::string& data_dir) {
  if (!is_regular_file(keep_path(data_dir))) return std::string{};
  auto database = Database::open(keep_path(data_dir), Database::Mode::create);
  if (!database) return database.error();
  return database->image();
}

Status can_adopt_tombstones(const std::string& data_dir, const std::string& image) {
  auto from = Database::from_image(image);
  if (!from) return from.error();
  const auto theirs = text_of(*from, kSaltQuery);
  if (!theirs) return theirs.error();
  if (theirs->empty()) return Error{Errc::corrupt, "what was forgotten cannot be read"};
  if (!is_regular_file(keep_path(data_dir))) return {};
  auto to = Database::open(keep_path(data_dir), Database::Mode::create);
  if (!to) return to.error();
  const auto ours = text_of(*to, kSaltQuery);
  if (!ours) return ours.error();
  const auto held = to->number("SELECT count(*) FROM tombstone");
  const auto come = from->number("SELECT count(*) FROM tombstone");
  if (!held) return held.error();
  if (!come) return come.error();
  if (*ours == *theirs || *held == 0 || *come == 0) return {};
  return Error{Errc::invalid_argument,
               "both this data directory and the backup hold what was forgotten, each by itself",
               "restore into an empty one: YORE_DATA_DIR=FOLDER yore backup --restore FILE"};
}

Status adopt_tombstones(const std::string& data_dir, const std::string& image) {
  if (Status can = can_adopt_tombstones(data_dir, image); !can) return can;
  auto from = Database::from_image(image);
  if (!from) return from.error();
  const auto come = from->number("SELECT count(*) FROM tombstone");
  if (!come) return come.error();
  if (*come == 0) return {};
  if (Status made = Tombstones::add(data_dir, {}, {}); !made) return made;
  auto to = Database::open(keep_path(data_dir), Database::Mode::create);
  if (!to) return to.error();
  const auto salt = text_of(*from, kSaltQuery);
  if (!salt) return salt.error();
  if (Status begun = to->run("BEGIN IMMEDIATE"); !begun) return begun;
  auto salted = to->prepare("UPDATE meta SET value=?1 WHERE key='salt'");
  auto insert = to->prepare("INSERT OR IGNORE INTO tombstone VALUES(?1)");
  auto query = from->prepare("SELECT hash FROM tombstone");
  if (!salted || !insert || !query) return Error{Errc::corrupt, "keep.db: damaged"};
  if (Status status = salted->bind(1, *salt).execute(); !status) return status;
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) break;
    const std::string hash(query->text(0));
    if (Status put = insert->bind(1, hash).execute(); !put) return put;
  }
  return to->run("COMMIT");
}

Result<Adopted> adopt_records(Store& store, const std::string& image, const Tombstones& forgotten) {
  auto from = Database::from_image(image);
  if (!from) return from.error();
  if (Status ready = prepare_schema(*from); !ready) return ready.error();
  auto writer = Writer::create(store);
  if (!writer) return writer.error();
  Status status = writer->begin();
  if (!status) return status.error();
  Adopter adopter(store, *writer, *from, forgotten);
  status = adopter.run();
  if (status) status = set_unmasked(store);
  if (status) status = writer->commit();
  if (!status) {
    writer->rollback();
    return status.error();
  }
  return adopter.adopted();
}

}  // namespace yore::store
