#include "transcript/automated.hpp"

#include <algorithm>
#include <array>

namespace yore::transcript {
namespace {

constexpr std::array<std::string_view, 13> kAutomations = {
    "automated", "automation", "cron",      "daemon",  "heartbeat", "hook",    "poll",
    "schedule",  "scheduled",  "scheduler", "trigger", "timer",     "webhook",
};
constexpr std::array<std::string_view, 5> kScripts = {"codex_exec", "exec", "headless", "print",
                                                      "sdk"};

}  // namespace

bool names_automation(std::string_view origin) {
  while (!origin.empty()) {
    const std::string_view part = origin.substr(0, origin.find(':'));
    const std::string_view word = part.substr(0, part.find_first_of("_- "));
    if (std::ranges::find(kAutomations, word) != kAutomations.end()) return true;
    origin.remove_prefix(std::min(part.size() + 1, origin.size()));
  }
  return false;
}

bool names_script(std::string_view origin) {
  return std::ranges::find(kScripts, origin) != kScripts.end();
}

}  // namespace yore::transcript
