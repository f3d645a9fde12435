// tombstones.hpp — what was forgotten on purpose, so that no later reading brings it back.
//
// Lies in keep/keep.db beside the record store: unlike everything else it cannot be read again from
// anywhere. Holds salted hashes of session ids and of turns' origins, and nothing by which one
// could tell what was forgotten.
//
// Forgetting is begun by a commit here and done when the marks of it are gone everywhere
// (ingest/forget.hpp). A kill in between leaves `unfinished`, and the next run goes on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.hpp"
#include "base/sqlite.hpp"
#include "store/keep_file.hpp"

namespace yore::store {

class Tombstones {
 public:
  // None where nothing was ever forgotten; costs a look at a file.
  static Result<Tombstones> load(const std::string& data_dir);
  // The same of a keep.db that is open already.
  static Result<Tombstones> read(Database& database);

  [[nodiscard]] bool empty() const { return hashes_.empty(); }
  [[nodiscard]] bool unfinished() const { return unfinished_; }
  [[nodiscard]] bool has_session(std::string_view uid) const;
  [[nodiscard]] bool has_turn(std::uint64_t origin) const;

  // Adds them and begins the forgetting. REQUIRES: the process holds the WriterLock.
  static Status add(const std::string& data_dir, const std::vector<std::string>& sessions,
                    const std::vector<std::uint64_t>& origins);
  // What they stand for is gone everywhere. REQUIRES: likewise.
  static Status set_finished(const std::string& data_dir);

 private:
  std::string salt_;
  std::unordered_set<std::string> hashes_;
  bool unfinished_ = false;
};

}  // namespace yore::store
