#include "store/upkeep.hpp"

#include <chrono>
#include <string_view>
#include <thread>

#include "base/files/file.hpp"

namespace yore::store {
namespace {

constexpr std::uint64_t kLongLogBytes = 1 << 20;
constexpr int kCheckpointTries = 100;
constexpr std::chrono::milliseconds kCheckpointPause{50};
constexpr std::string_view kTables[] = {"turn",    "pack",    "session_state", "record_keys",
                                        "problem", "unknown", "leaf_title"};
constexpr std::string_view kLost = " WHERE session NOT IN (SELECT id FROM session)";

std::string orphans_of(std::string_view table) {
  return std::string(" FROM ").append(table).append(kLost);
}

}  // namespace

Status trim_log(Store& store, const std::string& data_dir) {
  const auto log = stat_file(Store::database_path(data_dir) + "-wal");
  if (!log || log->size_bytes <= kLongLogBytes) return {};
  return store.database().run("PRAGMA wal_checkpoint(TRUNCATE)");
}

Result<std::uint64_t> count_orphans(Store& store) {
  std::uint64_t orphans = 0;
  for (const std::string_view table : kTables) {
    const auto count = store.database().number("SELECT count(*)" + orphans_of(table));
    if (!count) return count.error();
    orphans += static_cast<std::uint64_t>(*count);
  }
  return orphans;
}

Status remove_orphans(Store& store) {
  std::string removal = "INSERT INTO change(op,subject,count) SELECT " +
                        std::to_string(static_cast<int>(ChangeOp::remove_passages)) +
                        ",first,count" + orphans_of("pack") + ";";
  for (const std::string_view table : kTables) removal += "DELETE" + orphans_of(table) + ";";
  return store.database().run("BEGIN IMMEDIATE;" + removal + "COMMIT;");
}

Status overwrite_removed(Store& store) {
  return store.database().run("PRAGMA secure_delete=ON");
}

Status squeeze_out(Store& store) {
  if (Status status = store.database().run("VACUUM"); !status) return status;
  // Readers are done within milliseconds.
  for (int tries = 0; tries < kCheckpointTries; ++tries) {
    auto empty = store.database().prepare("PRAGMA wal_checkpoint(TRUNCATE)");
    if (!empty) return empty.error();
    const auto row = empty->step();
    if (!row) return row.error();
    if (*row && empty->integer(0) == 0) return {};
    std::this_thread::sleep_for(kCheckpointPause);
  }
  return Error{Errc::busy, "another process keeps reading what was removed",
               "what is left of it goes with the next yore index"};
}

}  // namespace yore::store
