// dump.hpp — one session as plain text: what a .case file expects, line by line.
//
// Shows everything that `turns` says about a session and nothing that depends on how it is cut into
// passages. README.md in this folder shows the form.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "transcript/adapter.hpp"
#include "turns/session_builder.hpp"
#include "turns/turn_types.hpp"

namespace yore::cases {

// What a store would hold of one session.
struct StoredSession {
  transcript::SessionRef ref;
  turns::SessionFacts facts;
  std::map<turns::TurnNumber, turns::Turn> turns;
  std::vector<turns::Passage> sealed;
  std::vector<turns::Passage> open;
  std::vector<turns::LeafTitle> leaf_titles;
  std::vector<turns::SessionBuilder::Problem> problems;
  std::map<std::string, std::uint64_t> unknown;
};

std::string dump(const StoredSession& session);

}  // namespace yore::cases
