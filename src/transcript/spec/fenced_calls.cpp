#include "transcript/spec/fenced_calls.hpp"

#include <algorithm>

#include "text/utf8.hpp"
#include "transcript/limits.hpp"

namespace yore::transcript {
namespace {

constexpr std::string_view kFence = "```";

// Takes the first line off the text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

std::vector<FencedCall> fenced_calls(std::string_view text, std::span<const std::string> tools) {
  std::vector<FencedCall> calls;
  while (!text.empty() && calls.size() < kMaxParts) {
    const std::string_view opening = take_line(text);
    if (!opening.starts_with(kFence)) continue;
    const char* begin = text.data();
    std::size_t size = 0;
    for (bool open = true; open && !text.empty();) {
      const std::string_view line = take_line(text);
      open = text::trim(line) != kFence;
      if (open) size = static_cast<std::size_t>(line.data() + line.size() - begin);
    }
    const std::string_view info = text::trim(opening.substr(kFence.size()));
    const std::string_view tool = info.substr(0, info.find(' '));
    if (std::ranges::find(tools, tool) == tools.end()) continue;
    calls.push_back({tool, text::trim(info.substr(tool.size())), {begin, size}});
  }
  return calls;
}

}  // namespace yore::transcript
