// built_in_specs.hpp — the descriptions of transcript/agents/*.toml as they were at build time: the
// head as a constant, the whole as a text.
#pragma once

#include <span>
#include <string_view>

#include "transcript/spec/spec_head.hpp"

namespace yore::transcript {

struct BuiltInSpec {
  std::string_view file;  // "pi.toml"
  std::string_view text;
  ConstantHead head;
};
std::span<const BuiltInSpec> built_in_specs();

}  // namespace yore::transcript
