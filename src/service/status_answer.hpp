// status_answer.hpp — the JSON shapes of status, doctor and index; fixed by contract.
#pragma once

#include <vector>

#include "config/settings.hpp"
#include "ingest/indexer.hpp"
#include "service/doctor.hpp"
#include "service/json.hpp"
#include "service/status.hpp"

namespace yore::service {

// {"indexed","data_dir","database_bytes","keyword_bytes","keyword_passages","keyword_segments",
//  "embedding":{…},"sessions","turns","passages","files_known","files_behind","behind_bytes",
//  "agents":[…],"roots":[…],"problems":[…],"unknown":[…],"troubles":[…],"writer_pid","keeper"}
Json to_json(const StatusReport& report, const config::EmbeddingSettings& embedding);

// {"ok","findings":[{level, area, message, fix, fixable, fixed}]}
Json to_json(const std::vector<Finding>& findings);

// {"sessions_known", …, "seconds"}, and of a dry run "dry_run", "bytes_to_read", "would_read".
Json to_json(const ingest::IndexReport& report, bool dry_run);

}  // namespace yore::service
