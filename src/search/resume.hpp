// resume.hpp — how an agent itself goes on with a session, as a line for the shell.
#pragma once

#include <string>
#include <vector>

#include "store/store.hpp"

namespace yore::search {

// Agents look for a session from the folder it was begun in, not from where it wandered. "" when
// that is not known.
std::string start_folder(const store::SessionRow& session);

// Is it a folder of this machine? A path of another system ("C:x") must not be taken for one
// relative to here.
bool is_here(const std::string& folder);

// "cd FOLDER && claude --resume ID"; the folder only where it exists; "" without a command.
std::string resume_line(const store::SessionRow& session, const std::vector<std::string>& command);

}  // namespace yore::search
