// known_prompts.hpp — lines of an agent's history that name no session: which of them stand in a
// conversation that is known, or were forgotten on purpose. They are no news.
#pragma once

#include <cstdint>
#include <string_view>

#include "ingest/session_reading.hpp"

namespace yore::ingest {

// By which forgetting a turn forgets lines of a history that say the same.
std::uint64_t hash_of_prompt(std::string_view text);

// The source without them. What was typed within seconds of a turn in the same folder is that turn.
// REQUIRES: `forgotten` outlives it.
Result<SessionSource> without_known_prompts(SessionSource source, store::Writer& states,
                                            std::string_view directory,
                                            const store::Tombstones& forgotten);

}  // namespace yore::ingest
