#include "store/salvage.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/page_scan.hpp"
#include "store/rows.hpp"
#include "store/upkeep.hpp"
#include "turns/chunk_id.hpp"

namespace yore::store {
namespace {

// How rows are told apart. A letter per column: n null (it is the rowid), i integer, t text,
// b blob; further columns may hold anything.
struct RowShape {
  const char* table;  // null: packs by session, an index
  bool keyed;
  std::size_t least;  // columns: later versions have more
  std::string_view letters;
};
constexpr std::array kRowShapes = {
    RowShape{"root", false, 4, "ntti"},         RowShape{"session", false, 40, "ntt"},
    RowShape{"turn", true, 12, "iiiiiiiiiitt"}, RowShape{"pack", false, 7, "niiiiib"},
    RowShape{"moved_chunk", false, 2, "ni"},    RowShape{"record_keys", true, 3, "iib"},
    RowShape{"leaf_title", true, 4, "iiit"},    RowShape{"problem", true, 4, "iiit"},
    RowShape{"unknown", true, 3, "iti"},        RowShape{nullptr, true, 4, "iiii"},
};
// Both have the same columns: the third of a title is a hash, that of a problem a count.
constexpr std::int64_t kMostProblems = std::int64_t{1} << 32;

bool fits_letter(const ScannedValue& value, char letter) {
  using Kind = ScannedValue::Kind;
  switch (letter) {
    case 'n':
      return value.kind == Kind::null;
    case 'i':
      return value.kind == Kind::integer;
    case 't':
      return value.kind == Kind::text;
    default:
      return value.kind == Kind::blob;
  }
}

bool fits(const ScannedRow& row, const RowShape& shape, std::size_t columns) {
  const std::size_t count = row.values.size();
  if (row.keyed != shape.keyed || count < shape.least || count > columns) return false;
  for (std::size_t i = 0; i < shape.letters.size(); ++i) {
    if (!fits_letter(row.values[i], shape.letters[i])) return false;
  }
  const std::string_view table = shape.table == nullptr ? "" : shape.table;
  const bool counted = count == 4 && row.values[2].kind == ScannedValue::Kind::integer &&
                       std::abs(row.values[2].integer) < kMostProblems;
  if (table == "leaf_title") return !counted;
  return table != "problem" || counted;
}

struct TurnRange {
  std::int64_t session = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

class Salvage {
 public:
  explicit Salvage(Store& into) : into_(into), database_(into.database()) {}

  Result<Salvaged> run(const std::string& path) {
    if (Status status = prepare(); !status) return status.error();
    const auto scanned = scan_pages(path, [this](ScannedRow&& row) {
      if (failed_) failed_ = take(row);
    });
    if (!scanned) return scanned.error();
    if (!failed_) return failed_.error();
    Status status = add_lost_turns();
    if (status) status = name_superseded_turns();
    if (status) status = database_.run(kSettle);
    if (status) status = remove_lone_rows();
    if (status) status = count_expected();
    if (!status) return status.error();
    note_incomplete();
    return std::move(saved_);
  }

 private:
  // Sessions that only their editions remember; counts; then all of it looks unread. No source
  // knows the cursor, so what was saved is compared with what is read (see editions.cpp).
  static constexpr const char* kSettle = R"sql(
INSERT OR IGNORE INTO session(id,uid,agent,root,path,row,copies,size,mtime,inode,ref_hash,kind,
  parent,directory,fixed_project,ref_title,ref_cwd,resume_key,ref_automated,project,project_path,
  title,title_kind,first_time,last_time,reading,host)
 SELECT base,substr(uid,1,length(rtrim(uid,'0123456789'))-CASE standing WHEN 1 THEN 1 ELSE 4 END),
  agent,root,path,row,'',0,0,0,0,kind,parent,directory,fixed_project,ref_title,ref_cwd,resume_key,
  ref_automated,project,project_path,title,title_kind,first_time,last_time,reading,host
 FROM session WHERE base<>0 AND base NOT IN (SELECT id FROM session);
UPDATE session SET
  editions=max(editions,(SELECT coalesce(max(CAST(substr(e.uid,length(session.uid)+2) AS INTEGER)),
    0) FROM session e WHERE e.base=session.id AND e.standing=1)),
  superseded=(SELECT count(*) FROM turn t JOIN session e ON e.id=t.session
    WHERE e.base=session.id AND e.standing=1)
 WHERE base=0;
UPDATE session SET size=0,mtime=0,inode=0 WHERE base=0 AND excluded=0;
INSERT INTO session_state SELECT id,CAST('mended' AS BLOB),x'' FROM session
 WHERE base=0 AND excluded=0;
UPDATE meta SET value=max(value,(SELECT coalesce(max(first+count),0) FROM pack))
 WHERE key='next_passage';
INSERT INTO change(op,subject,count) VALUES(5,random(),0);
)sql";

