// tool_rules.hpp — which of a tool's arguments are shown, as a table: one row per tool and
// argument. Shared by the adapters, each with its own table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "transcript/record.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::transcript {

// Versions and providers name the same argument differently: the first that is there counts.
using ArgumentNames = std::array<std::string_view, 8>;
inline constexpr ArgumentNames kPathArguments = {"file_path", "filePath",      "filepath",
                                                 "path",      "absolute_path", "notebook_path",
                                                 "file",      "target_file"};
// Longest question or address in a rendering, in characters.
inline constexpr std::size_t kQueryChars = 100;

// {"tool":tool, shown:first of names}. A tool with several arguments has several rows.
struct ToolRule {
  std::string_view tool;
  std::string_view shown;
  ArgumentNames names;
  std::size_t max_chars = SIZE_MAX;
};

std::string_view first_argument(const ToolInput& input, const ArgumentNames& names);

// The block of one call. It views `input`, `rendering` and the two texts given.
Block tool_call_block(std::string_view tool, std::string_view call_id, const ToolInput& input,
                      std::span<const ToolRule> rules, std::string& rendering);

}  // namespace yore::transcript
