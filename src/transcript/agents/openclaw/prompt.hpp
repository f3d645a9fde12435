// prompt.hpp — tells what a person typed from what OpenClaw wrapped around it. Pure.
//
// A user message may begin with event notices, facts about the sender and the time of day, in this
// order and each of them optional:
//   System: [2026-05-05 12:00:00 GMT+2] Node connected.
//
//   Sender (untrusted metadata):
//   ```json
//   {"name": "…"}
//   ```
//
//   [Tue 2026-05-05 12:00 GMT+2] what is on my list?
// Timers, hooks and other sessions write user messages too; they begin with a fixed marker.
#pragma once

#include <string_view>

namespace yore::transcript::openclaw {

// Views into the text given.
struct Prompt {
  std::string_view text;    // without sender facts and time
  std::string_view notice;  // event notices that stood in front of a person's text
  bool automated = false;
};

// O(n).
Prompt clean_prompt(std::string_view raw);

}  // namespace yore::transcript::openclaw