  Status prepare() {
    for (std::size_t i = 0; i < kRowShapes.size(); ++i) {
      if (kRowShapes[i].table == nullptr) continue;
      auto query = database_.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid");
      if (!query) return query.error();
      query->bind(1, std::string_view(kRowShapes[i].table));
      const Status read =
          for_rows(*query, [&](const Statement& row) { columns_[i].emplace_back(row.text(0)); });
      if (!read) return read;
    }
    columns_.back().resize(kRowShapes.back().least);
    return {};
  }

  Status take(const ScannedRow& row) {
    for (std::size_t i = 0; i < kRowShapes.size(); ++i) {
      if (!row.whole || !fits(row, kRowShapes[i], columns_[i].size())) continue;
      const std::string_view table = kRowShapes[i].table == nullptr ? "" : kRowShapes[i].table;
      if (table.empty()) {
        told_[row.values[3].integer] = {row.values[0].integer, row.values[1].integer,
                                        row.values[2].integer};
        return {};
      }
      if (table == "pack" && !take_pack(row)) return {};
      return insert(i, row);
    }
    // A pack whose text is cut off still tells whose it was.
    const bool pack = !row.whole && !row.keyed && row.values.size() == 6 &&
                      std::ranges::all_of(std::span(row.values).subspan(1), [](const auto& value) {
                        return value.kind == ScannedValue::Kind::integer;
                      });
    if (pack) {
      told_[row.rowid] = {row.values[2].integer, row.values[4].integer, row.values[5].integer};
    }
    return {};
  }

  // False: its text cannot be read.
  bool take_pack(const ScannedRow& row) {
    const std::int64_t session = row.values[2].integer;
    told_[row.rowid] = {session, row.values[4].integer, row.values[5].integer};
    const auto passages = decode_pack(row.values[6].bytes);
    if (!passages || static_cast<std::int64_t>(passages->size()) != row.values[1].integer) {
      return false;
    }
    for (const turns::Passage& passage : *passages) {
      std::uint32_t& blocks = spoken_[session][passage.turn];
      if (passage.surface != turns::Surface::assistant_text) continue;
      blocks = std::max(blocks, passage.block + 1);
    }
    saved_packs_.insert(row.rowid);
    return true;
  }

  Status insert(std::size_t shape, const ScannedRow& row) {
    const std::size_t count = row.values.size();
    auto& prepared = inserts_[shape * 1000 + count];
    if (!prepared) {
      std::string sql = std::string("INSERT OR IGNORE INTO ") + kRowShapes[shape].table + "(";
      std::string marks;
      for (std::size_t i = 0; i < count; ++i) {
        sql += (i == 0 ? "\"" : ",\"") + columns_[shape][i] + "\"";
        marks += (i == 0 ? "?" : ",?") + std::to_string(i + 1);
      }
      auto made = database_.prepare(sql + ") VALUES(" + marks + ")");
      if (!made) return made.error();
      prepared = std::make_unique<Statement>(std::move(*made));
    }
    using Kind = ScannedValue::Kind;
    for (std::size_t i = 0; i < count; ++i) {
      const ScannedValue& value = row.values[i];
      const int at = static_cast<int>(i) + 1;
      const bool is_rowid = i == 0 && !row.keyed;
      if (is_rowid) {
        prepared->bind(at, row.rowid);
      } else if (value.kind == Kind::integer) {
        prepared->bind(at, value.integer);
      } else if (value.kind == Kind::text) {
        prepared->bind(at, std::string_view(value.bytes));
      } else if (value.kind == Kind::blob) {
        prepared->bind_blob(at, value.bytes);
      } else {
        prepared->bind_null(at);
      }
    }
    return prepared->execute();
  }

