// refresh.hpp — indexing as the commands do it: with progress, and told in a few lines.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "ingest/indexer.hpp"

namespace yore::cli {

// run_index with progress on standard error (after `delay`; none with --quiet) and Ctrl-C as
// cancel.
Result<ingest::IndexReport> index_with_progress(const Context& context,
                                                const ingest::IndexOptions& options,
                                                std::chrono::milliseconds delay);

// "3 sessions: 2 new, 1 unchanged" and so on; a few lines, each with its end.
std::string summary(const ingest::IndexReport& report);

// Neither a transcript nor a kept session.
bool nothing_there(const ingest::IndexReport& report);

// What to say when there are no transcripts at all: the places, and how to try yore anyway.
std::string no_transcripts(const Context& context);

}  // namespace yore::cli
