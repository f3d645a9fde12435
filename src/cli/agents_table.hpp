// agents_table.hpp — the supported agents as a Markdown table; the README holds exactly this.
#pragma once

#include <string>

namespace yore::cli {

std::string agents_markdown();

}  // namespace yore::cli
