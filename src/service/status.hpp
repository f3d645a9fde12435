// status.hpp — what is indexed, how fresh it is and how much room it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "derive/embedder.hpp"
#include "service/keeper.hpp"
#include "store/store.hpp"

namespace yore::service {

struct RootStatus {
  std::string agent;
  std::string path;
  bool exists = false;
  bool named = false;
  std::string place;  // the other disk it lies on, which is not looked at; "" for most
  std::uint64_t sessions = 0;
  std::uint64_t turns = 0;
};

struct StatusReport {
  std::string data_dir;
  bool indexed = false;              // is there a database at all
  std::uint64_t database_bytes = 0;  // with its log
  std::uint64_t keyword_bytes = 0;   // 0: there is no keyword index
  std::uint64_t keyword_passages = 0;
  std::uint64_t keyword_segments = 0;
  std::uint64_t passages = 0;
  derive::EmbedCounts embedded;  // how much is searchable by meaning
  std::string model_problem;     // a sentence: why nothing is; "" when something could be
  std::vector<store::AgentCounts> agents;
  std::vector<RootStatus> roots;  // registered, and found on this machine
  std::vector<store::ProblemRow> problems;
  std::vector<store::UnknownRow> unknowns;
  std::vector<store::TroubleRow> troubles;
  // Freshness, by stat alone.
  std::uint64_t files_known = 0;
  std::uint64_t files_behind = 0;  // new, grown or changed since they were read
  std::uint64_t behind_bytes = 0;
  // What agents will delete within a week, per agent.
  struct Expiring {
    std::string agent;
    std::uint64_t sessions = 0;
    std::uint64_t kept = 0;  // of them, whose originals are in the archive
    Time first = kNoTime;    // when the first goes
  };
  std::vector<Expiring> expiring;
  std::string mended;  // a sentence: the store was damaged, and what it lacks now; often empty
  std::optional<int> writer_pid;
  std::optional<KeeperReport> keeper;  // the server that keeps it fresh
};

// All agents together.
struct StatusTotals {
  std::uint64_t sessions = 0;
  std::uint64_t subagents = 0;
  std::uint64_t turns = 0;
  std::uint64_t missing = 0;
  std::uint64_t superseded = 0;
  std::uint64_t prompts = 0;
  std::uint64_t notes = 0;
  std::uint64_t other_files = 0;
};
StatusTotals totals(const StatusReport& report);

// Looks at every known file, so it costs a stat for each; folders are listed only when something is
// different. Never writes.
Result<StatusReport> read_status(const config::World& world, const config::Settings& settings);

}  // namespace yore::service
