#include "store/mend.hpp"

#include <algorithm>
#include <filesystem>

#include "base/files/file.hpp"
#include "base/trace.hpp"
#include "store/exchange.hpp"
#include "store/rows.hpp"
#include "store/salvage.hpp"

namespace yore::store {
namespace {

constexpr std::size_t kNamed = 3;
constexpr std::string_view kMetaExpected = "expected:";  // meta: turns of a session there were
constexpr std::string_view kMetaIncomplete =
    "incomplete:";                               // meta: turns of a session id that lack text
constexpr std::string_view kMetaLost = "lost:";  // meta: what is missing, by uid
constexpr std::string_view kMetaLacking = "lacking:";

std::string building_directory(const std::string& data_dir) {
  return path_join(data_dir, "mending");
}
Status remove_tree(const std::string& path) {
  std::error_code failed;
  std::filesystem::remove_all(path, failed);
  return failed ? Status(Error{Errc::io, path + ": " + failed.message()}) : Status{};
}

Status put_meta(Database& database, const std::string& key, std::int64_t value) {
  auto put = database.prepare("INSERT OR REPLACE INTO meta VALUES(?1,?2)");
  if (!put) return put.error();
  return put->bind(1, key).bind(2, value).execute();
}

Result<std::vector<std::pair<std::string, std::int64_t>>> meta_under(Database& database,
                                                                     std::string_view prefix) {
  auto query =
      database.prepare("SELECT substr(key,length(?2)+1),value FROM meta WHERE key GLOB ?1");
  if (!query) return query.error();
  const std::string pattern = glob_prefix(prefix);
  query->bind(1, pattern).bind(2, prefix);
  std::vector<std::pair<std::string, std::int64_t>> rows;
  const Status read = for_rows(
      *query, [&](const Statement& row) { rows.emplace_back(row.text(0), row.integer(1)); });
  if (!read) return read.error();
  return rows;
}

Status drop_meta(Database& database, std::string_view prefix) {
  auto drop = database.prepare("DELETE FROM meta WHERE key GLOB ?1");
  if (!drop) return drop.error();
  const std::string pattern = glob_prefix(prefix);
  return drop->bind(1, pattern).execute();
}

Status remember(Database& database, const Salvaged& saved, const std::optional<Census>& census,
                Time now) {
  Census expected = census.value_or(Census{});
  for (const auto& [uid, turns] : saved.expected) {
    std::uint64_t& most = expected[uid];
    most = std::max(most, turns);
  }
  for (const auto& [uid, turns] : expected) {
    const auto value = static_cast<std::int64_t>(turns);
    Status put = put_meta(database, std::string(kMetaExpected) + uid, value);
    if (!put) return put;
  }
  for (const auto& [session, turns] : saved.incomplete) {
    const auto value = static_cast<std::int64_t>(turns);
    Status put = put_meta(database, std::string(kMetaIncomplete) + std::to_string(session), value);
    if (!put) return put;
  }
  if (Status put = put_meta(database, "mended_unknown", census ? 0 : 1); !put) return put;
  if (Status put = put_meta(database, "mended_settled", 0); !put) return put;
  return put_meta(database, "mended", to_ms(now));
}

bool packs_are_whole(Store& store) {
  return store.each_pack(INT64_MIN, INT64_MAX, kAllPassages, [](Store::PackRow&&) { return true; })
      .ok();
}

// Turns of a session and of its editions, by the session's uid; forgotten ones as well.
Result<Census> turns_now(Store& store) {
  auto query = store.database().prepare(
      "SELECT b.uid,count(*) FROM turn t JOIN session s ON s.id=t.session "
      "JOIN session b ON b.id=CASE WHEN s.base=0 THEN s.id ELSE s.base END GROUP BY 1");
  if (!query) return query.error();
  Census now;
  const Status read = for_rows(*query, [&](const Statement& row) {
    now[std::string(row.text(0))] = row.unsigned_integer(1);
  });
  if (!read) return read.error();
  return now;
}

}  // namespace

bool is_damaged(const std::string& data_dir) {
  const std::string path = Store::database_path(data_dir);
  if (!is_regular_file(path)) return false;
  auto store = Store::open_existing(data_dir);
  if (!store) return store.error().code == Errc::corrupt;
  const auto checked = store->integrity();
  if (!checked) return checked.error().code == Errc::corrupt;
  return *checked != "ok" || !packs_are_whole(*store);
}

Status mend(const std::string& data_dir, const std::optional<Census>& census, Time now) {
  const TraceStep step("mend the record store");
  const std::string directory = building_directory(data_dir);
  if (Status removed = remove_tree(directory); !removed) return removed;
  {
    auto store = Store::open(directory);
    if (!store) return store.error();
    Database& database = store->database();
    if (Status begun = database.run("BEGIN IMMEDIATE"); !begun) return begun;
    const auto saved = salvage(Store::database_path(data_dir), *store);
    if (!saved) return saved.error();
    if (Status put = remember(database, *saved, census, now); !put) return put;
    if (Status done = database.run("COMMIT"); !done) return done;
    if (Status done = database.run("PRAGMA wal_checkpoint(TRUNCATE)"); !done) return done;
  }
  const std::string path = Store::database_path(data_dir);
  Status status = rename_file(Store::database_path(directory), complete_path(path));
  if (status) status = finish_exchange(path);
  return status ? remove_tree(directory) : status;
}

Result<std::optional<Mended>> mended(Store& store) {
  Database& database = store.database();
  const auto when = database.number("SELECT value FROM meta WHERE key='mended'");
  if (!when) return when.error();
  if (*when == 0) return std::optional<Mended>{};
  Mended found;
  found.when = from_ms(*when);
  const auto settled = database.number("SELECT value FROM meta WHERE key='mended_settled'");
  if (!settled) return settled.error();
  found.settled = *settled != 0;
  const auto unknown = database.number("SELECT value FROM meta WHERE key='mended_unknown'");
  if (!unknown) return unknown.error();
  found.unknown = *unknown != 0;
  std::map<std::string, Loss> losses;
  for (const std::string_view prefix : {kMetaLost, kMetaLacking}) {
    const auto rows = meta_under(database, prefix);
    if (!rows) return rows.error();
    for (const auto& [uid, turns] : *rows) {
      Loss& loss = losses[uid];
      loss.uid = uid;
      (prefix == kMetaLost ? loss.turns : loss.incomplete) = static_cast<std::uint64_t>(turns);
    }
  }
  for (auto& [uid, loss] : losses) found.losses.push_back(std::move(loss));
  return std::optional<Mended>{std::move(found)};
}

Result<bool> settle_losses(Store& store) {
  auto before = mended(store);
  if (!before) return before.error();
  if (!*before || (*before)->settled) return false;
  Database& database = store.database();
  const auto expected = meta_under(database, kMetaExpected);
  if (!expected) return expected.error();
  const auto incomplete = meta_under(database, kMetaIncomplete);
  if (!incomplete) return incomplete.error();
  const auto now = turns_now(store);
  if (!now) return now.error();
  if (Status begun = database.run("BEGIN IMMEDIATE"); !begun) return begun.error();
  Status status;
  for (const auto& [uid, turns] : *expected) {
    const auto there = now->find(uid);
    const auto left = there == now->end() ? 0 : static_cast<std::int64_t>(there->second);
    if (!status || left >= turns) continue;
    status = put_meta(database, std::string(kMetaLost) + uid, turns - left);
  }
  for (const auto& [id, turns] : *incomplete) {
    const auto session = store.session(SessionId{std::atoll(id.c_str())});
    if (!session) return session.error();
    // What was read again is whole.
    const bool again =
        *session && (*session)->base == SessionId{} && (*session)->stamp != FileStamp{};
    if (!status || !*session || again) continue;
    status = put_meta(database, std::string(kMetaLacking) + (*session)->uid, turns);
  }
  if (status) status = drop_meta(database, kMetaExpected);
  if (status) status = drop_meta(database, kMetaIncomplete);
  if (status) status = put_meta(database, "mended_settled", 1);
  if (status) status = database.run("COMMIT");
  if (!status) return status.error();
  return true;
}

Status forget_losses(Store& store, const std::vector<std::string>& uids) {
  auto drop = store.database().prepare("DELETE FROM meta WHERE key=?1");
  if (!drop) return drop.error();
  for (const std::string& uid : uids) {
    for (const std::string_view prefix : {kMetaLost, kMetaLacking, kMetaExpected}) {
      const std::string key = std::string(prefix) + uid;
      if (Status status = drop->bind(1, key).execute(); !status) return status;
    }
  }
  return {};
}

std::string loss_text(const Loss& loss) {
  const auto turns = [](std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " turn" : " turns");
  };
  if (loss.incomplete == 0) return turns(loss.turns) + " of " + loss.uid;
  const std::string lacking = "text in " + turns(loss.incomplete) + " of " + loss.uid;
  return loss.turns == 0 ? lacking : turns(loss.turns) + " and " + lacking;
}

std::string mended_note(const Mended& mended) {
  std::string note = "The record store was damaged and has been mended.";
  if (!mended.settled) return note + " What it lacks is read again from the transcripts.";
  std::size_t named = 0;
  std::string names;
  for (const Loss& loss : mended.losses) {
    if (++named > kNamed) break;
    names += (names.empty() ? " Missing: " : "; ") + loss_text(loss);
  }
  if (named > kNamed) names += "; and " + std::to_string(mended.losses.size() - kNamed) + " more";
  note += names.empty() ? "" : names + ".";
  if (mended.unknown) {
    note += " How much it held is not known: conversations without a transcript may be missing.";
  } else if (mended.losses.empty()) {
    note += " Nothing is missing.";
  }
  return note;
}

}  // namespace yore::store
