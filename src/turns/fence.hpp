// fence.hpp — the lines between which stands whatever yore makes for a model to read.
//
//   <<yore history 1>>
//   … what was found, in the words of old transcripts …
//   <<end yore history>>
//
// An agent writes such text into its own transcript, where it is read again. It is never indexed:
// otherwise every search would find what earlier ones had found. The number is the version of the
// form; whatever the number, the text between is yore's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace yore::turns {

inline constexpr std::string_view kFenceOpen = "<<yore history 1>>";
inline constexpr std::string_view kFenceClose = "<<end yore history>>";

// The text between fence lines of its own. Fences inside it are broken, so that nothing that was
// quoted can end them.
std::string fenced(std::string_view text);

enum class Unclosed : std::uint8_t {
  stays,        // a person, or a model, wrote about fences
  runs_to_end,  // output that was cut: a fence alone on its line holds until the end of the text
};
struct Unfenced {
  std::string_view text;   // what is left: the text itself, or `storage`
  bool had_fence = false;  // something was left out
};
// The text without what stands between fences, wherever they stand in their lines (quoted,
// numbered, escaped). O(text); a text without a fence is not copied.
Unfenced without_fenced(std::string_view text, Unclosed unclosed, std::string& storage);

}  // namespace yore::turns
