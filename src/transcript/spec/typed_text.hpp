// typed_text.hpp — tells what a person typed from what was put around it. Pure.
#pragma once

#include <span>
#include <string_view>

#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

struct TypedText {
  std::string_view text;  // without what was put around it; "" when nothing else is there
  TypedAction action = TypedAction::strip;  // drop, note, machine, command; strip: a person's words
};

// What the text says it is (drop, note, machine, command) is asked before and after injected blocks
// are taken off its begin, the first rule that fits decides. O(rules * text).
TypedText typed_text(std::string_view text, std::span<const TypedRule> rules);

}  // namespace yore::transcript
