// program_source.hpp — takes in conversations that a program hands over, where there is no agent's
// file.
//
// What came in this way has no path. Nobody looks for its file or calls it missing, reading it
// means reading the store, and the program is the authority: what it no longer lists is removed.
//
// Read again is only a conversation whose stamp has changed; one that only went on costs what is
// new of it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "transcript/adapter.hpp"

namespace yore::ingest {

// Delivers the records of one conversation, the same ones however often it is called.
using RecordProducer = std::function<void(transcript::RecordSink&)>;

struct HandedSession {
  transcript::SessionRef ref;  // without path and row
  std::string agent;
  bool always_read = false;  // its stamp says nothing
};

struct ProgramSource {
  std::function<Result<std::vector<HandedSession>>()> sessions;
  std::function<Result<RecordProducer>(const HandedSession& session)> read;
};

struct ProgramSourceReport {
  std::uint64_t sessions_known = 0;
  std::uint64_t sessions_read = 0;
  std::uint64_t sessions_continued = 0;  // of those read: only what was new was taken
  std::uint64_t sessions_removed = 0;
  std::uint64_t sessions_behind = 0;  // could not be read; what was known of them stays
  std::vector<std::string> troubles;  // "id: sentence", of those
};

// Brings store and keyword index in step with what is handed over. Takes the writer lock: busy when
// another process has held it for `patience`. invalid_argument: an id that is empty, given twice,
// or that of a session read from a file.
Result<ProgramSourceReport> take_in(const std::string& data_dir, const ProgramSource& intake,
                                    std::chrono::milliseconds patience,
                                    const std::atomic<bool>& cancel);

}  // namespace yore::ingest
