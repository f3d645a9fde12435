#include "store/tombstones.hpp"

#include "base/digest.hpp"
#include "base/files/file.hpp"
#include "store/keep_file.hpp"
#include "store/rows.hpp"

namespace yore::store {
namespace {

// Half a digest: enough that none is ever met by chance.
constexpr std::size_t kHashDigits = 32;

std::string salted(std::string_view salt, char kind, std::string_view value) {
  std::string text(salt);
  text += kind;
  text += value;
  return sha256_hex(text).substr(0, kHashDigits);
}

std::string origin_text(std::uint64_t origin) {
  return std::to_string(origin);
}

Result<std::string> salt_of(Database& database) {
  auto query = database.prepare("SELECT value FROM meta WHERE key='salt'");
  if (!query) return query.error();
  const auto row = query->step();
  if (!row) return row.error();
  if (!*row) return Error{Errc::corrupt, "keep.db has no salt"};
  return std::string(query->text(0));
}

}  // namespace

Result<Tombstones> Tombstones::load(const std::string& data_dir) {
  if (!is_regular_file(keep_path(data_dir))) return Tombstones{};
  auto database = open_keep(data_dir);
  if (!database) return database.error();
  return read(*database);
}

Result<Tombstones> Tombstones::read(Database& database) {
  Tombstones stones;
  auto salt = salt_of(database);
  if (!salt) return salt.error();
  stones.salt_ = std::move(*salt);
  auto query = database.prepare("SELECT hash FROM tombstone");
  if (!query) return query.error();
  const Status read =
      for_rows(*query, [&](const Statement& row) { stones.hashes_.emplace(row.text(0)); });
  if (!read) return read.error();
  const auto unfinished = database.number("SELECT value FROM meta WHERE key='unfinished'");
  if (!unfinished) return unfinished.error();
  stones.unfinished_ = *unfinished != 0;
  return stones;
}

bool Tombstones::has_session(std::string_view uid) const {
  return !empty() && hashes_.contains(salted(salt_, 's', uid));
}

bool Tombstones::has_turn(std::uint64_t origin) const {
  return !empty() && origin != 0 && hashes_.contains(salted(salt_, 't', origin_text(origin)));
}

Status Tombstones::add(const std::string& data_dir, const std::vector<std::string>& sessions,
                       const std::vector<std::uint64_t>& origins) {
  auto database = open_keep(data_dir);
  if (!database) return database.error();
  const auto salt = salt_of(*database);
  if (!salt) return salt.error();
  if (Status begun = database->run("BEGIN IMMEDIATE"); !begun) return begun;
  auto insert = database->prepare("INSERT OR IGNORE INTO tombstone VALUES(?1)");
  if (!insert) return insert.error();
  const auto put = [&](char kind, std::string_view value) {
    const std::string hash = salted(*salt, kind, value);
    return insert->bind(1, hash).execute();
  };
  for (const std::string& uid : sessions) {
    if (Status status = put('s', uid); !status) return status;
  }
  for (const std::uint64_t origin : origins) {
    if (origin == 0) continue;
    if (Status status = put('t', origin_text(origin)); !status) return status;
  }
  return database->run("UPDATE meta SET value=1 WHERE key='unfinished';COMMIT;");
}

Status Tombstones::set_finished(const std::string& data_dir) {
  auto database = open_keep(data_dir);
  if (!database) return database.error();
  return database->run("UPDATE meta SET value=0 WHERE key='unfinished'");
}

}  // namespace yore::store
