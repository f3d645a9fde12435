// The agents that are written by hand, one per folder. Those that are described in TOML need no row
// here: registry.cpp names their files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transcript/adapter.hpp"

namespace yore::transcript {

// Adapter::resume of agents whose command is "program option id".
inline auto resume_with(const char* program, const char* option) {
  return [program, option](std::string_view id) -> std::vector<std::string> {
    if (!is_safe_id(id)) return {};
    return {program, option, std::string(id)};
  };
}

namespace claude_code {
extern const Adapter kAdapter;
extern const Adapter kOpenClaudeAdapter;
extern const Adapter kCommandCodeAdapter;
}  // namespace claude_code
namespace cowork {
extern const Adapter kAdapter;
}
namespace codex {
extern const Adapter kAdapter;
}
namespace gemini {
extern const Adapter kAdapter;
}
namespace openclaw {
extern const Adapter kAdapter;
}
namespace opencode {
// OpenCode first, then those that were made of it.
std::vector<Adapter> family();
}  // namespace opencode
namespace qwen {
extern const Adapter kAdapter;
}

}  // namespace yore::transcript
