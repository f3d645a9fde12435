// ellipsis.hpp — what stands for text that was left out.
#pragma once

#include <string_view>

namespace yore::text {

inline constexpr std::string_view kEllipsis = "\u2026";

}  // namespace yore::text
