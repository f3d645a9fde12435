// The agents that are written by hand, one per folder. Those that are described in TOML need no row
// here: registry.cpp names their files.
#pragma once

#include <vector>

#include "transcript/adapter.hpp"

namespace yore::transcript {

namespace claude_code {
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
