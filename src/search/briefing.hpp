// briefing.hpp — what a session was about, for somebody who goes on with it: goals, what was
// concluded, what was changed, what was run and whether it worked. In the transcript's own words,
// by turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "search/reader.hpp"
#include "turns/work_reader.hpp"

namespace yore::search {

struct Briefing {
  store::SessionRow session;
  std::vector<turns::WholeTurn> turns;   // all of them, oldest first; none that was abandoned
  std::vector<std::string> conclusions;  // of each of them: what was said last
  std::vector<turns::Work> work;         // in order; without results where the source is gone
};
Result<Briefing> brief(Reader& reader, const store::SessionRow& session);

}  // namespace yore::search
