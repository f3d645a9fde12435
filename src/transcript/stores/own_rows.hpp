// own_rows.hpp — a session of a database as a database of its own: the same tables, and only the
// session's rows in them, with their rowids. The agent's reader reads it as it reads the other.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "transcript/adapter.hpp"

namespace yore::transcript {

// The bytes of such a database. Tables that are not there are left out; not_found: none has a row.
// In memory at once: the session, not the database it lies in.
Result<std::string> copy_own_rows(const std::string& path, const std::vector<OwnRows>& rows);

}  // namespace yore::transcript
