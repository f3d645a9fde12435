// time_options.hpp — what people type after --since and --until.
#pragma once

#include <optional>
#include <string_view>

#include "cli/context.hpp"

namespace yore::cli {

// nullopt for ""; invalid_argument names the flag and shows what is understood.
Result<std::optional<Time>> parse_time(const Context& context, std::string_view flag,
                                       std::string_view text);

}  // namespace yore::cli
