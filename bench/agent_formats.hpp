// agent_formats.hpp — a document as the transcript of its agent, in the place where that agent
// keeps it, so that the adapters read what they read on a real machine.
#pragma once

#include "datasets.hpp"
#include "place.hpp"

namespace yore::bench {

// Claude Code's when `document.agent` is empty; invalid_argument for an agent without a writer.
Status write_session(const Document& document, const Place& place);

}  // namespace yore::bench
