// recall.hpp — what a session knew before its last compaction: what was run, which files were
// touched, what was asked and concluded, in the transcript's own words and by turn.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "search/reader.hpp"
#include "turns/compactions.hpp"

namespace yore::search {

enum class RecalledKind : std::uint8_t { call, prompt, conclusion };

struct Recalled {
  RecalledKind kind = RecalledKind::call;
  std::uint32_t turn = 0;
  std::string session;  // id: the session's own, or that of an edition of it
  std::string text;     // whole; of a call its rendering, a JSON object
};

struct RecallAnswer {
  store::SessionRow session;
  turns::Compactions compactions;
  std::uint32_t turns = 0;         // that were looked at
  std::vector<Recalled> recalled;  // in the order of the conversation, superseded turns first
};

// Which session is meant when none is named: the one that is running, as its agent tells in the
// environment; else the newest of this folder that was compacted. not_found.
Result<store::SessionRow> session_to_recall(Reader& reader, const config::World& world,
                                            const std::string& folder);

// Looks into the session's source for its compactions. not_found: there was none.
Result<RecallAnswer> recall_since_compact(Reader& reader, const store::SessionRow& session);

}  // namespace yore::search
