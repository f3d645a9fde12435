// json_patches.hpp — a log of changes to one JSON document, replayed into the document. Pure.
//
//   {"kind":0,"v":…}                                the document, as it began
//   {"kind":1,"k":["requests",3,"result"],"v":…}    set what is there
//   {"kind":2,"k":[…],"v":[…],"i":2}                cut the list to its first two when `i` is
//   given,
//                                                   then add these
//   {"kind":3,"k":[…]}                              take it away
// The log may begin anew at any line of kind 0. A line that is broken, unknown or leads nowhere is
// passed over and counted; a last line without its end has not been written yet.
//
// Cost: O(log * log of fields); only what a path leads into is taken apart. Memory O(document).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yore::transcript {

struct PatchedDocument {
  std::string text;                   // "" when there never was one
  std::vector<std::uint64_t> broken;  // lines, 1-based
};

PatchedDocument replay_patches(std::string_view log);

}  // namespace yore::transcript
