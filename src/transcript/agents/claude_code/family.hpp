// family.hpp — Claude Code and the programs that write its transcripts under names and roots of
// their own: a row each in claude_code.cpp; Claude Desktop, whose sessions lie deeper, has
// cowork.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "transcript/adapter.hpp"

namespace yore::transcript::claude_code {

struct Member {
  std::string_view name;
  std::string_view display_name;
  std::string_view speaker;
  std::string_view formats;
  std::span<const RootRule> roots;
  std::string_view program;  // of the resume command; "": there is none
  std::string_view prefix;   // of session ids: "openclaude:"
  Verified verified = Verified::source;
  Retention retention = {};

  [[nodiscard]] std::string id_of(std::string_view native) const {
    return std::string(prefix).append(native);
  }
};

// The sessions below one folder of projects. REQUIRES: `member` lives as long as the program.
Result<Listing> list_projects(const Member& member, const Root& root, const PreviousListing& known);

// An adapter that reads its transcripts; `sessions` is list_projects unless it is set otherwise.
Adapter make_adapter(const Member& member);

}  // namespace yore::transcript::claude_code
