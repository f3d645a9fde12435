// injected_source.hpp — a TranscriptSource as something the engine takes in: turns become records.
#pragma once

#include "ingest/program_source.hpp"
#include "yore/yore.hpp"

namespace yore::library {

// Bytes that are not valid UTF-8 become U+FFFD, and what the source throws becomes an Error: who
// writes a source need not know what the engine relies on. REQUIRES: the source outlives it.
ingest::ProgramSource intake_of(TranscriptSource& source);

}  // namespace yore::library
