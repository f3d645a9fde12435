// built_in_specs.hpp — the descriptions of transcript/agents/*.toml as they were at build time.
#pragma once

#include <span>
#include <string_view>

namespace yore::transcript {

struct BuiltInSpec {
  std::string_view file;  // "pi.toml"
  std::string_view text;
};
std::span<const BuiltInSpec> built_in_specs();

}  // namespace yore::transcript
