// The agents that are written by hand, one per folder. Those that are described in TOML need no row
// here: registry.cpp names their files.
#pragma once

#include "transcript/adapter.hpp"

namespace yore::transcript {

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
extern const Adapter kAdapter;
}
namespace qwen {
extern const Adapter kAdapter;
}

}  // namespace yore::transcript
