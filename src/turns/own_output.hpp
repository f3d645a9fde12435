// own_output.hpp — recognises calls whose output was printed by yore itself. Such output stays in
// the conversation, but indexing it would make every search find its own earlier answers.
#pragma once

#include <string_view>

#include "transcript/record.hpp"

namespace yore::turns {

// A call of one of yore's MCP tools, under whatever server name, or a shell command that runs yore.
bool is_own_call(const transcript::Block& call);
// "cd x && FOO=1 ./build/yore search y | head" does; "grep yore notes" does not.
bool runs_yore(std::string_view command);

}  // namespace yore::turns
