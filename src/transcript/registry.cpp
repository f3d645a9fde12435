#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "transcript/adapter.hpp"

namespace yore::transcript {

// One per file of transcript/adapters.
extern const Adapter kClaudeCode;
extern const Adapter kOpenClaw;
extern const Adapter kCodex;
extern const Adapter kGemini;
extern const Adapter kQwen;
extern const Adapter kOpenCode;
extern const Adapter kKimi;
extern const Adapter kPi;

std::span<const Adapter> adapters() {
  // Built on first use: the adapters are constants of other files and may not exist before main().
  // clang-format off
  static const std::array all = {
      kClaudeCode,
      kOpenClaw,
      kCodex,
      kGemini,
      kQwen,
      kOpenCode,
      kKimi,
      kPi,
  };
  // clang-format on
  return all;
}

const Adapter* find_adapter(std::string_view name) {
  const auto all = adapters();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Adapter& a) { return a.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool is_safe_id(std::string_view id) {
  if (id.empty() || !ascii::is_alnum(id.front())) return false;
  return std::ranges::all_of(id, [](char c) {
    return ascii::is_alnum(c) || c == '.' || c == '_' || c == ':' || c == '-';
  });
}

}  // namespace yore::transcript
