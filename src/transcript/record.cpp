#include "transcript/record.hpp"

#include <array>
#include <cstddef>

namespace yore::transcript {

std::string_view problem_name(ProblemKind kind) {
  static constexpr std::array<std::string_view, kProblemKinds> kNames = {
      "invalid-json", "invalid-utf8", "lone-surrogate", "control-bytes",
      "wrong-type",   "oversized",    "unreadable",     "unknown-schema"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace yore::transcript
