// handoff_text.hpp — a session as a briefing for whoever goes on with it, agent or person: goal,
// decisions, changes, commands that worked, what is open. Every line in the words of the transcript
// and with its turn; no model has a hand in it.
//
// One line stands before the fence (turns/fence.hpp), so that a conversation that begins with a
// briefing is one of its own: what is fenced is not indexed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "search/briefing.hpp"
#include "service/json.hpp"
#include "service/masking.hpp"

namespace yore::service {

inline constexpr std::size_t kHandoffTokens = 2000;
inline constexpr std::size_t kLeastHandoffTokens = 200;

struct HandoffOptions {
  std::size_t tokens = kHandoffTokens;  // about, of all of it
  std::string from;                     // the agent's name as people know it
  std::string to;                       // likewise; "": whoever reads it
};

struct Handoff {
  std::string text;
  std::size_t tokens = 0;
  std::vector<std::uint32_t> cited;  // turns, ascending
};

// Masks before anything is cut. REQUIRES: tokens >= kLeastHandoffTokens.
Handoff handoff_of(search::Briefing briefing, const HandoffOptions& options, const Masker& mask);
Json handoff_json(const store::SessionRow& session, const Handoff& handoff);

}  // namespace yore::service
