// naming_data.hpp — what the store knows that names are made of (ingest/naming_run.hpp): summaries
// and the records they belong to, folders, and what has changed since names were given.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "store/store.hpp"

namespace yore::store {

// A summary and the record that it belongs to, which may stand in another session.
struct SummaryRow {
  SessionId session{};  // that the summary stands in
  std::uint64_t leaf = 0;
  std::string text;
  bool early = false;  // it came before its session's first turn
};
// By the uid of their sessions, then in the order of lines.
Result<std::vector<SummaryRow>> summaries(Store& store);

using OnKeys = std::function<void(SessionId session, std::span<const std::uint64_t> keys)>;
// Hashes of the keys of all records, session by session, each perhaps in several parts.
Status each_record_keys(Store& store, const OnKeys& visit);
// One session's keys, from `first_part` on.
Result<std::vector<std::uint64_t>> record_keys(Store& store, SessionId session,
                                               std::int64_t first_part);

// Names of the folders that the sessions of a root lie in; not of excluded ones.
Result<std::vector<std::string>> directories_in(Store& store, RootId root);

struct NamingState {
  std::int64_t seq = 0;        // of the last change
  std::int64_t summaries = 0;  // how many there are
  std::string mark;            // what was noted when names were last given; "": never
};
Result<NamingState> naming_state(Store& store);
// REQUIRES: the process holds the WriterLock and a transaction is open.
Status set_naming_mark(Store& store, std::string_view mark);

// Which repository folders belong to, as it was noted: path and key (ingest/repositories.hpp).
using FolderKeys = std::map<std::string, std::string, std::less<>>;
Result<FolderKeys> repositories(Store& store);
// The name that the folders of a repository have together, by its key.
Result<FolderKeys> repository_names(Store& store);
// REQUIRES: the process holds the WriterLock and a transaction is open.
Status set_repositories(Store& store, const FolderKeys& keys);
Status set_repository_names(Store& store, const FolderKeys& names);

struct GrownSession {
  SessionId session{};
  std::int64_t first_part = 0;  // of its record keys that is new
};
// Sessions that more was read of since; nullopt: more than that has changed.
Result<std::optional<std::vector<GrownSession>>> grown_after(Store& store, std::int64_t seq);

}  // namespace yore::store
