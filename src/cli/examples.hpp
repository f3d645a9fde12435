// examples.hpp — what people type, and what it does: for help and manual pages, written once.
#pragma once

#include <span>
#include <string_view>

namespace yore::cli {

struct Example {
  std::string_view line;
  std::string_view meaning;
};

// Of a command; "": the first things to try.
std::span<const Example> examples_of(std::string_view command);

}  // namespace yore::cli
