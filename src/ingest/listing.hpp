// listing.hpp — asks the agents' adapters which sessions are there.
#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/result.hpp"
#include "config/roots.hpp"
#include "store/writer.hpp"
#include "transcript/adapter.hpp"
#include "transcript/reading_time.hpp"

namespace yore::ingest {

// What adapters are told of the last time; nothing when everything is to be read again (`force`).
// REQUIRES: both lists outlive the answer.
transcript::PreviousListing known_before(
    const std::vector<store::KnownSession>& sessions,
    const std::vector<std::pair<std::string, FileStamp>>& containers, bool force);

// Within the time that a listing may take, and while nobody cancels.
Result<transcript::Listing> list_root(const config::FoundRoot& root,
                                      const transcript::PreviousListing& before,
                                      const transcript::ReadingTime& time,
                                      const std::atomic<bool>& cancel);

}  // namespace yore::ingest
