// kept_records.hpp — what of the record store cannot be read again from transcripts, to be carried
// elsewhere: sessions whose source is gone, editions, and whatever else is asked for.
//
// It travels as a record store of its own, so that one of an older yore is brought up to date the
// way any other is (schema.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/store.hpp"
#include "store/tombstones.hpp"

namespace yore::store {

// The bytes of such a store, with these sessions as well; all of it in memory.
Result<std::string> copy_kept_records(const std::string& data_dir,
                                      const std::vector<std::string>& also);

struct Adopted {
  std::uint64_t sessions = 0;
  std::uint64_t editions = 0;
  std::uint64_t there_already = 0;  // what has the same id stays as it is
};
// Takes them in, in one transaction; what was forgotten is left out.
// REQUIRES: the process holds the WriterLock.
Result<Adopted> adopt_records(Store& store, const std::string& image, const Tombstones& forgotten);

// keep.db as bytes; "": nothing was ever forgotten.
Result<std::string> copy_tombstones(const std::string& data_dir);
// Takes in those of another keep.db. invalid_argument, and nothing has changed: both hold some, of
// different salts, which nobody can bring together. REQUIRES: likewise.
Status adopt_tombstones(const std::string& data_dir, const std::string& image);
// Would adopt_tombstones() do it?
Status can_adopt_tombstones(const std::string& data_dir, const std::string& image);

}  // namespace yore::store