  // Text is there, but not the row of its turn: as old as its session.
  Status add_lost_turns() {
    auto put = database_.prepare(
        "INSERT OR IGNORE INTO turn(session,number,flags,first_time,last_time,offset,line,"
        "assistant_blocks,origin,content,model,branch) SELECT id,?2,0,last_time,last_time,0,0,?3,0,"
        "0,'','' FROM session WHERE id=?1");
    if (!put) return put.error();
    for (const auto& [session, turns] : spoken_) {
      for (const auto& [turn, blocks] : turns) {
        Status status = put->bind(1, session).bind(2, turn).bind(3, blocks).execute();
        if (!status) return status;
      }
    }
    return {};
  }

  // A superseded turn has the chunk id of the turn that it was, and its number is the one of then.
  Status name_superseded_turns() {
    auto query = database_.prepare(
        "SELECT t.session,t.number,s.uid FROM turn t JOIN session s ON s.id=t.session "
        "WHERE s.standing=1 AND t.chunk=0");
    if (!query) return query.error();
    auto put = database_.prepare("UPDATE turn SET chunk=?3 WHERE session=?1 AND number=?2");
    if (!put) return put.error();
    Status status;
    const Status read = for_rows(*query, [&](const Statement& row) {
      const std::string_view uid = row.text(2);
      const auto turn = static_cast<turns::TurnNumber>(row.integer(1));
      const std::uint64_t chunk = turns::chunk_number(uid.substr(0, uid.rfind(kEditionMark)), turn);
      if (status) status = put->bind(1, row.integer(0)).bind(2, turn).bind(3, chunk).execute();
    });
    return status ? read : status;
  }

  Status remove_lone_rows() {
    return database_.run(
        "DELETE FROM turn WHERE session NOT IN (SELECT id FROM session);"
        "DELETE FROM pack WHERE session NOT IN (SELECT id FROM session);"
        "DELETE FROM record_keys WHERE session NOT IN (SELECT id FROM session);"
        "DELETE FROM leaf_title WHERE session NOT IN (SELECT id FROM session);"
        "DELETE FROM problem WHERE session NOT IN (SELECT id FROM session);"
        "DELETE FROM unknown WHERE session NOT IN (SELECT id FROM session);");
  }

  Status count_expected() {
    auto query = database_.prepare(
        "SELECT b.uid,sum(s.turn_count) FROM session s JOIN session b "
        "ON b.id=CASE WHEN s.base=0 THEN s.id ELSE s.base END "
        "WHERE s.standing<>2 AND s.excluded=0 GROUP BY 1");
    if (!query) return query.error();
    return for_rows(*query, [&](const Statement& row) {
      saved_.expected[std::string(row.text(0))] = row.unsigned_integer(1);
    });
  }

  void note_incomplete() {
    std::map<std::int64_t, std::set<std::int64_t>> turns;
    for (const auto& [first, range] : told_) {
      if (saved_packs_.contains(first)) continue;
      const std::int64_t end = std::min(range.last, range.first + kMostTurnsOfAPack);
      for (std::int64_t turn = range.first; turn <= end; ++turn) turns[range.session].insert(turn);
    }
    for (const auto& [session, which] : turns) saved_.incomplete[session] = which.size();
  }

  static constexpr std::int64_t kMostTurnsOfAPack = 100'000;

  Store& into_;
  Database& database_;
  Status failed_;
  Salvaged saved_;
  std::array<std::vector<std::string>, kRowShapes.size()> columns_;
  std::unordered_map<std::size_t, std::unique_ptr<Statement>> inserts_;
  std::map<std::int64_t, TurnRange> told_;  // packs there were, by their first passage
  std::set<std::int64_t> saved_packs_;
  std::map<std::int64_t, std::map<std::uint32_t, std::uint32_t>> spoken_;
};

}  // namespace

Result<Salvaged> salvage(const std::string& damaged_path, Store& into) {
  return Salvage(into).run(damaged_path);
}

}  // namespace yore::store
