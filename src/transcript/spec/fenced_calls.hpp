// fenced_calls.hpp — calls that an assistant writes into its text, as gptme's do. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yore::transcript {

struct FencedCall {
  std::string_view tool;
  std::string_view argument;  // what follows the tool's name: "hello.py" of "```save hello.py"
  std::string_view body;
};

// The blocks between "```tool" and "```" whose tool is one of these, in order; views of the text.
// One that is not closed goes to the end. O(text).
std::vector<FencedCall> fenced_calls(std::string_view text, std::span<const std::string> tools);

}  // namespace yore::transcript
