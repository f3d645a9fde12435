// plan.hpp — what setup is going to do to each file, before anything is done.
//
// Planning reads and never writes. The same plan is shown and carried out (apply.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "setup/agents.hpp"
#include "setup/ledger.hpp"
#include "setup/user_file.hpp"

namespace yore::setup {

enum class Deed : std::uint8_t { create, change, remove, unchanged, refused };

struct Step {
  Deed deed = Deed::unchanged;
  std::string path;
  std::vector<std::string> agents;  // names of the table
  std::string why;                  // a sentence for unchanged and refused; "" when there is none
  std::string paste;                // of a refused one: the lines for people to put in themselves
  UserFile was;
  std::string after;  // of create and change: all of the file
  Row row;            // what the ledger is to say; without changes: nothing of ours is there
};

struct Plan {
  std::vector<Step> steps;           // in the order of the table
  std::vector<std::string> folders;  // to be made, outer ones first

  [[nodiscard]] bool writes() const;
};

struct SetupRequest {
  std::vector<std::string> agents;  // names of the table; none: all that are installed
  std::string project;              // the folder whose files are written instead; "": the user's
  bool recall = false;              // with the hooks that remind agents (hooks.hpp)
};

// Empty when no agent is installed. invalid_argument: a name that is not in the table, or an agent
// that has no file in projects.
Result<Plan> plan_setup(const config::World& world, const Ledger& ledger,
                        const SetupRequest& request);
// Of all that the ledger holds, or of these agents, or below this folder.
Result<Plan> plan_undo(const config::World& world, const Ledger& ledger,
                       const SetupRequest& request);

// The program as it is named in files of others: as the PATH leads to it where that is the same
// program, for that name stays when a new version takes its place; else where it lies.
std::string stable_program(const config::World& world);
// Do both lead to one program?
bool is_same_program(const std::string& a, const std::string& b);

}  // namespace yore::setup
