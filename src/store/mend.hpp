// mend.hpp — a record store that SQLite cannot read any more becomes a new one.
//
// Every row that can still be made out (page_scan.hpp) goes into a new store; what transcripts hold
// is read again by the next run, from their start and beside what was saved, so that nothing stands
// twice. What neither holds is named: the store remembers how much there was, and settle_losses()
// says what of it is missing once everything was read.
//
// The damaged file is set aside as yore.db.damaged (one at a time). A kill at any moment leaves
// either the damaged store where it was or the new one complete as yore.db.mended, which whoever
// opens the store to write puts in its place (exchange.hpp).
//
// REQUIRES for all that writes: the process holds the WriterLock.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "store/store.hpp"

namespace yore::store {

// How many turns there were, by the uid of their session; without it only rows can tell.
using Census = std::map<std::string, std::uint64_t>;

// Is there anything wrong with the store? Reads all of it. Also true for a file without a byte that
// still has a log: nothing of it would be left after opening it.
bool is_damaged(const std::string& data_dir);

// nullopt: nobody knows how much there was.
Status mend(const std::string& data_dir, const std::optional<Census>& census, Time now);

struct Loss {
  std::string uid;
  std::uint64_t turns = 0;       // that are gone
  std::uint64_t incomplete = 0;  // that lack some of their text
};
struct Mended {
  Time when = kNoTime;
  bool settled = false;  // everything was read again
  bool unknown = false;  // nobody knew how much there was
  std::vector<Loss> losses;
};
// nullopt: this store never was mended.
Result<std::optional<Mended>> mended(Store& store);

// Nothing is said of what these sessions lost any more.
Status forget_losses(Store& store, const std::vector<std::string>& uids);

// After a run that has read everything there is. True: losses were found or ruled out just now.
Result<bool> settle_losses(Store& store);

// "3 turns of <uid>", "text in 2 turns of <uid>".
std::string loss_text(const Loss& loss);
// "The record store was damaged and has been mended." and what could not be saved.
std::string mended_note(const Mended& mended);

}  // namespace yore::store
