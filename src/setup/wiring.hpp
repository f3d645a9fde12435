// wiring.hpp — which agents are wired, and whether what their files say can still be started.
// Reads only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "setup/plan.hpp"

namespace yore::setup {

enum class Wiring : std::uint8_t {
  none,        // no entry
  ours,        // written by setup
  by_hand,     // it starts yore, but setup did not write it
  moved,       // it starts a program that is not there
  foreign,     // an entry of that name which is not yore's
  unreadable,  // the file cannot be read or is not valid
};
std::string_view wiring_name(Wiring wiring);

struct Wired {
  std::string agent;
  std::string display;
  std::string path;
  Wiring wiring = Wiring::none;
  std::vector<std::string> command;  // with its arguments; empty without an entry
  std::string why;                   // of unreadable
};

// Installed agents and what the ledger holds, or the named ones.
std::vector<Wired> look_at_wiring(const config::World& world, const Ledger& ledger,
                                  const std::vector<std::string>& names);

// A sentence on the agents of this machine: who was found and that setup wires them; "" when there
// are none, or when all are wired.
std::string invitation(const config::World& world, const std::string& data_dir);

std::string display_of(std::string_view agent);
// The words that the entry starts.
std::vector<std::string> words_of(const Json& value, const Entry& place);

// Agents whose hooks setup wrote, by display name, and whether the program they start is there.
struct HookState {
  std::string agent;
  std::string display;
  std::string path;
  std::string command;
  bool there = true;        // the hook stands in its file
  bool works = true;        // and can be started
  std::string remark = {};  // what its agent wants of people; "" nothing
};
std::vector<HookState> look_at_hooks(const config::World& world, const Ledger& ledger);

}  // namespace yore::setup
