#include "cli/time_options.hpp"

#include "text/when.hpp"

namespace yore::cli {

Result<std::optional<Time>> parse_time(const Context& context, std::string_view flag,
                                       std::string_view text) {
  if (text.empty()) return std::optional<Time>{};
  const auto time =
      text::parse_time_expression(text, context.world.now, context.world.local_offset);
  if (time) return time;
  return Error{Errc::invalid_argument,
               std::string(flag) + ": '" + std::string(text) + "' is not a time",
               "for example 2h, 3d, 2w, 6m, 1y, today, yesterday or 2026-01-31"};
}

}  // namespace yore::cli
